/** Bodies and queries checked against a schema; the route behind gets its types from there. */
import type { Context, MiddlewareHandler } from 'hono';
import { validator } from 'hono/validator';
import * as z from 'zod';
import { Fault } from '../base/fault.ts';
import { wantWords, wrongField, wrongFieldsOf } from '../base/field-wants.ts';
import { cardDataIn } from '../emv/card-text.ts';
import { describeGuard, type Env } from './actor.ts';
import { Malformed } from './problems.ts';

// Card data in what is entered: refused at the one door of every text, so that no service behind it keeps any.

/**
 * What machines make, whose long numbers are their own: addresses with serial numbers, numbers of terminals, lines that
 * the till itself made for paper; and a gift card's number, which is sent and not kept.
 */
const machines = /^(?:address|terminalId|lines|giftCard\.number)(?:\.|$)/;

/** Throws `text.cardData` for the first text in the value, or name of one, that holds card data. */
export const refuseCardData = (value: unknown, where = ''): void => {
  if (typeof value === 'string') {
    const kind = machines.test(where) ? undefined : (cardDataIn(value) ?? namedCode(where, value));
    if (kind !== undefined) throw new Fault('text.cardData', { where: where === '' ? kind : `${where}, ${kind}` });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseCardData(name);
      refuseCardData(inner, where === '' ? name : `${where}.${name}`);
    }
  }
};

/** A security code by the name of its field. */
const namedCode = (where: string, value: string) =>
  value.length > 4 ? undefined : cardDataIn(`${where.split('.').at(-1)} ${value}`);

/**
 * What is left out is left out: no name stands there with `undefined` behind it. JSON and query strings cannot say such
 * a thing, and a schema makes none of them up.
 */
export type Exact<T> = T extends readonly (infer One)[]
  ? Exact<One>[]
  : T extends object
    ? { [Name in keyof T]: Exact<Exclude<T[Name], undefined>> }
    : T;

const parsed = <T>(schema: z.ZodType<T>, value: unknown): Exact<T> => {
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    refuseCardData(data);
    return data as Exact<T>;
  }
  throw new Malformed(wrongFieldsOf(error.issues));
};

/** `In` is what a client writes, `Out` what the route reads. */
type Guard<Of extends 'json' | 'query' | 'param', In, Out> = MiddlewareHandler<
  Env,
  string,
  { in: { [Name in Of]: In }; out: { [Name in Of]: Exact<Out> } }
>;

/** In an address everything is text. */
type AsText<In> = { [Name in keyof In]: string | string[] };

const guard = <Of extends 'json' | 'query' | 'param', In, Out>(of: Of, schema: z.ZodType<Out, unknown>) =>
  describeGuard(validator(of, (value) => parsed(schema, value)) as unknown as Guard<Of, In, Out>, { of, schema });

/** The JSON body. Throws `request.malformed` with every wrong field. */
export const body = <Out, In>(schema: z.ZodType<Out, In>): Guard<'json', In, Out> => guard('json', schema);

/** The query string. Throws `request.malformed` with every wrong field. */
export const query = <Out, In>(schema: z.ZodType<Out, In>): Guard<'query', AsText<In>, Out> => guard('query', schema);

/** The parts of the path. Throws `request.malformed`. */
export const path = <Out, In>(schema: z.ZodType<Out, In>): Guard<'param', { [Name in keyof In]: string }, Out> =>
  guard('param', schema);

/** `{ amount: '12.50', currency: 'EUR' }`; whether the currency has such an amount is for the service behind to say. */
export const amount = z.strictObject({
  amount: z.string().regex(/^\d{1,10}(\.\d{1,3})?$/, wantWords.amount),
  currency: z.string().regex(/^[A-Z]{3}$/, wantWords.currency),
});

export const name = z.string().trim().min(1).max(40);
export const pin = z.string().regex(/^\d{4,12}$/, wantWords.pin);

/** `?from=0&most=50` of a long list. */
export const slice = {
  from: z.coerce.number().int().min(0).default(0),
  most: z.coerce.number().int().min(1).max(200).default(50),
};

/** A whole number in the path: digits alone, and no more of them than a till ever counts to. */
export const countInPath = z
  .string()
  .regex(/^\d{1,9}$/, wantWords.count)
  .transform(Number)
  .pipe(z.number().int().min(1));

/** A receipt's number in the path. */
export const receiptPath = z.object({ receipt: countInPath });

// The `Idempotency-Key` of requests that move money: without one a request cannot be told from its repetition.

/** 8 to 64 letters, digits, `-` or `_`. Throws `request.malformed`. */
export const keyOf = (context: Context): string => {
  const key = context.req.header('idempotency-key') ?? '';
  refuseCardData(key, 'Idempotency-Key');
  if (/^[\w-]{8,64}$/.test(key)) return key;
  throw new Malformed([wrongField('Idempotency-Key', 'key')]);
};

/** A guard before the route: nothing is looked at without a key. Throws `request.malformed`. */
export const keyNeeded: MiddlewareHandler = describeGuard<MiddlewareHandler>(
  async (context, next) => {
    keyOf(context);
    await next();
  },
  { of: 'key' },
);
