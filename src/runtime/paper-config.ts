/** What till.json says of printers, and of what the store adds to its receipts. */
import * as z from 'zod';
import { parsePrinterAddress } from '../../drivers/printers/address.ts';
import { codePages } from '../base/code-pages.ts';
import { isFault } from '../base/fault.ts';

const isAddress = (text: string): boolean => {
  try {
    return parsePrinterAddress(text).link !== undefined;
  } catch (error) {
    if (isFault(error, 'printer.address')) return false;
    throw error;
  }
};

const printer = z.strictObject({
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u, 'must be up to 40 letters, digits, blanks'),
  address: z.string().max(200).refine(isAddress, 'must be a printer’s address such as escpos+tcp://192.168.1.50:9100'),
  /** Of the paper, mm. */
  width: z.union([z.literal(58), z.literal(80)]),
  /** Letters on a line of 80 mm paper; 42 where nothing is said. */
  columns: z.union([z.literal(42), z.literal(48)]).optional(),
  /** The letters it has; cp437 where nothing is said. What it lacks is sent as a picture. */
  codePage: z.enum(codePages).optional(),
  /** A cash drawer is plugged into it. */
  drawer: z.boolean().optional(),
});

export type PrinterConfig = z.output<typeof printer>;

export const printersShape = z
  .array(printer)
  .max(8)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must have different names')
  .optional();

const storeLines = z.array(z.string().max(200)).max(8).optional();

export const paperShape = z
  .strictObject({
    /** A PNG file in the till's folder. */
    logo: z
      .string()
      .regex(/^[\w-][\w.-]{0,99}\.png$/i, 'must be the name of a PNG file in the till’s folder')
      .optional(),
    /** Under the store's address, and above the name of the copy. */
    header: storeLines,
    footer: storeLines,
    /** Of customers' receipts: a language tag such as de. English where nothing is said. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'must be a language such as de')
      .optional(),
    /** Printed by itself after a sale; nothing where nothing is said. */
    print: z.enum(['nothing', 'customer', 'both']).optional(),
    /** Whether a customer's receipt bears a QR code by which a refund finds its sale; it does where nothing is said. */
    codes: z.boolean().optional(),
  })
  .optional();
