/** Everything that can be set for a gateway on a port: one row each, with its bounds. */
import * as z from 'zod';
import { networkOf } from '../http/proxies.ts';
import { isPublicUrl } from '../http/public-address.ts';
import { channelShape, throttleShape } from './channel-shape.ts';
import { merchantShape } from './merchant-shape.ts';

const number = (from: number, to: number) =>
  z
    .int(`must be a whole number, ${from} to ${to}`)
    .min(from, `must be ${from} to ${to}`)
    .max(to, `must be ${from} to ${to}`);
const port = number(0, 65_535);
const words = (what: string) => z.string(`must be ${what}`).min(1, `must be ${what}`).max(4096, `must be ${what}`);
const host = words('an address or a name of this machine').regex(
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

/** Without the slash at its end: paths are put behind it. */
const publicUrl = z
  .string(PUBLIC_URL)
  .max(255, 'must have 255 characters or fewer')
  .refine(isPublicUrl, PUBLIC_URL)
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** Each can be left out of any source: the next one, or the default, has it. */
export const settingShapes = {
  port,
  host,
  data: words('a folder'),
  database,
  vaultKey,
  channels: z
    .array(channelShape, 'must be a list of channels')
    .min(1, 'must not be empty')
    .max(1000, 'must be 1000 or fewer'),
  /** Merchants' entities, each with rules that lead to channels of this list. */
  merchants: z
    .array(merchantShape, 'must be a list of merchants')
    .min(1, 'must not be empty')
    .max(1000, 'must be 1000 or fewer'),
  /** Makes all channels so. */
  lenient: z.boolean('must be true or false'),
  /** Of all channels that have none of their own. */
  throttle: throttleShape,
  tlsCert: words('a file'),
  tlsKey: words('a file'),
  log: words('off, stdout or a file'),
  /** Lets other machines reach a gateway without TLS, whoever reads on the way. */
  insecure: z.boolean('must be true or false'),
  /** Proxies that have TLS for a gateway without it: other machines may not connect. */
  trustedProxy: z
    .array(network, 'must be a list of addresses')
    .min(1, 'must not be empty')
    .max(100, 'must be 100 or fewer'),
  /** Where shoppers and merchants reach the gateway: by its proxy, or under a name that its certificate lacks. */
  publicUrl,
  adminPort: port,
  adminHost: host,
  /** Lets webhooks and shoppers' addresses lead into the own network, on any port. */
  allowPrivateUrls: z.boolean('must be true or false'),
  maxConnections: number(1, 65_536),
  patienceSeconds: number(1, 300),
  stopSeconds: number(1, 600),
};

export type SettingName = keyof typeof settingShapes;
export type Settings = { [N in SettingName]?: z.output<(typeof settingShapes)[N]> };
