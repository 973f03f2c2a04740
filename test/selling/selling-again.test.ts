/** "Was this customer just charged?": the till asks this itself, from its journal, before it charges the same again. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BeginRequest } from '../../src/api/contract/sale-requests.ts';
import type { SaleRow } from '../../src/api/contract/sales.ts';
import type { Actor } from '../../src/api/ports/session.ts';
import { SalesFault } from '../../src/base/fault.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const sale = (more: Partial<BeginRequest> = {}): BeginRequest => ({ operation: 'sale', amount: eur('12.50'), ...more });
const program: Actor = { program: 'Coffee POS', permissions: ['sell'] };

/** No request arrives any more: a sale in progress ends as unknown and stays so. */
const cutTheLine = (): void => void rig.fates.push(...Array<'requestLost'>(200).fill('requestLost'));
const mendTheLine = (): void => void rig.fates.splice(0);

type OpenedService = Awaited<ReturnType<Rig['open']>>;

/** A sale whose ending is unknown. */
const createUnknownSale = async ({ service, ended }: OpenedService, request = sale(), key = 'key-00001') => {
  cutTheLine();
  const started = await ended(await service.begin(request, anna, key));
  expect(started.result?.ending).toBe('unknown');
  return started;
};

/** The sales that are asked about. Undefined when nothing is asked. */
const likelySalesOf = async (begun: Promise<unknown>): Promise<SaleRow[] | undefined> => {
  const error = await begun.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  if (!(error instanceof SalesFault) || error.code !== 'sale.likely') throw error;
  return [...(error.sales as SaleRow[])];
};

const charges = (): number => rig.host.books.filter(({ paymentType }) => paymentType === 'DB').length;

test('while a sale is unknown, two screens and a program are each asked once, and one yes sells once', async () => {
  const open = await rig.open({ counters: 2 });
  const first = await createUnknownSale(open);
  const all = await Promise.all([
    likelySalesOf(open.service.begin(sale(), anna, 'screen-one')),
    likelySalesOf(open.service.begin(sale({ counter: 'T2' }), anna, 'screen-two')),
    likelySalesOf(open.service.begin(sale(), program, 'order-0001')),
  ]);
  for (const rows of all)
    expect(rows).toMatchObject([{ receipt: first.receipt, amount: eur('12.50'), ending: 'unknown', state: 'unknown' }]);
  expect(all[0]?.[0]?.says).not.toBe('');
  expect(open.service.sales({ from: 0, most: 10 }).total).toBe(1);

  mendTheLine();
  const confirmed = [first.receipt];
  const second = await open.service.begin(sale({ again: confirmed }), anna, 'screen-one');
  // The same key gives the same sale, also after a lost response; another yes to the same question is asked about
  // again.
  expect((await open.service.begin(sale(), anna, 'screen-one')).id).toBe(second.id);
  const more = await likelySalesOf(open.service.begin(sale({ counter: 'T2', again: confirmed }), anna, 'screen-two'));
  expect(more?.map(({ receipt, ending }) => [receipt, ending])).toEqual([
    [second.receipt, 'open'],
    [first.receipt, 'unknown'],
  ]);
  expect(more?.[0]?.says).toBe('It was started and has not ended yet.');
  await open.ended(second);
  expect(charges()).toBe(1);
  expect(open.service.sales({ from: 0, most: 10 }).total).toBe(2);
  expect(open.running.till.find(second.receipt).intent.again).toEqual(confirmed);
  const [begun] = open.service.claim({ text: String(second.receipt) }).sales[0]?.evidence ?? [];
  expect(begun?.words).toBe('started: 12.50 EUR; someone confirmed that it was not the customer of receipt 1');
  await open.close();
});

test('a yes must name every sale asked about; a sale that appeared meanwhile is asked about too', async () => {
  const open = await rig.open();
  const first = await createUnknownSale(open);
  const second = await createUnknownSale(open, sale({ again: [first.receipt] }), 'key-00002');
  for (const confirmed of [[], [first.receipt], [second.receipt], [99]])
    expect(await likelySalesOf(open.service.begin(sale({ again: confirmed }), anna, 'key-00003'))).toHaveLength(2);
  const third = await open.service.begin(sale({ again: [second.receipt, first.receipt] }), anna, 'key-00003');
  expect(third.receipt).toBe(3);
  await open.ended(third);
  await open.close();
});

test('sales that take the same amount from the customer, including the tip, are asked about', async () => {
  const open = await rig.open();
  await createUnknownSale(open);
  const giftCard = { number: '12345678' };
  const requests: [BeginRequest, boolean][] = [
    [sale({ operation: 'preauthorisation' }), true],
    [sale({ operation: 'giftCard', giftCard }), true],
    [sale({ amount: eur('12.00'), tip: eur('0.50') }), true],
    [sale({ tip: eur('0.50') }), false],
    [sale({ amount: eur('12.51') }), false],
    [sale({ operation: 'credit' }), false],
  ];
  for (const [index, [request, isAsked]] of requests.entries()) {
    const answer = open.service.begin(request, anna, `key-1000${index}`);
    expect((await likelySalesOf(answer)) !== undefined, JSON.stringify(request)).toBe(isAsked);
    if (!isAsked) await open.ended(await answer);
  }
  await open.close();
});

test('of equal parts of one hold, only an unknown part is asked about before the next', async () => {
  const open = await rig.open();
  const held = await open.ended(await open.service.begin(sale({ operation: 'preauthorisation' }), anna, 'key-00001'));
  const other = await open.ended(await open.service.begin(sale({ operation: 'preauthorisation' }), anna, 'key-00002'));
  const part = (receipt: number, amount = '5.00', more: { again?: number[] } = {}) =>
    ({ receipt, operation: 'completion', amount: eur(amount), keepRest: true, ...more }) as const;
  cutTheLine();
  const first = await open.ended(await open.service.follow(part(held.receipt), anna, 'key-00003'));
  expect(first.result?.ending).toBe('unknown');
  expect(await likelySalesOf(open.service.follow(part(held.receipt), anna, 'key-00004'))).toMatchObject([
    { receipt: first.receipt, operation: 'completion', amount: eur('5.00'), followsReceipt: held.receipt },
  ]);
  const confirmed = [first.receipt];
  const second = await open.ended(
    await open.service.follow(part(held.receipt, '5.00', { again: confirmed }), anna, 'key-00004'),
  );
  expect(open.running.till.find(second.receipt).intent).toMatchObject({ operation: 'completion', again: confirmed });
  mendTheLine();
  for (const [n, request] of [part(other.receipt), part(held.receipt, '2.00')].entries())
    await open.ended(await open.service.follow(request, anna, `key-1000${n}`));
  await open.close();
});

test('after a restart and without a gateway the journal decides; ended sales are not asked about', async () => {
  const before = await rig.open();
  const first = await createUnknownSale(before);
  await before.kill();
  const open = await rig.open();
  expect(await likelySalesOf(open.service.begin(sale(), anna, 'key-00002'))).toMatchObject([
    { receipt: first.receipt },
  ]);
  mendTheLine();
  await rig.clock.advance(60_000);
  await rig.clock.until(open.running.forwarder.drain('all'));
  expect(open.service.sale(first.receipt).ending).not.toBe('unknown');
  // Approved, declined, and decided by a person: each is an ending.
  rig.approvals.push(true, false);
  for (const key of ['key-00003', 'key-00004', 'key-00005'])
    await open.ended(await open.service.begin(sale(), anna, key));
  expect(open.service.sales({ from: 0, most: 10 }).rows.map(({ ending }) => ending)).toContain('declined');
  const last = await createUnknownSale(open, sale(), 'key-00006');
  expect(await likelySalesOf(open.service.begin(sale(), anna, 'key-00007'))).toHaveLength(1);
  const by = { who: 'Max', role: 'manager', reason: 'The bank says no', evidence: 'a letter' };
  open.running.resolver.force(last.receipt, { charged: false, by });
  expect(await likelySalesOf(open.service.begin(sale(), anna, 'key-00007'))).toBeUndefined();
  await open.close();
});
