/** Comparing till and gateway when the gateway's list is not as it should be. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { audit } from '../../src/recovery/audit.ts';
import { hostInMode } from '../../src/till/gateway/mode.ts';
import type { Host } from '../../src/till/ports.ts';
import { NEW_FIELD } from '../support/till/issuer-books.ts';
import { chipCard, createReply, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const listing = (change: (payment: Readonly<Record<string, unknown>>) => object): Host => ({
  ...rig.host,
  async find(reference) {
    const reply = await rig.host.find(reference);
    const payments = reply.kind === 'answered' ? reply.body['payments'] : undefined;
    return Array.isArray(payments) ? createReply('000.000.100', 'approved', { payments: payments.map(change) }) : reply;
  },
});

test.each([
  ['as it is', {}, true, ''],
  ['without a currency', { currency: undefined }, true, ''],
  ['in another currency', { currency: 'USD' }, false, 'another currency, or no amount, there'],
  ['with an amount that cannot be read', { amount: 'ten' }, false, 'another currency, or no amount, there'],
  ['with an amount that differs by a cent', { amount: '10.01' }, false, 'another amount there'],
])('a payment listed %s', async (_, change, agrees, reason) => {
  const run = rig.open();
  await rig.clock.until(run.sell(1_000n).done);
  const rows = await rig.clock.until(
    Array.fromAsync(
      audit(
        run.ledger,
        listing((each) => ({ ...each, ...change })),
      ),
    ),
  );
  expect(rows.map((row) => [row.agrees, row.why])).toEqual([[agrees, reason]]);
  run.close();
});

test('at a live till a test answer is not money, however it is listed', async () => {
  rig.remove();
  rig = tillRig(chipCard, 'live');
  const run = rig.open();
  await rig.clock.until(run.sell(1_000n).done);
  rig.channel.mode = 'test';
  await rig.clock.until(run.sell(700n).done);
  const marked = { result: { code: '000.400.000', randomField1: NEW_FIELD } };
  const accounts = [
    rig.host,
    listing((each) => ({ ...each, ...(each['referencedId'] !== undefined || isOf(each, '7.00') ? marked : {}) })),
  ].map((host) => rig.clock.until(Array.fromAsync(audit(run.ledger, hostInMode(host, 'live')))));
  for (const rows of await Promise.all(accounts))
    expect(rows.map(({ till, gateway, agrees }) => [till.minor, gateway?.minor, agrees])).toEqual([
      [1_000n, 1_000n, true],
      [0n, 0n, true],
    ]);
  // A till that counted test answers as money would find the difference.
  const [, second] = await rig.clock.until(Array.fromAsync(audit(run.ledger, rig.host)));
  expect(second).toMatchObject({ agrees: false, gateway: { minor: 700n } });
  run.close();
});

const isOf = (payment: object, amount: string): boolean => 'amount' in payment && payment.amount === amount;
