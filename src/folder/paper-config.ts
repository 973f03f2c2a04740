/** The settings in till.json for printers, receipts and screens. */
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

/** Allowed printer names: they appear in addresses of the local API, and on test pages. */
export const printerName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

const printer = z.strictObject({
  name: z.string().regex(printerName, wantWords.printerName),
  address: z.string().max(200).refine(isAddress, wantWords.printerAddress),
  /** The paper width, mm. */
  width: z.union([z.literal(58), z.literal(80)]),
  /** Characters per line of 80 mm paper; 42 if absent. */
  columns: z.union([z.literal(42), z.literal(48)]).optional(),
  /** The printer's character set; cp437 if absent. Other characters are sent as a picture. */
  codePage: z.enum(codePages).optional(),
  /** A cash drawer is connected to it. */
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
    /** Below the store's address, and above the name of the copy. */
    header: storeLines,
    footer: storeLines,
    /** The language tag of customers' receipts, such as de; English if absent. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, wantWords.language)
      .optional(),
    /** What is printed automatically after a sale; nothing if absent. */
    print: z.enum(['nothing', 'customer', 'both']).optional(),
    /** Whether a customer's receipt has a QR code by which a refund finds its sale; yes if absent. */
    codes: z.boolean().optional(),
  })
  .optional();

/** The settings of the screens of `npm start`, in till.json. */
export const screensShape = z
  .strictObject({
    /** Idle time before the screens lock themselves; 5 if absent. */
    lockAfterMinutes: z.int().min(1).max(480).optional(),
    /** The language until somebody chooses another; BCP 47, English if absent. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, wantWords.language)
      .optional(),
    /** Suggested tips, whole percent of the amount; 5, 10, 15 and 20 if absent. */
    tipPercents: z
      .array(z.int().min(1).max(100))
      .min(1)
      .max(4)
      .refine((percents) => new Set(percents).size === percents.length, 'must all be different')
      .optional(),
  })
  .optional();
