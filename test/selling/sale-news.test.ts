/**
 * Endings as numbered events: the same after each restart of the till, and recognised when they are from another till.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Position, SaleNews } from '../../src/api/contract/events.ts';
import { openSaleNews } from '../../src/selling/sale-news.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

type Open = Awaited<ReturnType<Rig['open']>>;

let keys = 0;
const sell = async ({ service, ended }: Open, more: object = {}) => {
  keys += 1;
  const request = { operation: 'sale', amount: eur('20.00'), ...more } as const;
  return ended(await service.begin(request, anna, `key-${String(keys).padStart(6, '0')}`));
};

const numberedNews = ({ told }: Open): SaleNews[] =>
  told.flatMap((event) => ((event.on === 'sale' || event.on === 'amended') && 'number' in event ? [event] : []));

const logOf = ({ events }: Open) => {
  if (events.log === undefined) throw new Error('nothing keeps the events');
  return events.log;
};

/** What an event says about its sale, whenever it is reported. */
const facts = ({ on, number, id, sale }: SaleNews) => ({ on, number, id, sale: sale.id, result: sale.result });

const START = '9-00000000';

const fail = (error: unknown): never => {
  throw error;
};

test('an ending is reported once, with its result; the last step only says that the terminal is free', async () => {
  const till = await rig.open();
  const { id } = await sell(till);
  const events = till.told.flatMap((event) => (event.on === 'sale' ? [event] : []));
  expect(events.filter(({ sale }) => sale.result !== undefined)).toMatchObject([
    { number: expect.any(Number), sale: { id, phase: 'removeCard', terminalFree: false } },
  ]);
  expect(events.at(-1)).toMatchObject({ sale: { id, phase: 'ended', terminalFree: true } });
  await till.close();
});

test('numbers increase, and a restart of the till changes none of them', async () => {
  const first = await rig.open();
  await sell(first);
  rig.approvals.push(false);
  await sell(first);
  const events = numberedNews(first);
  expect(events.map(({ sale }) => sale.result?.ending)).toEqual(['approved', 'declined']);
  const numbers = events.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect([...logOf(first).since(START)].map(facts)).toEqual(events.map(facts));
  expect([...logOf(first).since(events[0]?.id ?? '')].map(facts)).toEqual(events.slice(1).map(facts));
  const { id: startId } = logOf(first).here();
  await first.close();
  const second = await rig.open();
  expect([...logOf(second).since(START)].map(facts)).toEqual(events.map(facts));
  expect([...logOf(second).since(startId)]).toEqual([]);
  await sell(second);
  expect([...logOf(second).since(startId)].map(facts)).toEqual(numberedNews(second).map(facts));
  await second.close();
});

test('a sale that a killed till left open ends at the next start, and reconnecting listeners learn of it', async () => {
  const first = await rig.open();
  const startPosition = logOf(first).here();
  const started = await first.service.begin({ operation: 'sale', amount: eur('3.00') }, anna, 'key-killed');
  await rig.clock.advance(1_050);
  await first.kill();
  const second = await rig.open();
  expect([...logOf(second).since(startPosition.id)]).toMatchObject([
    { on: 'sale', sale: { id: started.id, result: { ending: 'unknown' } } },
  ]);
  // Listeners that stayed while the till was reopened get the ending too, but not from another till's journal.
  const reports = (from: Position): SaleNews[] => {
    const all: SaleNews[] = [];
    const shown = () => started;
    openSaleNews({ journal: second.running.journal, from, shown, tell: (one) => all.push(one), report: fail }).look();
    return all;
  };
  expect(reports(startPosition)).toMatchObject([{ on: 'sale' }]);
  expect(reports({ ...startPosition, id: startPosition.id.replace(/-.*/, '-9f3a2b1c') })).toEqual([]);
  await second.close();
});

test('a listener cut off between the two events of one entry gets the second one', async () => {
  const till = await rig.open();
  rig.fates.push(...Array<'notReached'>(60).fill('notReached'));
  const offlineSale = await sell(till);
  rig.fates.splice(0);
  rig.approvals.push(false);
  await rig.clock.advance(40_000);
  await rig.clock.until(till.running.forwarder.drain('all'));
  await rig.clock.advance(3_000);
  const paid = await sell(till, { chargesAgain: offlineSale.receipt });
  const [ended, amended] = numberedNews(till).slice(-2);
  expect(ended).toMatchObject({ on: 'sale', sale: { id: paid.id, result: { ending: 'approved' } } });
  expect(amended).toMatchObject({
    on: 'amended',
    sale: { id: offlineSale.id, result: { unpaid: { state: 'chargedAgain' } } },
  });
  expect([...logOf(till).since(ended?.id ?? '')].map(facts)).toEqual(amended && [facts(amended)]);
  await till.close();
});

test('an id of a diverged copy or another till is refused by name, with the position to continue from', async () => {
  const first = await rig.open();
  await sell(first);
  const { id: before } = logOf(first).here();
  await first.close();
  const copy = mkdtempSync(join(tmpdir(), 'news-'));
  cpSync(rig.folder, copy, { recursive: true });
  const gone = await rig.open();
  await sell(gone);
  const lost = numberedNews(gone).at(-1)?.id ?? '';
  await gone.close();
  rmSync(rig.folder, { recursive: true });
  cpSync(copy, rig.folder, { recursive: true });
  rmSync(copy, { recursive: true });
  const restored = await rig.open();
  const elsewhere = { code: 'events.elsewhere', facts: { here: expect.stringMatching(/^\d+-[0-9a-f]{8}$/) } };
  // No event has the lost position yet; then another event has it.
  expect(() => logOf(restored).since(lost)).toThrow(expect.objectContaining(elsewhere));
  await rig.clock.advance(60_000);
  await sell(restored);
  await sell(restored);
  for (const id of [lost, '47110-9f3a2b1c', '', 'x', '1'])
    expect(() => logOf(restored).since(id)).toThrow(expect.objectContaining(elsewhere));
  expect([...logOf(restored).since(before)].map(facts)).toEqual(numberedNews(restored).map(facts));
  await restored.close();
});

test('an id too far back is refused by name', async () => {
  const till = await rig.open();
  const first = await sell(till);
  const { journal } = till.running;
  const open = (reach: number) =>
    openSaleNews({
      journal,
      reach,
      shown: () => first,
      tell: () => {},
      report: fail,
    });
  expect([...open(journal.length).since(START)]).toHaveLength(1);
  const shortLog = open(journal.length - 1);
  const refused = expect.objectContaining({ code: 'events.tooOld', facts: { here: shortLog.here().id } });
  expect(() => shortLog.since(START)).toThrow(refused);
  expect([...shortLog.since(shortLog.here().id)]).toEqual([]);
  await till.close();
});
