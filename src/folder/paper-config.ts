/** What till.json says of printers, and of what the store adds to its receipts. */
import * as z from 'zod';
import { parsePrinterAddress } from '../../drivers/address.ts';
import { codePages } from '../base/code-pages.ts';
import { isFault } from '../base/fault.ts';
import { wantWords } from '../base/field-wants.ts';

const isAddress = (text: string): boolean => {
  try {
    return parsePrinterAddress(text).link !== undefined;
  } catch (error) {
    if (isFault(error, 'printer.address')) return false;
    throw error;
  }
};

/** What a printer may be called: its name stands in addresses of the local API, and on test pages. */
export const printerName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

const printer = z.strictObject({
  name: z.string().regex(printerName, wantWords.printerName),
  address: z.string().max(200).refine(isAddress, wantWords.printerAddress),
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
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, wantWords.differentNames)
  .optional();

const storeLines = z.array(z.string().max(200)).max(8).optional();

export const paperShape = z
  .strictObject({
    /** A PNG file in the till's folder. */
    logo: z
      .string()
      .regex(/^[\w-][\w.-]{0,99}\.png$/i, wantWords.logo)
      .optional(),
    /** Under the store's address, and above the name of the copy. */
    header: storeLines,
    footer: storeLines,
    /** Of customers' receipts: a language tag such as de. English where nothing is said. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, wantWords.language)
      .optional(),
    /** Printed by itself after a sale; nothing where nothing is said. */
    print: z.enum(['nothing', 'customer', 'both']).optional(),
    /** Whether a customer's receipt bears a QR code by which a refund finds its sale; it does where nothing is said. */
    codes: z.boolean().optional(),
  })
  .optional();

/** What a shop says of the screens of `npm start`, in till.json. */
export const screensShape = z
  .strictObject({
    /** They lock themselves when nobody touches them for so long; 5 if left out. */
    lockAfterMinutes: z.int().min(1).max(480).optional(),
    /** Until somebody chooses another one; BCP 47, English if left out. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, wantWords.language)
      .optional(),
    /** Tips that are offered, whole percent of the amount; 5, 10, 15 and 20 if left out. */
    tipPercents: z
      .array(z.int().min(1).max(100))
      .min(1)
      .max(4)
      .refine((percents) => new Set(percents).size === percents.length, 'must each be another one')
      .optional(),
  })
  .optional();
