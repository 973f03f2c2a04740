/** What a restored folder takes over from the gateway, what it leaves there, and what it parks for a person. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NUMBER, openCopies, sell } from '../support/till/folder-copies.ts';

let shop: ReturnType<typeof openCopies>;
beforeEach(() => {
  shop = openCopies();
});
afterEach(() => shop.remove());

/** A sale that the lost folder made, as the gateway has it: each number is a different sale. */
const saleOf = (number: string) => ({
  ...{ 'pos.terminalId': NUMBER, 'pos.transactionSequenceNumber': number, merchantTransactionId: number.repeat(32) },
  ...{ paymentType: 'DB', amount: '20.00', currency: 'EUR' },
});

test('a message that waited in the copy, whose sale was voided since, is not sent: a person decides', async () => {
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    shop.line.fate = 'notReached';
    await sell(till, 2_000n);
  });
  const yesterday = shop.copyTo('yesterday');
  await shop.during(async (till) => {
    await till.till.follow({ receipt: 2, operation: 'void' }, () => {}).done;
    shop.line.fate = 'answered';
    await sell(till, 3_000n);
  });
  const restored = await shop.start(yesterday);
  await restored.forwarder.drain('all');
  expect(shop.issuer.books.map(({ amount }) => amount)).toEqual(['10.00', '30.00']);
  expect(await restored.place.takeOver()).toEqual({ sales: 1, left: 0, setAside: 1 });
  await restored.forwarder.drain('all');
  expect(shop.issuer.books.map(({ amount }) => amount)).toEqual(['10.00', '30.00']);
  expect(restored.outbox.parked()).toMatchObject([{ note: expect.stringContaining('restored') }]);
});

test('a reversal that waited in the copy is not sent: the sale may have been ended since', async () => {
  await shop.during(async (till) => {
    shop.line.fate = 'answerLost';
    await sell(till, 1_000n);
    shop.line.fate = 'notReached';
  });
  const yesterday = shop.copyTo('yesterday');
  shop.line.fate = 'answered';
  const later = {
    'pos.terminalId': NUMBER,
    'pos.transactionSequenceNumber': '2',
    merchantTransactionId: 'b'.repeat(32),
  };
  shop.issuer.take({ ...later, paymentType: 'DB', amount: '20.00', currency: 'EUR' }, 'k2');
  const types = () => shop.issuer.books.map(({ paymentType }) => paymentType);
  expect(types()).toEqual(['DB', 'DB']);
  const restored = await shop.start(yesterday);
  expect(await restored.place.takeOver()).toEqual({ sales: 1, left: 0, setAside: 1 });
  await restored.forwarder.drain('all');
  expect(types()).toEqual(['DB', 'DB']);
  // A person makes it due again.
  restored.outbox.unpark(Date.now());
  await restored.forwarder.drain('all');
  expect(types()).toEqual(['DB', 'DB', 'RV']);
});

test('receipts get the numbers on the customers’ paper, also after sales that the gateway never saw', async () => {
  await shop.during((till) => sell(till, 1_000n));
  const yesterday = shop.copyTo('yesterday');
  for (const number of ['3', '5']) shop.issuer.take(saleOf(number), number);
  const restored = await shop.start(yesterday);
  await restored.place.takeOver();
  expect([...restored.ledger.all()].map(({ intent }) => intent.receipt)).toEqual([1, 3, 5]);
  await sell(restored, 100n);
  expect(restored.till.find(6)).toMatchObject({ intent: { sequence: 6 } });
});

test('undecided payments are not taken over, and nothing is sold until they are decided', async () => {
  await shop.during((till) => sell(till, 1_000n));
  const yesterday = shop.copyTo('yesterday');
  const later = {
    'pos.terminalId': NUMBER,
    'pos.transactionSequenceNumber': '2',
    merchantTransactionId: 'b'.repeat(32),
  };
  const request = { ...later, paymentType: 'DB', amount: '20.00', currency: 'EUR' };
  const decide = shop.issuer.takeSlowly(request, 'k2');
  const restored = await shop.start(yesterday);
  expect(await restored.place.takeOver()).toEqual({ sales: 0, left: 1, setAside: 0 });
  expect(() => sell(restored, 100n)).toThrowError(expect.objectContaining({ code: 'machine.behind' }));
  decide();
  expect(await restored.place.takeOver()).toMatchObject({ sales: 1, left: 0 });
  expect(await sell(restored, 100n)).toMatchObject({ ending: 'approved' });
});
