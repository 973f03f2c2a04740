/** What the queue does with each answer to a stored message: done, again later, fix and send again, or for a person. */
import { expect, test } from 'vitest';
import { codeRows } from '../../src/base/result-codes.ts';
import type { Host, HostReply, Meaning } from '../../src/till/ports.ts';
import { chipCard, createReply, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

type Came = 'approved' | 'declined' | 'waits' | 'parked';
type Row = [code: string, means: Meaning, body: Record<string, unknown>, came: Came];

const response = (AcquirerResponse: string, MerchantAdviceCode?: string) => ({
  resultDetails: { AcquirerResponse, MerchantAdviceCode: MerchantAdviceCode || undefined },
});

const forwards: Row[] = [
  ['800.100.155', 'declined', response('51', '02'), 'declined'],
  ['800.100.171', 'declined', response('04', '03'), 'declined'],
  ['800.100.100', 'declined', {}, 'declined'],
  // Nobody who could decide was available.
  ['800.100.100', 'declined', response('96'), 'waits'],
  ['800.100.176', 'declined', response('91', '02'), 'waits'],
  ['800.100.176', 'declined', {}, 'waits'],
  ['100.396.103', 'declined', {}, 'waits'],
  ['900.100.301', 'declined', {}, 'waits'],
  ['900.100.310', 'declined', {}, 'waits'],
  ['900.100.300', 'unknown', {}, 'waits'],
  ['999.999.999', 'unknown', {}, 'waits'],
  ['800.120.100', 'later', {}, 'waits'],
  ['800.900.300', 'refused', {}, 'waits'],
  ['600.200.500', 'refused', {}, 'waits'],
  ['500.100.201', 'refused', {}, 'waits'],
  // The cause must be fixed, and then it is sent unchanged.
  ['200.300.406', 'refused', {}, 'parked'],
  ['800.121.100', 'refused', {}, 'parked'],
  ['100.550.310', 'refused', {}, 'parked'],
  ['100.150.100', 'refused', {}, 'parked'],
  ['000.200.000', 'pending', {}, 'parked'],
];

/** A till that has stored one message, and a gateway that answers it once as the row says. */
const run = async (row: Row, store: (rig: Rig, run: TillRun) => Promise<string>) => {
  const [code, means, body] = row;
  const rig = tillRig(chipCard);
  const event = { on: false, keys: [] as string[] };
  const replaceAnswer = async (key: string, real: () => Promise<HostReply>): Promise<HostReply> => {
    event.keys.push(key);
    if (!event.on) return real();
    event.on = false;
    return createReply(code, means, body);
  };
  const host: Host = {
    ...rig.host,
    pay: (parameters, key) => replaceAnswer(key, () => rig.host.pay(parameters, key)),
    refer: (payment, parameters, key) => replaceAnswer(key, () => rig.host.refer(payment, parameters, key)),
  };
  const run = rig.open({ host });
  const sale = await store(rig, run);
  event.on = true;
  event.keys.length = 0;
  await run.drain();
  const came = cameOf(run, sale);
  // Afterwards the gateway works again, and a person has confirmed that.
  run.outbox.unpark(rig.clock.now());
  await run.passTime(2);
  const { keys } = event;
  const end = {
    came,
    later: cameOf(run, sale),
    left: run.outbox.parked().length,
    booked: rig.ofSale(sale).length,
    keys,
  };
  run.close();
  rig.remove();
  return end;
};

const cameOf = (run: TillRun, sale: string): Came => {
  if (run.outbox.parked().some((message) => message.sale === sale)) return 'parked';
  if (run.outbox.holds(sale)) return 'waits';
  const now = run.till.findSale(sale);
  return now.at === 'ended' && now.ending === 'approved' ? 'approved' : 'declined';
};

const offlineSale = async (rig: Rig, run: TillRun): Promise<string> => {
  rig.fates.push('notReached');
  const sale = run.sell(1_000n);
  await rig.clock.until(sale.done);
  return sale.sale;
};

test.each(forwards)('%s (%s, %o) to a stored sale: %s', async (...row) => {
  const { came, later, left, booked } = await run(row, offlineSale);
  expect(came).toBe(row[3]);
  // An unsettled message is charged once, unchanged; a declined message is never sent again.
  const declined = came === 'declined';
  expect({ later, left, booked }).toEqual({ later: declined ? came : 'approved', left: 0, booked: declined ? 0 : 1 });
});

test('an undecided message is sent again as a new request; every other message with its own key', async () => {
  const secondRun = await run(['800.100.176', 'declined', response('91'), 'waits'], offlineSale);
  const sameRun = await run(['900.100.300', 'unknown', {}, 'waits'], offlineSale);
  expect([new Set(secondRun.keys).size, new Set(sameRun.keys).size]).toEqual([2, 1]);
});

const completion = async (rig: Rig, run: TillRun): Promise<string> => {
  const held = run.till.preauthorise({ amount: eur(1_000n) }, () => {});
  const { receipt } = (await rig.clock.until(held.done)).intent;
  rig.fates.push('notReached');
  const follow = run.till.follow({ receipt, operation: 'completion' }, () => {});
  await rig.clock.until(follow.done);
  return follow.sale;
};

const followers: Row[] = [
  ['800.100.155', 'declined', {}, 'declined'],
  // The payment does not allow the follow-up, and never will.
  ['700.400.200', 'refused', {}, 'declined'],
  ['700.400.510', 'refused', {}, 'declined'],
  ['700.300.100', 'refused', {}, 'declined'],
  ['700.400.570', 'refused', {}, 'waits'],
  ['800.100.176', 'declined', response('91'), 'waits'],
  ['900.100.300', 'unknown', {}, 'waits'],
  ['800.900.300', 'refused', {}, 'waits'],
  ['800.121.100', 'refused', {}, 'parked'],
  ['200.100.101', 'refused', {}, 'parked'],
];

test.each(followers)('%s (%s, %o) to a stored completion: %s', async (...row) => {
  const { came, later, left, booked } = await run(row, completion);
  expect(came).toBe(row[3]);
  const declined = came === 'declined';
  expect({ later, left, booked }).toEqual({ later: declined ? came : 'approved', left: 0, booked: declined ? 0 : 1 });
});

test('every row that waits for a person says what must be done', () => {
  const silent = codeRows.filter(({ sorting, mend }) => (sorting === 'channel' || sorting === 'mend') && !mend);
  expect(silent).toEqual([]);
});

test('an approval for less than was sold is believed if the gateway’s list agrees', async () => {
  const rig = tillRig(chipCard);
  const part = (sale = '') => ({ id: 'f'.repeat(32), merchantTransactionId: sale, amount: '4.00', currency: 'EUR' });
  const state = { on: false, listed: false };
  const host: Host = {
    ...rig.host,
    pay: async (parameters, key) =>
      state.on
        ? createReply('000.100.110', 'approved', part(String(parameters['merchantTransactionId'])))
        : rig.host.pay(parameters, key),
    find: async (reference) =>
      state.listed
        ? createReply('000.100.110', 'approved', {
            payments: [{ ...part(reference), paymentType: 'DB', result: { code: '000.100.110' } }],
          })
        : rig.host.find(reference),
  };
  const run = rig.open({ host });
  const sale = await offlineSale(rig, run);
  state.on = true;
  await run.drain();
  expect(cameOf(run, sale)).toBe('waits');
  state.listed = true;
  await run.drain();
  expect(cameOf(run, sale)).toBe('approved');
  const now = run.till.findSale(sale);
  expect(now.answer?.approved).toEqual(eur(400n));
  run.close();
  rig.remove();
});
