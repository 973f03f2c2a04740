/** The shape of a merchant's entity in a configuration. */
import * as z from 'zod';
import { isCurrency } from '../../../base/money.ts';
import type { Merchant } from '../../channel.ts';
import { entityId, throttleShape, token } from './channel-shape.ts';

const list = (shape: z.ZodType<string>, what: string) =>
  z.array(shape, `must be a list of ${what}`).min(1, 'must not be empty').max(300, 'must be 300 or fewer');

const ruleShape = z.strictObject({
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 currency code such as EUR').exactOptional(),
  brands: list(z.string().regex(/^[A-Z0-9_]{1,32}$/, 'must be 1 to 32 of A-Z, 0-9 and _'), 'brands').exactOptional(),
  countries: list(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'), 'countries').exactOptional(),
  channel: entityId,
});

export const merchantShape = z.strictObject({
  entityId,
  token,
  name: z.string().min(1, 'must not be empty').max(100, 'must have 100 characters or fewer').exactOptional(),
  throttle: throttleShape.exactOptional(),
  rules: z.array(ruleShape, 'must be a list of rules').min(1, 'must not be empty').max(1000, 'must be 1000 or fewer'),
}) satisfies z.ZodType<Merchant>;
