/** The shape of a channel in a configuration: errors are reported at the start, before any payment. */
import * as z from 'zod';
import { isGatewayAddress } from '../../../base/gateway-address.ts';
import type { Channel } from '../../channel.ts';
import { feesShape, settlementShape } from '../../reports/settings-shape.ts';
import { riskRulesSchema } from '../../risk/schema.ts';
import { scheduleRulesShape } from '../../schedules/settings-shape.ts';
import { threeDSecureShape } from '../../threeds/settings.ts';
import { walletsShape } from '../../wallets/settings-shape.ts';

const ACCOUNTS = ['card', 'bankAccount', 'virtualAccount', 'tokenAccount', 'giftCard'] as const;

export const entityId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits');
/** The characters that a Bearer header can carry (RFC 6750, section 2.1), with a length limit. */
export const token = z.string().regex(/^[!-~]{1,512}$/, 'must be 1 to 512 visible ASCII characters');
export const credential = z.string().regex(/^[!-~]{1,128}$/, 'must be 1 to 128 visible ASCII characters');
const amount = z.string().regex(/^\d{1,10}\.\d{2}$/, 'must be an amount such as 50.00');

export const throttleShape = z.strictObject({
  perSecond: z
    .number(`must be a number of requests`)
    .gt(0, 'must be more than 0')
    .max(100_000, 'must be 100000 or less'),
  burst: z.int('must be a whole number').min(1, 'must be 1 or more').max(100_000, 'must be 100000 or less'),
});

const upstreamAddress = z
  .url('must be an address such as https://host/')
  .refine(
    (text) => !URL.canParse(text) || isGatewayAddress(text),
    'must be https (http to this machine only), end in a slash, and have no user, query or fragment',
  );

const WEBHOOKS = 'must be a whole number, 1 to 1000';
const CHECKOUTS = 'must be a whole number, 1 to 1000000';

const fields = z.strictObject({
  entityId,
  token,
  name: z.string().min(1, 'must not be empty').max(100, 'must have 100 characters or fewer').exactOptional(),
  lenient: z.boolean('must be true or false').exactOptional(),
  legacy: z.strictObject({ userId: credential, password: credential }).exactOptional(),
  throttle: throttleShape.exactOptional(),
  risk: riskRulesSchema.exactOptional(),
  mode: z.enum(['test', 'live'], 'must be test or live').exactOptional(),
  upstream: z
    .strictObject({
      baseUrl: upstreamAddress,
      entityId,
      token,
      timeoutMs: z
        .int('must be whole milliseconds')
        .min(1_000, 'must be 1000 or more')
        .max(120_000, 'must be 120000 or less')
        .exactOptional(),
    })
    .exactOptional(),
  brands: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Z0-9_]{1,32}$/, 'must be 1 to 32 of A-Z, 0-9 and _'),
        account: z.enum(ACCOUNTS, `must be one of ${ACCOUNTS.join(', ')}`),
      }),
    )
    .max(100, 'must be 100 or fewer')
    .exactOptional(),
  wallets: walletsShape.exactOptional(),
  rebillUpTo: amount.exactOptional(),
  limits: z
    .strictObject({
      webhooks: z.int(WEBHOOKS).min(1, WEBHOOKS).max(1_000, WEBHOOKS).exactOptional(),
      openCheckouts: z.int(CHECKOUTS).min(1, CHECKOUTS).max(1_000_000, CHECKOUTS).exactOptional(),
    })
    .exactOptional(),
  schedules: scheduleRulesShape.exactOptional(),
  threeDSecure: threeDSecureShape.exactOptional(),
  fees: feesShape.exactOptional(),
  settlement: settlementShape.exactOptional(),
});

/** Reported together with errors of the fields themselves: the input may be anything. */
const always = { when: () => true };

const isLiveInput = (input: unknown): boolean => (input as Channel | null)?.mode === 'live';

const hasAcquirer = ({ settlement }: Channel): boolean => settlement === undefined || settlement.acquirer !== undefined;

export const channelShape = fields
  .refine((channel) => !isLiveInput(channel) || channel.upstream !== undefined, {
    ...always,
    path: ['upstream'],
    error: 'is missing: a live channel needs the processor that moves its money',
  })
  .refine((channel) => !isLiveInput(channel) || channel.threeDSecure?.enabled !== true, {
    ...always,
    path: ['threeDSecure'],
    error: 'is simulated by this gateway: a live channel cannot use it',
  })
  .refine((channel) => !isLiveInput(channel) || hasAcquirer(channel), {
    ...always,
    path: ['settlement', 'acquirer'],
    error: 'is missing: the settlement file of a live channel must name its acquirer',
  }) satisfies z.ZodType<Channel>;
