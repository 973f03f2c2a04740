/** Every setting of a gateway on a port: one row each, with its limits. */
import * as z from 'zod';
import { isCurrency } from '../../../base/money.ts';
import type { Merchant } from '../../channel.ts';
import { networkOf } from '../http/proxies.ts';
import { isPublicUrl } from '../http/public-address.ts';
import { channelShape, entityId, throttleShape, token } from './channel-shape.ts';

// The shape of a merchant's entity in a configuration.

const listShape = (shape: z.ZodType<string>, requirement: string) =>
  z.array(shape, `must be a list of ${requirement}`).min(1, 'must not be empty').max(300, 'must be 300 or fewer');

const ruleShape = z.strictObject({
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 currency code such as EUR').exactOptional(),
  brands: listShape(
    z.string().regex(/^[A-Z0-9_]{1,32}$/, 'must be 1 to 32 of A-Z, 0-9 and _'),
    'brands',
  ).exactOptional(),
  countries: listShape(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'), 'countries').exactOptional(),
  channel: entityId,
});

const merchantShape = z.strictObject({
  entityId,
  token,
  name: z.string().min(1, 'must not be empty').max(100, 'must have 100 characters or fewer').exactOptional(),
  throttle: throttleShape.exactOptional(),
  rules: z.array(ruleShape, 'must be a list of rules').min(1, 'must not be empty').max(1000, 'must be 1000 or fewer'),
}) satisfies z.ZodType<Merchant>;

const numberShape = (from: number, to: number) =>
  z
    .int(`must be a whole number, ${from} to ${to}`)
    .min(from, `must be ${from} to ${to}`)
    .max(to, `must be ${from} to ${to}`);
const port = numberShape(0, 65_535);
const textShape = (requirement: string) =>
  z.string(`must be ${requirement}`).min(1, `must be ${requirement}`).max(4096, `must be ${requirement}`);
const host = textShape('an address or a name of this machine').regex(
  /^[\w.:%-]+$/,
  'must be an address or a name of this machine',
);

const database = z.string('must be postgres://user:password@host/name').refine((text) => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { pathname, password } = new URL(text);
  return pathname.length > 1 && !/%(?![0-9A-Fa-f]{2})/.test(password);
}, 'must be postgres://user:password@host/name');

const vaultKey = z
  .string('must be 64 hex digits')
  .regex(
    /^[0-9A-Fa-f]{64}(\s*,\s*[0-9A-Fa-f]{64})*$/,
    'must be 64 hex digits, or several such keys with commas between, the newest first',
  );

const network = z
  .string('must be an IP address, or a range such as 10.0.0.0/8')
  .refine((text) => networkOf(text) !== undefined, 'must be an IP address, or a range such as 10.0.0.0/8');

const PUBLIC_URL = 'must be an address such as https://pay.example or https://shop.example/gateway';

/** Without a slash at the end, because paths are appended. */
const publicUrl = z
  .string(PUBLIC_URL)
  .max(255, 'must have 255 characters or fewer')
  .refine(isPublicUrl, PUBLIC_URL)
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** Each can be omitted from any source: the next source, or the default, has it. */
export const settingShapes = {
  port,
  host,
  data: textShape('a folder'),
  database,
  vaultKey,
  channels: z
    .array(channelShape, 'must be a list of channels')
    .min(1, 'must not be empty')
    .max(1000, 'must be 1000 or fewer'),
  /** Merchant entities, each with rules that lead to channels of this list. */
  merchants: z
    .array(merchantShape, 'must be a list of merchants')
    .min(1, 'must not be empty')
    .max(1000, 'must be 1000 or fewer'),
  lenient: z.boolean('must be true or false'),
  /** For all channels without one of their own. */
  throttle: throttleShape,
  tlsCert: textShape('a file'),
  tlsKey: textShape('a file'),
  log: textShape('off, stdout or a file'),
  /** Lets other machines reach a gateway without TLS, although others can read the traffic. */
  insecure: z.boolean('must be true or false'),
  /** Proxies that terminate TLS for a gateway without it: other machines may not connect. */
  trustedProxy: z
    .array(network, 'must be a list of addresses')
    .min(1, 'must not be empty')
    .max(100, 'must be 100 or fewer'),
  /**
   * The address at which shoppers and merchants reach the gateway: its proxy's, or a name that its certificate lacks.
   */
  publicUrl,
  adminPort: port,
  adminHost: host,
  /** Allows webhooks and shoppers' addresses in the own network, on any port. */
  allowPrivateUrls: z.boolean('must be true or false'),
  maxConnections: numberShape(1, 65_536),
  patienceSeconds: numberShape(1, 300),
  stopSeconds: numberShape(1, 600),
};

export type SettingName = keyof typeof settingShapes;
export type Settings = { [N in SettingName]?: z.output<(typeof settingShapes)[N]> };
