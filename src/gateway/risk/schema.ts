/** The shape of a channel's risk rules in a configuration: a malformed rule is reported before any payment. */
import * as z from 'zod';
import type { RiskRules } from './facts.ts';
import { binRangeOf, rangeOf } from './ranges.ts';
import { SCORE_MAX, SCORE_MIN } from './score.ts';

/** A list is searched for each payment, so its length is limited. */
const LIST_MAX = 10_000;
const VELOCITY_MAX = 20;
/** Sightings are kept for at most 90 days. */
const WINDOW_MAX_MINUTES = 129_600;

const amount = z.string().regex(/^\d{1,10}(\.\d{2})?$/, 'must be an amount such as 50.00');
const email = z.string().regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address');
const emailOrDomain = z.string().regex(/^[^@\s]*@[^@\s]+$/, 'must be an e-mail address, or @ and a domain');
const ip = z
  .string()
  .refine((text) => rangeOf(text) !== undefined, 'must be an IP address, or a range such as 10.0.0.0/8');
const country = z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 country of two upper-case letters');
const bin = z
  .string()
  .refine((text) => binRangeOf(text) !== undefined, 'must be 6 to 8 digits, or a range such as 411111-411119');
const customer = z.string().min(1).max(255);
const list = <T extends z.ZodType<string>>(of: T) => z.array(of).max(LIST_MAX).exactOptional();

const velocity = z
  .strictObject({
    per: z.enum(['card', 'email', 'ip', 'customer']),
    withinMinutes: z.int().min(1).max(WINDOW_MAX_MINUTES),
    most: z.int().min(1).max(100_000).exactOptional(),
    total: amount.exactOptional(),
  })
  .refine(({ most, total }) => most !== undefined || total !== undefined, 'must have most, total or both');

/** RiskRules in JSON. Unknown names are refused: a misspelt rule would protect nothing. */
export const riskRulesSchema = z.strictObject({
  amountMax: amount.exactOptional(),
  velocity: z.array(velocity).max(VELOCITY_MAX).exactOptional(),
  deny: z
    .strictObject({ bins: list(bin), emails: list(emailOrDomain), ips: list(ip), countries: list(country) })
    .exactOptional(),
  allow: z.strictObject({ emails: list(email), ips: list(ip), customers: list(customer) }).exactOptional(),
  score: z.strictObject({ refuseFrom: z.int().min(SCORE_MIN).max(SCORE_MAX) }).exactOptional(),
}) satisfies z.ZodType<RiskRules>;
