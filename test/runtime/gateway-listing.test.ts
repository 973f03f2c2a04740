/** What the gateway has of a terminal in a period, asked by time. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listPeriod, listTerminal } from '../../src/runtime/gateway-listing.ts';
import type { Host, HostReply, Period } from '../../src/till/ports.ts';
import { issuerBooks, meaningOf } from '../support/till/issuer-books.ts';
import { answered, type Life, type Rig, tillRig } from '../support/till/till-rig.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const DAY = { from: NOON, to: NOON + 86_399_999 };

/** The gateway's books with so many payments, one every so many ms; the periods that were asked for. */
const booksOf = (count: number, everyMs: number, fails: (asked: number) => HostReply | undefined = () => undefined) => {
  let now = NOON;
  const issuer = issuerBooks(
    () => true,
    () => 'test',
    { now: () => now },
  );
  for (let n = 0; n < count; n += 1) {
    now = NOON + n * everyMs;
    const terminalId = n % 3 === 0 ? '7' : '8';
    issuer.take(
      {
        paymentType: 'DB',
        merchantTransactionId: `sale-${n}`,
        amount: '1.00',
        currency: 'EUR',
        'pos.terminalId': terminalId,
      },
      `key-${n}`,
    );
  }
  const asked: Period[] = [];
  const list: Host['list'] = async (period) => {
    asked.push(period);
    return fails(asked.length) ?? issuer.list(period);
  };
  return { host: { list, meaningOf } as Host, asked, issuer };
};

const numbersOf = (payments: readonly { saleId?: string }[]): number[] =>
  payments.map(({ saleId = '' }) => Number(saleId.slice(5))).sort((left, right) => left - right);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('a period that fits one answer is one request', async () => {
  const { host, asked } = booksOf(499, 10_000);
  const { payments, from } = await listPeriod(host, DAY, { requestsMost: 9 });
  expect(numbersOf(payments)).toEqual(upTo(499));
  expect(from).toBe(NOON);
  expect(asked).toEqual([{ from: NOON, to: NOON + 86_399_000 }]);
});

test('a full answer is asked for again in halves, the newer one first, and no payment is lost or told twice', async () => {
  const { host, asked } = booksOf(1_700, 50_000);
  const { payments, from } = await listPeriod(host, DAY, { requestsMost: 99 });
  expect(payments).toHaveLength(1_700);
  expect(numbersOf(payments)).toEqual(upTo(1_700));
  expect(from).toBe(NOON);
  const noonAndHalf = NOON + 43_199_000;
  expect(asked.slice(0, 3)).toEqual([
    { from: NOON, to: NOON + 86_399_000 },
    { from: noonAndHalf + 1_000, to: NOON + 86_399_000 },
    { from: NOON + 64_800_000, to: NOON + 86_399_000 },
  ]);
  expect(asked).toHaveLength(7);
});

test('it says from when on it is whole, where the requests or the answers end before', async () => {
  const line = answered('800.120.100', 'later');
  for (const [host, requestsMost] of [
    [booksOf(1_700, 50_000).host, 3],
    [booksOf(1_700, 50_000, (asked) => (asked > 3 ? line : undefined)).host, 99],
  ] as const) {
    const { payments, from } = await listPeriod(host, DAY, { requestsMost });
    expect(from).toBe(NOON + 64_800_000);
    expect(numbersOf(payments)).toEqual(upTo(1_700).filter((n) => NOON + n * 50_000 >= NOON + 64_800_000));
  }
  expect(await listPeriod(booksOf(3, 1, () => line).host, DAY, { requestsMost: 9 })).toEqual({
    payments: [],
    from: undefined,
  });
});

test('more payments in a second than an answer holds: nothing is said of that second', async () => {
  const { host } = booksOf(501, 1);
  expect(await listPeriod(host, { from: NOON, to: NOON + 60_000 }, { requestsMost: 99 })).toEqual({
    payments: [],
    from: NOON + 1_000,
  });
});

test('an answer that the gateway calls cut is as good as full', async () => {
  const { host, issuer, asked } = booksOf(4, 60_000);
  const cut: Host['list'] = async (period) => {
    asked.push(period);
    const reply = issuer.list(period);
    const { payments = [] } = (reply.kind === 'answered' ? reply.body : {}) as { payments?: unknown[] };
    if (payments.length < 3) return reply;
    return answered('000.000.100', 'approved', {
      payments: payments.slice(0, 2),
      resultDetails: { ExtendedDescription: '2 more do not fit into one answer' },
    });
  };
  const { payments } = await listPeriod(
    { ...host, list: cut },
    { from: NOON, to: NOON + 200_000 },
    { requestsMost: 99 },
  );
  expect(numbersOf(payments)).toEqual(upTo(4));
});

let rig: Rig;
let life: Life;
beforeEach(() => {
  rig = tillRig();
  life = rig.open();
});
afterEach(() => {
  life.close();
  rig.remove();
});

test('what a terminal has at the gateway: known, unknown here, missing there; other terminals are nobody’s business', async () => {
  const begun = rig.clock.now();
  const sold = await rig.clock.until(life.sell(1_000n).done);
  rig.fates.push('requestLost', 'requestLost');
  const lost = await rig.clock.until(life.sell(700n).done);
  const stranger = { paymentType: 'DB', amount: '9.00', currency: 'EUR' };
  await rig.clock.until(
    rig.host.pay(
      { ...stranger, merchantTransactionId: 'c0ffee00', 'pos.terminalId': '1', 'pos.transactionSequenceNumber': '3' },
      'a',
    ),
  );
  await rig.clock.until(rig.host.pay({ ...stranger, merchantTransactionId: 'c0ffee01', 'pos.terminalId': '2' }, 'b'));
  const back = await rig.clock.until(rig.host.refer(sold.answer?.payment ?? '', { paymentType: 'RV' }, 'c'));
  expect(back).toMatchObject({ means: 'approved' });
  const found = await rig.clock.until(
    listTerminal(rig.host, {
      terminalId: '1',
      period: { from: begun, to: rig.clock.now() },
      sales: [sold, lost],
      knows: (id) => life.ledger.events(id).length > 0,
      requestsMost: 9,
    }),
  );
  expect(found.from).toBe(begun - (begun % 1_000));
  expect(found.listed.map(({ saleId }) => saleId)).toEqual(['c0ffee00', sold.intent.sale]);
  expect(found.unknownHere).toMatchObject([
    { saleId: 'c0ffee00', sequence: 3, amount: { minor: 900n, currency: 'EUR' } },
  ]);
  expect(found.missingThere).toEqual([lost]);
  expect(found.bySale.get(sold.intent.sale)?.map(({ paymentType }) => paymentType)).toEqual(['DB', 'RV']);
});

test('of a sale that may have begun before what is listed, the list is not believed', async () => {
  const sold = await rig.clock.until(life.sell(1_000n).done);
  const { at } = sold.intent;
  const period = { from: at - 7_200_000, to: at + 7_100_000 };
  /** The older half cannot be had; of the newer one all is told. */
  const listedFrom = async (cut: number) => {
    const list: Host['list'] = async ({ from, to }) => {
      if (from <= period.from && to > cut)
        return answered('000.000.100', 'approved', { payments: Array(500).fill({}) });
      return from > period.from ? rig.host.list({ from, to }) : answered('800.120.100', 'later');
    };
    const question = { terminalId: '1', period, sales: [sold], knows: () => true, requestsMost: 9 };
    const found = await rig.clock.until(listTerminal({ ...rig.host, list }, question));
    expect(found.listed).toHaveLength(1);
    return found.missingThere.length;
  };
  expect(await listedFrom(at)).toBe(1);
  period.from = at - 20_000_000;
  expect(await listedFrom(at)).toBe(0);
});
