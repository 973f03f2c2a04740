/** "Cannot be reversed" ends a reversal only if the gateway lists that this payment was fully reversed. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meaningOf } from '../../src/gateway/spec/results.ts';
import { createReply, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const CANNOT_REVERSE = '700.400.300';
const OTHER = 'f'.repeat(32);

/** A payment that the till cancelled after its approval, at a gateway that lists these reversals. */
const cannotReverse = async (reversals: (payment: string) => object[]): Promise<{ run: TillRun; sale: string }> => {
  const run = rig.open({
    host: {
      ...rig.host,
      refer: async () => createReply(CANNOT_REVERSE, meaningOf(CANNOT_REVERSE)),
      async find(reference) {
        const reply = await rig.host.find(reference);
        const real = reply.kind === 'answered' ? (reply.body['payments'] as { id: string }[]) : [];
        const listed = reversals(real[0]?.id ?? '').map((one) => ({
          ...{ id: 'e'.repeat(32), paymentType: 'RV', merchantTransactionId: reference },
          result: { code: '000.100.110', description: 'yes' },
          ...one,
        }));
        return createReply('000.000.100', 'approved', { payments: [...real, ...listed] });
      },
    },
  });
  const sale = run.sell(700n);
  rig.clock.after(60, () => sale.cancel());
  expect((await rig.clock.until(sale.done)).reversal).toBe('due');
  return { run, sale: sale.sale };
};

const seven = { amount: '7.00', currency: 'EUR' };

test.each<[string, (payment: string) => object[], 'done' | 'due']>([
  ['one of this payment, whole', (payment) => [{ ...seven, referencedId: payment }], 'done'],
  ['one of this payment that names no amount', (payment) => [{ referencedId: payment }], 'done'],
  ['one that names no payment', () => [seven], 'done'],
  ['none', () => [], 'due'],
  ['one of another payment', () => [{ ...seven, referencedId: OTHER }], 'due'],
  ['one of a part', (payment) => [{ ...seven, amount: '6.99', referencedId: payment }], 'due'],
  ['one in another currency', (payment) => [{ ...seven, currency: 'USD', referencedId: payment }], 'due'],
  ['a refund', (payment) => [{ ...seven, paymentType: 'RF', referencedId: payment }], 'due'],
  [
    'one that was declined',
    (payment) => [{ ...seven, referencedId: payment, result: { code: '800.100.155', description: 'no' } }],
    'due',
  ],
])('the list shows %s', async (_, reversals, reversal) => {
  const { run, sale } = await cannotReverse(reversals);
  await run.passTime(3);
  const now = run.till.findSale(sale);
  expect(now.at === 'ended' ? now.reversal : now.at).toBe(reversal);
  run.close();
});
