/** Bodies and queries checked against a schema; the route behind gets its types from there. */
import type { Context, MiddlewareHandler } from 'hono';
import { validator } from 'hono/validator';
import type * as z from 'zod';
import { Fault } from '../base/fault.ts';
import { wrongField, wrongFieldsOf } from '../base/field-wants.ts';
import { cardDataIn } from '../emv/card-text.ts';
import { describeGuard, type Env } from './actor.ts';
import { Malformed } from './problems.ts';

// Card data in what is entered: refused at the one door of every text, so that no service behind it keeps any.

/**
 * What machines make, whose long numbers are their own: addresses with serial numbers, numbers of terminals, lines that
 * the till itself made for paper, encrypted files; and a gift card's number, which is sent and not kept.
 */
const machines = /^(?:address|terminalId|lines|sealed|giftCard\.number)(?:\.|$)/;

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

const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    refuseCardData(data);
    return data;
  }
  throw new Malformed(wrongFieldsOf(error.issues));
};

/** `In` is what a client writes, `Out` what the route reads. */
type Guard<Of extends 'json' | 'query' | 'param', In, Out> = MiddlewareHandler<
  Env,
  string,
  { in: { [Name in Of]: In }; out: { [Name in Of]: Out } }
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
