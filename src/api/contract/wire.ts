/**
 * The shared parts of requests and answers of the local API. Times are ms since 1970 UTC; amounts are text, never
 * numbers. The schemas in this folder are the only source of the API's types, validation and OpenAPI document.
 */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { displayModes } from '../../base/mode.ts';

export const displayMode = z.enum(displayModes);

const inThisMode = { mode: displayMode.describe('Whether money moves at this till: only with `live`.') };

/** The same with the till's mode, under its own component name. */
export const inMode = <Shape extends z.core.$ZodShape>(schema: z.ZodObject<Shape, z.core.$strict>, id?: string) => {
  const reported = schema.extend(inThisMode);
  return id === undefined ? reported : reported.meta({ ...schema.meta(), id });
};

/** One page of a long list. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    rows: z.array(row),
    from: z.number().describe('The index of the first row, 0 for the newest.'),
    total: z.number().describe('The total number of rows.'),
  });

export type Page<Row> = { rows: Row[]; from: number; total: number };

export const amount = z.strictObject({ amount: z.string(), currency: z.string() }).meta({
  id: 'Amount',
  description:
    'An amount with its currency’s own decimals: `{ amount: "12.50", currency: "EUR" }`. Returns are negative.',
});
export type Amount = z.infer<typeof amount>;

const fact: z.ZodType = z.union([
  z.string(),
  z.number(),
  z.strictObject({ at: z.number() }),
  z.strictObject({ list: z.array(z.string()) }),
  z.lazy(() => localizedMessage),
]);

export const localizedMessage: z.ZodType<LocalizedMessage> = z
  .strictObject({
    code: z.string().describe('The namespace and name of the message: `namespace.name`.'),
    says: z.string().describe('The message in English.'),
    facts: z
      .record(z.string(), fact)
      .optional()
      .describe(
        'The values for the message’s placeholders: text, a number, a time (`at`), a `list` of texts or another message.',
      ),
  })
  .meta({ id: 'Told', description: 'A message that screens show in the reader’s language.' });

export const said = z
  .strictObject({
    code: z.string(),
    says: z.string(),
    facts: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .readonly()
      .optional(),
  })
  .meta({
    id: 'Said',
    description: 'A message in English, for readers who do not know its `code`: the screens have it in their language.',
  });
export type Said = z.infer<typeof said>;

// Parts of requests.

/** The service checks whether the amount is valid in the currency. */
export const requestAmount = z.strictObject({
  amount: z.string().regex(/^\d{1,10}(\.\d{1,3})?$/, wantWords.amount),
  currency: z.string().regex(/^[A-Z]{3}$/, wantWords.currency),
});

export const name = z.string().trim().min(1).max(40);
export const pin = z.string().regex(/^\d{4,12}$/, wantWords.pin);
export const terminalNumber = z.string().regex(/^\d{1,32}$/, wantWords.digits);

/** `?from=0&most=50` for a long list. */
export const slice = {
  from: z.coerce.number().int().min(0).default(0),
  most: z.coerce.number().int().min(1).max(200).default(50),
};

/** A whole number in the path: only digits, and at most as many as a till ever needs. */
export const countInPath = z
  .string()
  .regex(/^\d{1,9}$/, wantWords.count)
  .transform(Number)
  .pipe(z.number().int().min(1));

export const receiptPath = z.object({ receipt: countInPath });
