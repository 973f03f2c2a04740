/** Merchant entities in a configuration: their channels must exist, and their tokens are not shown. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { applySharedSettings, readConfig } from '../../../src/gateway/server/config/config.ts';
import { redactConfig } from '../../../src/gateway/server/config/redact.ts';

const entityId = 'a'.repeat(32);
const channel = { entityId, token: 'secret-token' };

/** From the environment, where lists are JSON. */
const readSettings = ({ channels, merchants }: { channels: unknown; merchants: unknown }) =>
  readConfig({
    environment: { TILLGATE_CHANNELS: JSON.stringify(channels), TILLGATE_MERCHANTS: JSON.stringify(merchants) },
    flags: { port: '0' },
  });

const complaintsOf = (settings: Parameters<typeof readSettings>[0]): readonly string[] => {
  try {
    readSettings(settings);
  } catch (error) {
    return (error as Fault).message.split('\n  ').slice(1);
  }
  return [];
};

const merchant = { entityId: 'd'.repeat(32), token: 'merchant-secret', name: 'Shops' };
const rules = [{ currency: 'EUR', brands: ['VISA'], countries: ['AT'], channel: entityId }, { channel: entityId }];

test('a merchant’s entity leads to channels, and each of those knows it', () => {
  const config = readSettings({ channels: [channel], merchants: [{ ...merchant, rules }] });
  expect(config.merchants).toEqual([{ ...merchant, rules }]);
  expect(applySharedSettings(config.channels ?? [], config)).toEqual([{ ...channel, merchant: merchant.entityId }]);
  expect(JSON.stringify(redactConfig(config, []))).not.toContain('merchant-secret');
});

test.each<[string, object, RegExp]>([
  ['no rules', { rules: [] }, /\[0\]\.rules: must not be empty/],
  ['a rule without a channel', { rules: [{ currency: 'EUR' }] }, /rules\[0\]\.channel: is missing/],
  [
    'a channel that is none',
    { rules: [{ channel: 'b'.repeat(32) }] },
    /rules\[0\]\.channel: is not the entityId of any channel/,
  ],
  ['an unknown currency', { rules: [{ currency: 'XXY', channel: entityId }] }, /rules\[0\]\.currency: must be an ISO/],
  [
    'a country in words',
    { rules: [{ countries: ['Austria'], channel: entityId }] },
    /countries\[0\]: must be two capital/,
  ],
  [
    'a misspelt condition',
    { rules: [{ brand: ['VISA'], channel: entityId }] },
    /brand: is not known; did you mean brands\?/,
  ],
  ['a channel’s entityId', { entityId, rules }, /has the entityId of a channel/],
])('%s of a merchant is reported with its place', (_, part, pattern) => {
  const [text = ''] = complaintsOf({ channels: [channel], merchants: [{ ...merchant, rules, ...part }] });
  expect(text).toMatch(pattern);
});
