/** What a channel sets for 3-D Secure. */
import * as z from 'zod';
import { type Scheme, schemes, type Version, versions } from './schemes.ts';

export type ThreeDSecureSettings = {
  enabled: boolean;
  /** Absent: all of them. */
  schemes?: readonly Scheme[];
  /** The protocol versions that are offered. Absent: 2.2.0 alone. */
  versions?: readonly Version[];
  /** As the schemes know the merchant. Absent: the payment's merchant.name, or the channel's name. */
  merchantName?: string;
  /**
   * Of a card whose cardholder cannot be authenticated: its issuer takes no part, or a system failed. `refuse` unless
   * set. What an issuer denies or rejects is refused always.
   */
  whenNotPossible?: 'proceed' | 'refuse';
  /** Up to this amount, in the payment's currency, no challenge is asked for (exemption of low values). */
  exemptUpTo?: string;
};

const names = Object.keys(schemes) as [Scheme, ...Scheme[]];

/** The shape of a channel's 3-D Secure settings in a configuration. */
export const threeDSecureShape = z.strictObject({
  enabled: z.boolean('must be true or false'),
  schemes: z
    .array(z.enum(names, `must be one of ${names.join(', ')}`))
    .min(1, 'must name a scheme')
    .max(names.length, `must be ${names.length} or fewer`)
    .exactOptional(),
  versions: z
    .array(z.enum(versions, `must be one of ${versions.join(', ')}`))
    .min(1, 'must name a version')
    .max(versions.length, `must be ${versions.length} or fewer`)
    .exactOptional(),
  merchantName: z.string().min(1, 'must not be empty').max(40, 'must have 40 characters or fewer').exactOptional(),
  whenNotPossible: z.enum(['proceed', 'refuse'], 'must be proceed or refuse').exactOptional(),
  exemptUpTo: z
    .string()
    .regex(/^\d{1,9}\.\d{2}$/, 'must be an amount such as 30.00')
    .exactOptional(),
}) satisfies z.ZodType<ThreeDSecureSettings>;
