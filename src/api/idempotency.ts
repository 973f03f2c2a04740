/** The `Idempotency-Key` of requests that move money: without one a request cannot be told from its repetition. */
import type { Context, MiddlewareHandler } from 'hono';
import { wrongField } from '../base/field-wants.ts';
import { refuseCardData } from './card-data.ts';
import { describeGuard } from './described.ts';
import { Malformed } from './problems.ts';

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
