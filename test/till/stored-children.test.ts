/** Follow-ups while the gateway is not reached: stored behind their payment, sent once, or done where it is stored. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import type { FollowRequest } from '../../src/till/follow-ups.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, createReply, diskFull, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
beforeEach(() => {
  rig = tillRig(chipCard);
  run = rig.open();
});
afterEach(() => {
  run.close();
  rig.remove();
});

const noop = () => {};
const endingOf = ({ ending, reason }: EndedSale): string => `${ending} ${reason}`;
const follow = (request: FollowRequest) => rig.clock.until(run.till.follow(request, noop).done);
const bookings = () =>
  rig.host.books.filter(({ code }) => code === '000.100.110').map((b) => `${b.paymentType} ${b.amount}`);
const messages = () => run.outbox.waiting().map(({ kind, sale, after }) => ({ kind, sale, after }));
const takenOffline = async (minor = 1_000n) => {
  rig.fates.push('notReached');
  const sale = await rig.clock.until(run.sell(minor).done);
  expect(sale.offline).toBe('chip');
  return sale.intent;
};
const preauthoriseOnline = async () =>
  (await rig.clock.until(run.till.preauthorise({ amount: eur(5_000n) }, noop).done)).intent;

test.each([
  ['completion', 'approved completed', ['PA 50.00', 'CP 50.00']],
  ['release', 'approved released', ['PA 50.00', 'RV 50.00']],
] as const)('a %s that does not reach the gateway is stored, and sent once', async (operation, ending, books) => {
  const { receipt, sale } = await preauthoriseOnline();
  rig.fates.push('notReached');
  const stored = await follow({ receipt, operation });
  expect([endingOf(stored), stored.offline]).toEqual(['approved stored', 'stored']);
  expect(messages()).toEqual([{ kind: 'follow', sale: stored.intent.sale, after: sale }]);
  expect(run.ledger.openSales()).toEqual([stored.intent.sale]);
  await run.passTime(2);
  expect([run.says(stored.intent.sale).ending, bookings()]).toEqual([ending, books]);
  expect([run.ledger.openSales(), run.outbox.waiting()]).toEqual([[], []]);
});

test('an increment needs the bank, and a refund waits only if the store allows it', async () => {
  const { receipt } = await preauthoriseOnline();
  rig.fates.push('notReached');
  expect(endingOf(await follow({ receipt, operation: 'increment', amount: eur(100n) }))).toBe('notSent neverArrived');
  const sold = await rig.clock.until(run.sell(1_000n).done);
  rig.fates.push('notReached');
  expect(endingOf(await follow({ receipt: sold.intent.receipt, operation: 'refund' }))).toBe('notSent neverArrived');
  expect(messages()).toEqual([]);
});

test('a void of a sale that was never sent is done at the till, in one durable step, without the bank', async () => {
  const { receipt, sale } = await takenOffline();
  const received: string[] = [];
  const running = run.till.follow({ receipt, operation: 'void', cashier: 'Ada' }, ({ kind }) => received.push(kind));
  // No wait was needed.
  expect(run.says(sale).ending).toBe('notSent voidedBeforeSending');
  expect(run.says(running.sale).ending).toBe('approved voidedBeforeSending');
  const endedSale = await running.done;
  expect([endingOf(endedSale), endedSale.intent.cashier, received]).toEqual([
    'approved voidedBeforeSending',
    'Ada',
    ['sale'],
  ]);
  expect([messages(), run.ledger.openSales()]).toEqual([[], []]);
  await run.passTime(3);
  expect([rig.host.books, run.outbox.parked()]).toEqual([[], []]);
  expect(() => run.till.follow({ receipt, operation: 'void' }, noop)).toThrow('it was not charged');
  expect(() => run.till.refund({ receipt }, noop)).toThrow('it was not charged');
});

test('a void whose step cannot be written leaves the sale as it was, and it is charged once', async () => {
  const { receipt, sale } = await takenOffline();
  run.close();
  run = rig.open({
    ledger: (ledger) => ({
      ...ledger,
      recordAll(entries) {
        if (entries.length > 1) throw diskFull();
        ledger.recordAll(entries);
      },
    }),
  });
  expect(() => run.till.follow({ receipt, operation: 'void' }, noop)).toThrow('disk full');
  expect(messages().map(({ kind }) => kind)).toEqual(['forward']);
  await run.passTime(2);
  expect([bookings(), run.says(sale).ending]).toEqual([['DB 10.00'], 'approved approvedOffline']);
});

test('a void of a sale that may have been sent waits behind the sale, and reverses it', async () => {
  const { receipt, sale } = await takenOffline();
  rig.fates.push('answerLost');
  await run.drain();
  const stored = await follow({ receipt, operation: 'void' });
  expect(endingOf(stored)).toBe('approved stored');
  await run.passTime(3);
  expect([run.says(stored.intent.sale).ending, bookings()]).toEqual(['approved voided', ['DB 10.00', 'RV 10.00']]);
  expect([run.says(sale).ending, run.ledger.openSales()]).toEqual(['approved approvedOffline', []]);
});

test('when the bank declines a stored sale, its void ends with nothing to void, and requests nothing', async () => {
  let declines = false;
  const host = {
    ...rig.host,
    pay: async (...sent: Parameters<typeof rig.host.pay>) =>
      declines ? createReply('800.100.155', 'declined') : rig.host.pay(...sent),
  };
  run.close();
  run = rig.open({ host });
  const { receipt, sale } = await takenOffline();
  rig.fates.push('requestLost');
  await run.drain();
  const stored = await follow({ receipt, operation: 'void' });
  declines = true;
  await run.passTime(3);
  expect(run.says(sale).ending).toBe('declined declinedOnForwarding');
  expect(run.says(stored.intent.sale).ending).toBe('notSent nothingToFollow');
  expect([bookings(), run.outbox.waiting(), run.ledger.openSales()]).toEqual([[], [], []]);
});

test('a refund of a sale that waits to be sent is refused, unless the store lets it wait behind the sale', async () => {
  const { receipt, sale } = await takenOffline();
  const refund = () => run.till.refund({ receipt, amount: eur(400n) }, noop);
  expect(refund).toThrow('it has not been sent to the bank yet');
  run.close();
  run = rig.open({ parts: { offline: () => ({ kind: 'allowed', chip: false, deferred: false, stored: true }) } });
  const stored = await rig.clock.until(refund().done);
  expect([endingOf(stored), stored.intent.follows?.payment]).toEqual(['approved stored', '']);
  expect(messages().map(({ kind, after }) => [kind, after])).toEqual([
    ['forward', undefined],
    ['follow', sale],
  ]);
  expect(() => run.till.refund({ receipt, amount: eur(601n) }, noop)).toThrow('At most 6.00 EUR');
  expect(() => run.till.follow({ receipt, operation: 'void' }, noop)).toThrow('a refund followed it already');
  await run.passTime(3);
  expect([run.says(stored.intent.sale).ending, bookings()]).toEqual(['approved refunded', ['DB 10.00', 'RF 4.00']]);
});

test('after a crash a stored completion is still there, and is sent once', async () => {
  const { receipt } = await preauthoriseOnline();
  rig.fates.push('notReached');
  const stored = await follow({ receipt, operation: 'completion', amount: eur(1_200n) });
  run.close();
  run = rig.open();
  expect(run.till.recover()).toEqual([]);
  await run.passTime(2);
  expect([run.says(stored.intent.sale).ending, bookings()]).toEqual(['approved completed', ['PA 50.00', 'CP 12.00']]);
});

test('waiting follow-ups count: no second completion, and the release of the rest waits behind the first', async () => {
  const { receipt } = await preauthoriseOnline();
  rig.fates.push('notReached');
  await follow({ receipt, operation: 'completion', amount: eur(4_000n), keepRest: true });
  const retry = () => run.till.follow({ receipt, operation: 'completion', amount: eur(1_001n) }, noop);
  expect(retry).toThrow('At most 10.00 EUR');
  rig.fates.push('notReached');
  expect((await follow({ receipt, operation: 'release' })).intent.amount).toEqual(eur(1_000n));
  await run.passTime(3);
  expect(bookings()).toEqual(['PA 50.00', 'CP 40.00', 'RV 10.00']);
});

test('refusals are faults with a code, and nothing is written for them', async () => {
  const { receipt } = await takenOffline();
  const before = run.journal.length;
  try {
    run.till.refund({ receipt }, noop);
    expect.unreachable();
  } catch (error) {
    expect(isFault(error, 'till.nothingLeft')).toBe(true);
  }
  expect(run.journal.length).toBe(before);
});

test('a void during a pass: a message in progress waits for its answer, any other message is never sent', async () => {
  const sales = [await takenOffline(1_000n), await takenOffline(2_000n)];
  const voids: string[] = [];
  let currentParent = '';
  run.close();
  run = rig.open({
    host: {
      ...rig.host,
      pay(parameters, key) {
        const reply = rig.host.pay(parameters, key);
        currentParent ||= String(parameters['merchantTransactionId']);
        // One message is in progress. The other sale is voided first, because that takes no turn at the till.
        const order = [...sales].sort((one) => (one.sale === currentParent ? 1 : -1));
        if (voids.length === 0)
          voids.push(...order.map(({ receipt }) => run.till.follow({ receipt, operation: 'void' }, noop).sale));
        return reply;
      },
    },
  });
  await run.drain();
  await run.passTime(3);
  const local = voids.filter((id) => run.says(id).ending === 'approved voidedBeforeSending');
  const voidedIds = voids.filter((id) => run.says(id).ending === 'approved voided');
  expect([local.length + voidedIds.length, voidedIds.length > 0]).toEqual([2, true]);
  // Each sale that was sent was reversed, and no other was sent.
  const sent = bookings()
    .filter((line) => line.startsWith('DB'))
    .map((line) => line.slice(3));
  const refundBody = bookings()
    .filter((line) => line.startsWith('RV'))
    .map((line) => line.slice(3));
  expect([sent.length, [...refundBody].sort()]).toEqual([voidedIds.length, [...sent].sort()]);
  expect([run.outbox.waiting(), run.outbox.parked(), run.ledger.openSales()]).toEqual([[], [], []]);
});

test('a void stored behind a sale reverses what the bank approved of it, and is done', async () => {
  const { receipt, sale } = await takenOffline();
  rig.fates.push('answerLost');
  await run.drain();
  const stored = await follow({ receipt, operation: 'void' });
  expect(stored.offline).toBe('stored');
  run.close();
  const part = (body: unknown) => ({ ...(body as object), amount: '6.00' });
  run = rig.open({
    host: {
      ...rig.host,
      async find(reference) {
        const reply = await rig.host.find(reference);
        const payments = reply.kind === 'answered' ? reply.body['payments'] : undefined;
        return reply.kind === 'answered' && Array.isArray(payments) && reference === sale
          ? createReply(reply.code, reply.means, { payments: payments.map(part) })
          : reply;
      },
      async refer(...sent) {
        const reply = await rig.host.refer(...sent);
        return reply.kind === 'answered' ? createReply(reply.code, reply.means, part(reply.body) as never) : reply;
      },
    },
  });
  await run.passTime(3);
  const voided = run.till.findSale(stored.intent.sale);
  expect([run.says(sale).ending, run.says(voided.intent.sale).ending]).toEqual([
    'approved approvedOffline',
    'approved voided',
  ]);
  expect([run.till.findSale(sale).answer?.approved, voided.answer?.approved]).toEqual([eur(600n), eur(600n)]);
  expect([run.outbox.waiting(), run.outbox.parked(), run.ledger.openSales()]).toEqual([[], [], []]);
});

test('a sale that a short pass could not send can still be voided here', async () => {
  const { receipt, sale } = await takenOffline();
  rig.fates.push('notReached');
  await run.drain();
  const endedSale = await follow({ receipt, operation: 'void' });
  expect([endingOf(endedSale), run.says(sale).ending]).toEqual([
    'approved voidedBeforeSending',
    'notSent voidedBeforeSending',
  ]);
  await run.passTime(2);
  expect(rig.host.books).toEqual([]);
});

test('a void that comes too early is repeated as a new request, although the list names it', async () => {
  const { receipt } = await takenOffline();
  rig.fates.push('answerLost');
  await run.drain();
  const stored = await follow({ receipt, operation: 'void' });
  run.close();
  const listed: Record<string, unknown>[] = [];
  const keys: string[] = [];
  const host: Host = {
    ...rig.host,
    meaningOf: (code) => (code === '700.400.570' ? 'refused' : rig.host.meaningOf(code)),
    async refer(payment, parameters, key) {
      keys.push(key);
      if (new Set(keys).size > 1) return rig.host.refer(payment, parameters, key);
      const code = '700.400.570';
      listed.push({ paymentType: 'RV', merchantTransactionId: stored.intent.sale, result: { code, description: '' } });
      return createReply(code, 'refused');
    },
    find: async (reference) =>
      reference === stored.intent.sale && listed.length > 0
        ? createReply('000.100.110', 'approved', { payments: listed })
        : rig.host.find(reference),
  };
  run = rig.open({ host });
  await run.passTime(3);
  expect(keys).toHaveLength(2);
  expect(run.says(stored.intent.sale).ending).toBe('approved voided');
  expect(bookings()).toEqual(['DB 10.00', 'RV 10.00']);
});
