/** A channel's settings for 3-D Secure. */
import * as z from 'zod';
import { type Scheme, schemes, versions } from './schemes.ts';

const names = Object.keys(schemes) as [Scheme, ...Scheme[]];

/** The shape of a channel's 3-D Secure settings in a configuration. */
export const threeDSecureShape = z.strictObject({
  enabled: z.boolean('must be true or false'),
  /** Absent: all of them. */
  schemes: z
    .array(z.enum(names, `must be one of ${names.join(', ')}`))
    .min(1, 'must name a scheme')
    .max(names.length, `must be ${names.length} or fewer`)
    .exactOptional(),
  /** The offered protocol versions. Absent: only 2.2.0. */
  versions: z
    .array(z.enum(versions, `must be one of ${versions.join(', ')}`))
    .min(1, 'must name a version')
    .max(versions.length, `must be ${versions.length} or fewer`)
    .exactOptional(),
  /** The merchant's name at the schemes. Absent: the payment's merchant.name, or the channel's name. */
  merchantName: z.string().min(1, 'must not be empty').max(40, 'must have 40 characters or fewer').exactOptional(),
  /**
   * For a card whose cardholder cannot be authenticated: its issuer does not participate, or a system failed. Default
   * `refuse`. An issuer's denial or rejection is always refused.
   */
  whenNotPossible: z.enum(['proceed', 'refuse'], 'must be proceed or refuse').exactOptional(),
  /** Up to this amount, in the payment's currency, no challenge is requested (low value exemption). */
  exemptUpTo: z
    .string()
    .regex(/^\d{1,9}\.\d{2}$/, 'must be an amount such as 30.00')
    .exactOptional(),
});

export type ThreeDSecureSettings = z.infer<typeof threeDSecureShape>;
