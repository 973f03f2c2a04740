/**
 * Webhook settings: an extension. The specification (6) defines the notifications, and not how a receiver is
 * registered.
 */
import { dateTime, oneOf, regex, text, url } from './kinds.ts';
import { section, withOptions } from './row.ts';

const TYPES = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;
const known: ReadonlySet<string> = new Set(TYPES);
const digitsRow = (count: number) => '0123456789abcdef'.repeat(count / 16);

const rows = section('webhook', {
  url: url([10, 1024], 'The address for notifications: https, port 443, or http, port 80.', {
    example: 'https://shop.example.com/notifications',
    of: 'web',
    req: 'C',
  }),
  name: text([1, 100], 'A name for people.', 'Shop, production'),
  types: regex(
    /^[A-Z]+(?:,[A-Z]+)*$/,
    {
      mustBe: `a comma separated list of [${TYPES.join(', ')}]`,
      check: (value) => value.split(',').every((type, i, all) => known.has(type) && all.indexOf(type) === i),
      good: [...TYPES, TYPES.join(',')],
      bad: ['PAYMENTS', 'payment', 'PAYMENT, RISK', 'PAYMENT,', 'PAYMENT,PAYMENT'],
    },
    'The event types; PAYMENT and REGISTRATION if absent.',
    'PAYMENT,REGISTRATION',
  ),
  fields: oneOf(['ALL', 'NON_CUSTOMER_DATA'], 'Whether notifications contain the shopper’s data; ALL if absent.', {
    example: 'ALL',
  }),
  wrapper: oneOf(['RAW', 'JSON'], 'The body: hex digits, or JSON with encryptedBody; RAW if absent.', 'JSON'),
  secret: regex(
    /^[0-9A-Fa-f]{64}$/,
    {
      mustBe: '64 hexadecimal digits',
      good: [digitsRow(64)],
      bad: [digitsRow(64).slice(1), `${digitsRow(64)}0`, 'x'.repeat(64)],
    },
    'The key to encrypt with (AES-256); made by the gateway if absent, and shown only in the answer.',
    { example: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', secret: 'account' },
  ),
  action: oneOf(['ACTIVATE', 'ROTATE', 'RESEND'], 'Test the webhook; give it a new secret; send events again.', {
    example: 'ACTIVATE',
  }),
  overlapHours: regex(
    /^(?:0|[1-9][0-9]{0,2})$/,
    {
      mustBe: 'whole hours, 0 to 720',
      check: (value) => Number(value) <= 720,
      good: ['0', '24', '720'],
      bad: ['721', '-1', '1.5', '024', 'x'],
    },
    'ROTATE: for how long the old secret is still used; 24 if absent.',
    '24',
  ),
  eventId: regex(
    /^[0-9a-f]{32}$/,
    {
      mustBe: '32 lower-case hexadecimal digits',
      good: [digitsRow(32)],
      bad: [digitsRow(32).slice(1), 'X'.repeat(32)],
    },
    'RESEND: this event. Without it and without dates: all events that were given up.',
    '5f0d1c2b3a49586776859403f2e1d0cb',
  ),
  from: dateTime('RESEND: events first seen at or after this time, UTC; with webhook.to.', '2026-11-21 00:00:00'),
  to: dateTime('RESEND: events first seen at or before this time, UTC; with webhook.from.', '2026-11-21 23:59:59'),
});

export const webhook = withOptions(rows, { extension: true });
