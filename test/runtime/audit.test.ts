/** The account between till and gateway, where the gateway's list is not as it should be. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { audit } from '../../src/runtime/audit.ts';
import type { Host } from '../../src/till/ports.ts';
import { answered, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const listing = (change: (payment: object) => object): Host => ({
  ...rig.host,
  async find(reference) {
    const reply = await rig.host.find(reference);
    const payments = reply.kind === 'answered' ? reply.body['payments'] : undefined;
    return Array.isArray(payments) ? answered('000.000.100', 'approved', { payments: payments.map(change) }) : reply;
  },
});

test.each([
  ['as it is', {}, true, ''],
  ['without a currency', { currency: undefined }, true, ''],
  ['in another currency', { currency: 'USD' }, false, 'another currency, or no amount, there'],
  ['with an amount that cannot be read', { amount: 'ten' }, false, 'another currency, or no amount, there'],
  ['with an amount that is off by a cent', { amount: '10.01' }, false, 'another amount there'],
])('a payment listed %s', async (_, change, agrees, why) => {
  const life = rig.open();
  await rig.clock.until(life.sell(1_000n).done);
  const rows = await rig.clock.until(
    Array.fromAsync(
      audit(
        life.ledger,
        listing((each) => ({ ...each, ...change })),
      ),
    ),
  );
  expect(rows.map((row) => [row.agrees, row.why])).toEqual([[agrees, why]]);
  life.close();
});
