/** A directory server with an older version of 3-D Secure than the channel offers. */
import { expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import type { Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import { createAuthentication } from '../../../src/gateway/threeds/authenticating.ts';
import type { DirectoryServer } from '../../../src/gateway/threeds/schemes.ts';
import type { ThreeDSecureSettings } from '../../../src/gateway/threeds/settings.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import { acquirerMemory } from '../../support/gateway/acquirer-memory.ts';
import { entityId } from '../../support/gateway/gateway.ts';
import { scriptedAcquirer } from '../../support/gateway/scripted-acquirer.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const request: Authorisation = {
  id: '1'.repeat(32),
  paymentType: 'DB',
  amount: money(2_500n, 'EUR'),
  account: 'card',
  card: { number: '4200000000000026', expiryMonth: '05', expiryYear: '2034' },
  parameters: { entityId, shopperResultUrl: 'https://merchant.test/', 'simulator.baseUrl': 'https://shop.test' },
  customParameters: {},
  at: 0,
};

/** Returns the versions that the card's issuer supports, and must not be asked anything else. */
const olderServer: DirectoryServer = {
  rangeOf: async () => ({ versions: ['2.1.0'] }),
  authenticate: async () => Promise.reject(new Error('not asked')),
  resultOf: async () => undefined,
};

const payWith = async (settings: Partial<ThreeDSecureSettings>) => {
  const clock = virtualClock();
  const random = (length: number) => new Uint8Array(length).fill(7);
  const acquirer = scriptedAcquirer();
  const authenticatingAcquirer = createAuthentication({
    acquirer,
    memory: acquirerMemory(),
    vault: openVault(openKeyring({ at: { dataDir: ':memory:' }, random, clock }), random),
    directory: olderServer,
    clock,
    random,
    settingsOf: () => ({ enabled: true, ...settings }),
    report: () => {},
  });
  const { resultCode, details } = await authenticatingAcquirer.authorise(request);
  return { resultCode, why: details['ExtendedDescription'], charged: acquirer.authorised.length };
};

test('is not used', async () => {
  expect(await payWith({})).toEqual({
    resultCode: '100.390.107',
    why: 'The card’s issuer supports no version of 3-D Secure that this channel offers.',
    charged: 0,
  });
});

test('is skipped if the channel proceeds without authentication', async () => {
  expect(await payWith({ whenNotPossible: 'proceed' })).toMatchObject({ resultCode: '000.100.110', charged: 1 });
});

test('is used if the channel lists its version', async () => {
  expect(await payWith({ versions: ['2.2.0', '2.1.0'] })).toMatchObject({ resultCode: '000.200.000', charged: 0 });
});
