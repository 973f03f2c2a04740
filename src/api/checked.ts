/** Validation of bodies, queries and paths by schemas, which also type the routes' inputs. */
import type { Context, MiddlewareHandler } from 'hono';
import { validator } from 'hono/validator';
import type * as z from 'zod';
import { Fault } from '../base/fault.ts';
import { wrongField, wrongFieldsOf } from '../base/field-wants.ts';
import { cardDataIn } from '../emv/card-text.ts';
import { describeGuard, type Env } from './actor.ts';
import { Malformed } from './problems.ts';

// Card data in any input is refused here, before a service could store it.

/**
 * Fields with long numbers that are not cards: addresses with serial numbers, terminal numbers, printed lines that
 * the till itself made, encrypted files; and a gift card's number, which is sent but never stored.
 */
const machines = /^(?:address|terminalId|lines|sealed|giftCard\.number)(?:\.|$)/;

/** Throws `text.cardData` for the first text or field name in the value that contains card data. */
export const refuseCardData = (value: unknown, path = ''): void => {
  if (typeof value === 'string') {
    const kind = machines.test(path) ? undefined : (cardDataIn(value) ?? pathAndCode(path, value));
    if (kind !== undefined) throw new Fault('text.cardData', { where: path === '' ? kind : `${path}, ${kind}` });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseCardData(name);
      refuseCardData(inner, path === '' ? name : `${path}.${name}`);
    }
  }
};

/** Recognises a security code by its field's name. */
const pathAndCode = (path: string, value: string) =>
  value.length > 4 ? undefined : cardDataIn(`${path.split('.').at(-1)} ${value}`);

const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    refuseCardData(data);
    return data;
  }
  throw new Malformed(wrongFieldsOf(error.issues));
};

/** `In` is the client's type, `Out` the parsed one. */
type Guard<Of extends 'json' | 'query' | 'param', In, Out> = MiddlewareHandler<
  Env,
  string,
  { in: { [Name in Of]: In }; out: { [Name in Of]: Out } }
>;

/** In a query, every value is text. */
type AsText<In> = { [Name in keyof In]: string | string[] };

const guard = <Of extends 'json' | 'query' | 'param', In, Out>(of: Of, schema: z.ZodType<Out, unknown>) =>
  describeGuard(validator(of, (value) => parsed(schema, value)) as unknown as Guard<Of, In, Out>, { of, schema });

/** Validates the JSON body. Throws `request.malformed` with every wrong field. */
export const body = <Out, In>(schema: z.ZodType<Out, In>): Guard<'json', In, Out> => guard('json', schema);

/** Validates the query string. Throws `request.malformed` with every wrong field. */
export const query = <Out, In>(schema: z.ZodType<Out, In>): Guard<'query', AsText<In>, Out> => guard('query', schema);

/** Validates the path parameters. Throws `request.malformed`. */
export const path = <Out, In>(schema: z.ZodType<Out, In>): Guard<'param', { [Name in keyof In]: string }, Out> =>
  guard('param', schema);

// Requests that move money need an `Idempotency-Key`: without it, a repetition would look like a new request.

/** The idempotency key: 8 to 64 letters, digits, `-` or `_`. Throws `request.malformed`. */
export const keyOf = (context: Context): string => {
  const key = context.req.header('idempotency-key') ?? '';
  refuseCardData(key, 'Idempotency-Key');
  if (/^[\w-]{8,64}$/.test(key)) return key;
  throw new Malformed([wrongField('Idempotency-Key', 'key')]);
};

/** Requires an idempotency key before anything else is read. Throws `request.malformed`. */
export const keyNeeded: MiddlewareHandler = describeGuard<MiddlewareHandler>(
  async (context, next) => {
    keyOf(context);
    await next();
  },
  { of: 'key' },
);
