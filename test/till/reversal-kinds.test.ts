/** Everything that began with a card is reversed completely: a hold, a credit, and a partial approval. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meaningOf } from '../../src/gateway/spec/results.ts';
import { createReply, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

type Kind = 'sell' | 'preauthorise' | 'credit';
const types = { sell: 'DB', preauthorise: 'PA', credit: 'CD' } as const;

const sellUnanswered = async (run: TillRun, kind: Kind, partial = false): Promise<string> => {
  rig.fates.push('requestLost', 'requestLost');
  const sale = run.till[kind]({ amount: eur(700n), partial: partial || undefined }, () => {});
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  return sale.sale;
};

/** A gateway that lists this payment, and reverses this much of it. */
const host = (kind: Kind, { approved, takenBack }: { approved: string; takenBack: string }) => ({
  ...rig.host,
  meaningOf,
  find: async (reference: string) =>
    createReply('000.000.100', 'approved', {
      payments: [
        {
          id: 'd'.repeat(32),
          paymentType: types[kind],
          merchantTransactionId: reference,
          amount: approved,
          currency: 'EUR',
          result: { code: '000.100.110', description: 'done' },
        },
      ],
    }),
  refer: async () => createReply('000.100.110', 'approved', { amount: takenBack, currency: 'EUR' }),
});

const rows: [Kind, boolean, string, string, string][] = [
  ['sell', false, '7.00', '7.00', 'declined reversed'],
  ['preauthorise', false, '7.00', '7.00', 'declined reversed'],
  ['credit', false, '7.00', '7.00', 'declined reversed'],
  ['sell', true, '5.00', '5.00', 'declined reversed'],
  ['preauthorise', true, '5.00', '5.00', 'declined reversed'],
  // Less than the approved amount leaves something with the bank.
  ['sell', true, '5.00', '4.99', 'unknown unanswered'],
  ['preauthorise', false, '7.00', '6.99', 'unknown unanswered'],
  // The till did not allow partial approval: all of the requested amount must be reversed.
  ['sell', false, '5.00', '5.00', 'unknown unanswered'],
  // More than was requested is not what the till began.
  ['sell', true, '9.00', '9.00', 'unknown unanswered'],
];

test.each(rows)(
  '%s, partial approval allowed %s: %s approved, %s reversed: %s',
  async (kind, partial, approved, takenBack, ends) => {
    const first = rig.open();
    const sale = await sellUnanswered(first, kind, partial);
    first.close();
    const run = rig.open({ host: host(kind, { approved, takenBack }) });
    await rig.clock.until(run.forwarder.drain('all'));
    expect(run.says(sale).ending).toBe(ends);
    expect(run.outbox.parked()).toHaveLength(ends.startsWith('unknown') ? 1 : 0);
    run.close();
  },
);

test.each(Object.keys(types) as Kind[])(
  '%s that the gateway lists under another type is left to a person',
  async (kind) => {
    const first = rig.open();
    const sale = await sellUnanswered(first, kind);
    first.close();
    const other = kind === 'sell' ? 'credit' : 'sell';
    const run = rig.open({ host: host(other, { approved: '7.00', takenBack: '7.00' }) });
    await rig.clock.until(run.forwarder.drain('all'));
    expect(run.says(sale).ending).toBe('unknown unanswered');
    expect(run.outbox.parked().map(({ note }) => note)).toEqual(['the gateway’s list does not name the payment']);
    run.close();
  },
);
