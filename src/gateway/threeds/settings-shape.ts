/** The shape of a channel's 3-D Secure settings in a configuration. */
import * as z from 'zod';
import type { Scheme } from './schemes.ts';
import { schemes, versions } from './schemes.ts';
import type { ThreeDSecureSettings } from './settings.ts';

const names = Object.keys(schemes) as [Scheme, ...Scheme[]];

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
