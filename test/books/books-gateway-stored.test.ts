/** The gateway's answers about a batch are stored: the next comparison asks for what is new, and misses no change. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import { booksRig, type Life, max, type Rig } from './manager-rig.ts';

let rig: Rig;
let till: Life;
/** The requests to the gateway: lists as `list of 3`, and the sales that were asked about one by one. */
let requests: string[] = [];
afterEach(async () => {
  await till.close();
  rig.remove();
});

const counted = () => {
  const { host } = rig;
  return {
    host: () => ({
      ...host,
      find: (reference: string, linked?: 'linked') => {
        requests.push(reference);
        return host.find(reference, linked);
      },
      list: async (period: Parameters<typeof host.list>[0]) => {
        const reply = await host.list(period);
        const { payments = [] } = (reply.kind === 'answered' ? reply.body : {}) as { payments?: unknown[] };
        requests.push(`list of ${payments.length}`);
        return reply;
      },
    }),
  };
};

const open = async (): Promise<void> => {
  requests = [];
  rig = booksRig();
  till = await rig.open(counted());
};

const reopen = async (between: () => void = () => {}): Promise<void> => {
  await till.close();
  between();
  till = await rig.opened(counted());
};

const look = async () => (await rig.done(till.service.closing())).checks.find(({ what }) => what === 'gatewayAgrees');

/** A quarter of an hour of sales, one a minute: the next list does not reach back to the first of them. */
const runQuarterHour = async (sales = 15): Promise<EndedSale> => {
  const first = await till.sell(1_000n);
  for (let n = 1; n < sales; n += 1) {
    await rig.clock.advance(60_000);
    await till.sell(100n);
  }
  await rig.clock.advance(180_000);
  return first;
};

const payAtGateway = (parameters: Record<string, string>, payment?: string) =>
  rig.done(
    payment === undefined
      ? rig.host.pay({ amount: '10.00', currency: 'EUR', paymentType: 'DB', ...parameters }, rig.chance.ids.next())
      : rig.host.refer(payment, parameters, `${payment}${parameters['paymentType']}`),
  );

const closed = async (request = {}) => {
  await rig.done(till.service.close(request, max));
  return till.running.books.batches().findLast(({ z }) => z !== undefined)?.z;
};

test('a second comparison, and the close, list only what is new, however long the batch is', async () => {
  await open();
  await runQuarterHour();
  expect(await look()).toMatchObject({ ok: true });
  expect(requests).toEqual(['list of 15']);
  const last = await till.sell(200n);
  requests = [];
  expect(await look()).toMatchObject({ ok: true });
  await reopen();
  expect(await closed()).toMatchObject({
    differences: [],
    brands: [{ till: '26.00', gateway: '26.00', differing: 0 }],
  });
  // The last three minutes before the newest payment are listed again, which is new after a restart.
  expect(requests).toEqual(['list of 2', 'list of 2', expect.stringMatching(/^[0-9a-f]{32}$/), last.intent.sale]);
});

test('data stored by another version is compared again by lists, not sale by sale', async () => {
  await open();
  await runQuarterHour();
  expect(await look()).toMatchObject({ ok: true });
  till.running.journal.sql.run("UPDATE ledger_index SET versions = 'another'");
  await reopen();
  requests = [];
  expect(await look()).toMatchObject({ ok: true });
  expect(requests).toEqual(['list of 15']);
});

test('a running till compares by itself once a minute, and does not ask when everything is compared', async () => {
  await open();
  till.running.runInBackground();
  await runQuarterHour(4);
  await rig.clock.advance(600_000);
  const before = requests.length;
  expect(before).toBeLessThanOrEqual(6);
  await rig.clock.advance(3_600_000);
  expect(requests.length).toBe(before);
  const rows = till.running.journal.sql.all('SELECT agreed FROM book_line');
  expect(rows.map(({ agreed }) => agreed)).toEqual([1, 1, 1, 1]);
});

const payment = (sale: EndedSale): string => sale.answer?.payment ?? '';

/** What changed after the comparison, and the amount at the gateway then, against the till's 10.00. */
const behindTheTill: readonly [string, (sale: EndedSale) => unknown, string][] = [
  ['reversed', (sale) => payAtGateway({ paymentType: 'RV' }, payment(sale)), '0.00 EUR'],
  ['refunded in part', (sale) => payAtGateway({ paymentType: 'RF', amount: '4.00' }, payment(sale)), '6.00 EUR'],
  ['charged a second time', ({ intent }) => payAtGateway({ merchantTransactionId: intent.sale }), '20.00 EUR'],
];

test.each(behindTheTill)('a sale %s at the gateway after it was compared differs', async (_, change, gateway) => {
  for (const isReopened of [false, true]) {
    await open();
    const sale = await runQuarterHour();
    expect(await look()).toMatchObject({ ok: true });
    await change(sale);
    if (isReopened) await reopen();
    expect(await look()).toMatchObject({ ok: false, open: [{ receipt: sale.intent.receipt }] });
    // A second comparison says the same, although the list has nothing new.
    await rig.clock.advance(600_000);
    expect(await look()).toMatchObject({ ok: false, open: [{ receipt: sale.intent.receipt }] });
    expect((await closed())?.differences).toMatchObject([{ till: '10.00 EUR', gateway }]);
    if (isReopened) return;
    await till.close();
    rig.remove();
  }
});

test('a charged-back sale still agrees: the bank took back what the till had charged', async () => {
  await open();
  const sale = await runQuarterHour();
  expect(await look()).toMatchObject({ ok: true });
  const books = rig.host.books as unknown[];
  const { pos: _, ...of } = rig.host.books[0] ?? ({} as never);
  const reversal = { id: 'f'.repeat(32), of: payment(sale), paymentType: 'CB', merchantTransactionId: '' };
  books.push({ ...of, ...reversal, at: rig.clock.now() });
  requests = [];
  expect(await look()).toMatchObject({ ok: true });
  // The chargeback is the only news, and the recent list has all else.
  expect(requests).toEqual(['list of 2']);
});

test.each([
  ['void', undefined, '24.00'],
  ['refund', 400n, '30.00'],
] as const)('a %s at the till is compared even after its sale was compared', async (operation, minor, sum) => {
  await open();
  const sale = await runQuarterHour();
  await till.sell(1_000n);
  expect(await look()).toMatchObject({ ok: true });
  await till.follow(sale.intent.receipt, operation, minor);
  expect(await look()).toMatchObject({ ok: true });
  const z = await closed();
  expect(z).toMatchObject({ differences: [], brands: [{ till: sum, gateway: sum }] });
});

test('a compared hold that the till captures later agrees, and one captured elsewhere does not', async () => {
  await open();
  const amount = { minor: 5_000n, currency: 'EUR' };
  const hold = async () => rig.done(till.running.till.preauthorise({ amount }, () => {}).done);
  const [first, second] = [await hold(), await hold()];
  await runQuarterHour(4);
  expect(await look()).toMatchObject({ ok: true });
  await till.follow(first.intent.receipt, 'completion', 4_000n);
  expect(await look()).toMatchObject({ ok: true });
  await payAtGateway({ paymentType: 'CP', amount: '30.00', currency: 'EUR' }, payment(second));
  expect(await look()).toMatchObject({ ok: false, open: [{ receipt: second.intent.receipt }] });
});

test('a late payment for a sale that agreed on nothing makes it differ', async () => {
  await open();
  rig.approvals.push(false);
  const { intent, ending } = await till.sell(900n);
  expect(ending).toBe('declined');
  await runQuarterHour(4);
  expect(await look()).toMatchObject({ ok: true });
  await payAtGateway({ merchantTransactionId: intent.sale, amount: '9.00' });
  expect(await look()).toMatchObject({ ok: false, open: [{ receipt: intent.receipt }] });
});

test('an unreachable gateway blocks the close, and the Z report has the result of the last comparison', async () => {
  await open();
  await runQuarterHour();
  expect(await look()).toMatchObject({ ok: true });
  rig.line.up = false;
  const { checks, mayClose } = await rig.done(till.service.closing());
  const gateway = checks.find(({ what }) => what === 'gatewayAgrees');
  expect([mayClose, gateway?.why?.code, gateway?.why?.facts]).toEqual([false, 'closing.silent', { count: 1, of: 15 }]);
  await expect(rig.done(till.service.close({}, max))).rejects.toMatchObject({ code: 'books.gatewaySilent' });
  const z = await closed({ override: 'the line is down' });
  expect(z?.differences).toMatchObject([{ till: '1.00 EUR', gateway: 'no answer' }]);
  expect(z?.brands).toMatchObject([{ till: '24.00', gateway: '23.00', differing: 1 }]);
});

test('when the gateway no longer gives a list it is asked about each sale', async () => {
  await open();
  const sale = await runQuarterHour(4);
  expect(await look()).toMatchObject({ ok: true });
  await payAtGateway({ paymentType: 'RV' }, payment(sale));
  const { list } = rig.host;
  rig.host.list = async () => ({ kind: 'answered', means: 'refused', code: '900.100.100', description: '', body: {} });
  await reopen();
  requests = [];
  expect(await look()).toMatchObject({ ok: false, open: [{ receipt: sale.intent.receipt }] });
  expect(requests).toHaveLength(5);
  rig.host.list = list;
});

test('a gateway that lost its payments is compared from scratch, and so is a different gateway', async () => {
  await open();
  const sale = await runQuarterHour();
  expect(await look()).toMatchObject({ ok: true });
  const books = rig.host.books as unknown[];
  books.splice(0, 1);
  books.splice(-2);
  expect(await look()).toMatchObject({ ok: false, open: [{ receipt: sale.intent.receipt }, {}, {}] });
});

test('a till restored from a copy continues from the copy’s last list', async () => {
  await open();
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const first = await runQuarterHour(6);
    expect(await look()).toMatchObject({ ok: true });
    await reopen(() => cpSync(rig.folder, copy, { recursive: true }));
    await till.follow(first.intent.receipt, 'void');
    const lost = await till.sell(700n);
    expect(await look()).toMatchObject({ ok: true });
    await reopen(() => {
      rmSync(rig.folder, { recursive: true });
      cpSync(copy, rig.folder, { recursive: true });
    });
    // The gateway lists the void and the sale, and this journal has neither.
    const check = await look();
    expect(check).toMatchObject({ ok: false, open: [{ receipt: first.intent.receipt }] });
    expect(check?.why).toMatchObject({ code: 'closing.unknownHere' });
    expect(lost.ending).toBe('approved');
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test('a sale voided during the comparison does not count as compared', async () => {
  await open();
  const { books } = till.running;
  const [first, second] = [await till.sell(1_000n), await till.sell(700n)];
  const batch = books.batchToClose();
  const since = await rig.done(books.list());
  const rows = books.compare(books.rest(batch, since), since)[Symbol.asyncIterator]();
  expect((await rig.done(rows.next())).value).toMatchObject({ agrees: true });
  await till.follow(first.intent.receipt, 'void');
  for (let isDone = false; !isDone; ) isDone = (await rig.done(rows.next())).done === true;
  const waiting = books.rest(batch, since).map(({ intent }) => intent.receipt);
  expect(waiting).toEqual([first.intent.receipt, 3]);
  expect(waiting).not.toContain(second.intent.receipt);
});
