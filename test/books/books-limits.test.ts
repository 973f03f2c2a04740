/** The limits editor: changes apply together from the next sale on, and other limits can be tried on past sales. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { CardData } from '../../drivers/terminal.ts';
import type { OfflineConfig } from '../../src/folder/offline-config.ts';
import { dice } from '../support/chance/dice.ts';
import { storeLimits } from '../support/till/store-limits.ts';
import { chipCard } from '../support/till/till-rig.ts';
import { booksRig, type Life, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const setting = (till: Life, key: string) => till.service.limits().settings.find((one) => one.key === key);

test('new limits apply to the next sale and after a restart, and the journal says who set them', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(100n);
  rig.line.up = false;
  expect(await till.sell(4_000n)).toMatchObject({ ending: 'approved', offline: 'chip' });
  expect(setting(till, 'total')).toEqual({
    key: 'total',
    kind: 'amount',
    value: '500.00',
    used: '40.00',
    left: '460.00',
  });
  expect(setting(till, 'count')).toMatchObject({ value: '50', used: '1', left: '49' });
  const changed = till.service.setLimits(
    { 'chip.upTo': '30', total: '60.00', 'chip.perCard.count': '2', hours: '8' },
    max,
  );
  expect(changed.settings).toEqual(till.service.limits().settings);
  expect(setting(till, 'chip.upTo')).toMatchObject({ value: '30.00' });
  expect(setting(till, 'total')).toMatchObject({ value: '60.00', left: '20.00' });
  expect(setting(till, 'hours')).toMatchObject({ kind: 'hours', value: '8' });
  expect(await till.sell(3_100n)).toMatchObject({
    reason: 'offlineRefused',
    why: expect.stringContaining('30.00 EUR'),
  });
  expect(till.told).toContainEqual({ on: 'changed', what: 'limits' });
  const [entry] = till.audit.page({ from: 0, most: 1, kind: 'limitsChanged' }).rows;
  expect(entry?.by).toBe('Max');
  await till.close();
  const reopened = await rig.opened();
  expect(reopened.service.limits().settings).toEqual(
    changed.settings.map((one) => expect.objectContaining({ value: one.value })),
  );
  await reopened.close();
});

describe('all changes are made or none, and each wrong one is named', () => {
  const rows: [Record<string, string>, string[]][] = [
    [{ 'chip.upTo': '10.00', total: 'much' }, ['total']],
    [{ 'chip.upTo': '1,50', count: '-1', hours: 'soon' }, ['chip.upTo', 'count', 'hours']],
    [{ 'chip.upto': '1.00' }, ['chip.upto']],
    [{ 'chip.brands.NONE.upTo': '1.00' }, ['chip.brands.NONE.upTo']],
    [{ 'chip.upTo': 'none' }, ['chip.upTo']],
    [{ '__proto__.x': '1' }, ['__proto__.x']],
    [{ 'a b': '1' }, ['a b']],
    [{ operations: 'sale,credit' }, ['operations']],
    [{ keepFreeMegabytes: '1.5' }, ['keepFreeMegabytes']],
    [{ withoutDataAuthentication: 'perhaps' }, ['withoutDataAuthentication']],
    [{ total: '99999999999.00' }, ['total']],
  ];
  test.each(rows)('%j', async (changes, names) => {
    rig = booksRig();
    const till = await rig.open();
    const file = () => readFileSync(join(rig.folder, 'till.json'), 'utf8');
    const [before, length, limits] = [file(), till.running.journal.length, till.service.limits()];
    for (const refused of [() => till.service.setLimits(changes, max), () => till.service.replayLimits(changes)])
      expect(refused).toThrow(
        expect.objectContaining({
          code: 'request.malformed',
          fields: names.map((name) => expect.objectContaining({ name })),
        }),
      );
    expect([file(), till.running.journal.length, till.service.limits()]).toEqual([before, length, limits]);
    await till.close();
  });
});

test('two managers at once each change what they name, and nothing else', async () => {
  rig = booksRig();
  const till = await rig.open();
  till.service.setLimits({ total: '100.00' }, max);
  till.newService().setLimits({ count: '5' }, { ...max, name: 'Mia' });
  expect([setting(till, 'total')?.value]).toEqual(['100.00']);
  await till.close();
  const reopened = await rig.opened();
  expect([setting(reopened, 'total')?.value, setting(reopened, 'count')?.value]).toEqual(['100.00', '5']);
  await reopened.close();
});

test('when till.json cannot be written the old limits stay, and the journal records that', async () => {
  rig = booksRig();
  const till = await rig.open();
  // A file cannot be written where a folder exists.
  mkdirSync(join(rig.folder, 'till.json.new'));
  expect(() => till.service.setLimits({ 'chip.upTo': '1.00' }, max)).toThrow(
    expect.objectContaining({ code: 'folder.unusable' }),
  );
  expect(setting(till, 'chip.upTo')?.value).toBe('50.00');
  const said = till.running.journal.about('limits').map(({ body }) => JSON.parse(body));
  expect(said.map(({ after }) => after.chip.upTo)).toEqual(['1.00', '50.00']);
  rmSync(join(rig.folder, 'till.json.new'), { recursive: true });
  expect(till.service.setLimits({ 'chip.upTo': '2.00' }, max).ready).toBe(true);
  await till.close();
});

test('when the journal cannot be written the old limits stay', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { write } = till.running.journal;
  till.running.journal.write = () => {
    throw new Error('the disk is full');
  };
  expect(() => till.service.setLimits({ 'chip.upTo': '1.00' }, max)).toThrow('the disk is full');
  till.running.journal.write = write;
  expect(setting(till, 'chip.upTo')?.value).toBe('50.00');
  rig.line.up = false;
  expect(await till.sell(4_000n)).toMatchObject({ ending: 'approved', offline: 'chip' });
  await till.close();
});

const none = { count: 0, total: { amount: '0.00', currency: 'EUR' } };

test('the replay of a till that never lost its line says that there is nothing to report', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  const replay = till.service.replayLimits({ 'chip.upTo': '500.00' });
  expect(replay).toMatchObject({ asked: 0, moreTaken: none, fewerTaken: none, wouldHaveFailed: none, notKnown: none });
  expect(replay.says).toHaveLength(1);
  await till.close();
});

test('the bank’s later answer counts; a sale the bank was never asked about stays unknown', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(100n);
  rig.line.up = false;
  await till.sell(4_000n);
  await till.sell(3_000n);
  await till.sell(9_000n);
  rig.card.data = { ...chipCard, maskedPan: '541333******1111' };
  await till.sell(8_000n);
  rig.line.up = true;
  rig.approvals.push(false, true);
  await till.drain();
  // The second card comes back and its bank declines.
  rig.approvals.push(false);
  await till.sell(8_000n);
  const replay = till.service.replayLimits({ 'chip.upTo': '100.00' });
  expect(replay.asked).toBe(4);
  expect(replay.moreTaken).toEqual({ count: 2, total: { amount: '170.00', currency: 'EUR' } });
  expect(replay.wouldHaveFailed).toEqual({ count: 2, total: { amount: '120.00', currency: 'EUR' } });
  // Nobody was asked about the first card's 90.00; for the other card the chip was not asked.
  expect(replay.notKnown?.count).toBe(2);
  expect(replay.says?.join(' ')).toContain('not known');
  expect(till.service.replayLimits({ 'chip.upTo': '35.00' }).fewerTaken).toEqual({
    count: 1,
    total: { amount: '40.00', currency: 'EUR' },
  });
  await till.close();
});

/** A day two weeks ago, sold twice: under the old limits, and under the limits in question. */
type Step = { afterMs: number; isUp: boolean; sale?: { minor: bigint; card: CardData; cashier: string } };

const cards: readonly [CardData, ...CardData[]] = [
  chipCard,
  { ...chipCard, maskedPan: '476173******0028', entryMode: 'NFC_ICC' },
  { ...chipCard, maskedPan: '541333******1111' },
  { ...chipCard, maskedPan: '541333******1111', tvr: '8000000000' },
];

const MINUTE = 60_000;

const daysOf = (chance: ReturnType<typeof dice>): Step[] => {
  const steps: Step[] = [];
  let minor = 100n;
  let isUp = true;
  for (let n = 0; n < 40; n += 1) {
    const turns = chance.percent(25);
    if (turns) isUp = !isUp;
    // All amounts differ, so a sum identifies its sales.
    minor += BigInt(chance.between(1, 90));
    const sale = {
      minor: minor + (chance.percent(30) ? 3_000n : 0n),
      card: chance.one(cards),
      cashier: chance.one(['Anna', 'Ben']),
    };
    steps.push({ afterMs: chance.between(1, 50) * MINUTE, isUp, sale });
  }
  return steps;
};

const limitsFrom = (chance: ReturnType<typeof dice>): OfflineConfig => {
  const amount = (...of: [string, ...string[]]) => chance.one(of);
  const maybe = <T extends object>(part: T): T | object => (chance.percent(40) ? part : {});
  const kind = (upTo: string) => ({
    upTo,
    ...maybe({ total: amount('60.00', '150.00') }),
    ...maybe({ perCard: { count: chance.between(1, 3) } }),
    ...maybe({ perCashier: { total: amount('40.00', '90.00') } }),
    ...maybe({ perHour: { count: chance.between(1, 4) } }),
    ...maybe({ perDay: { total: amount('80.00', '200.00') } }),
    ...maybe({ brands: { MASTER: { upTo: amount('5.00', '15.00'), count: 2 } } }),
    ...maybe({ entryModes: { NFC_ICC: { upTo: '8.00' } } }),
  });
  return {
    chip: kind(amount('10.00', '25.00', '50.00')),
    deferred: kind(amount('0.00', '12.00', '45.00')),
    ...maybe({ total: amount('100.00', '250.00') }),
    ...maybe({ count: chance.between(2, 8) }),
    ...maybe({ hours: chance.between(1, 3) }),
    withoutDataAuthentication: chance.percent(50),
  };
};

/** Returns which sales were taken offline, by their index in the steps. */
const liveThrough = async (till: Life, steps: readonly Step[]): Promise<Set<number>> => {
  const takenSales = new Set<number>();
  await till.sell(1n);
  for (const [n, { afterMs, isUp, sale }] of steps.entries()) {
    await rig.clock.advance(afterMs);
    const wasUp = rig.line.up;
    rig.line.up = isUp;
    // The line is back: the queue is sent, and the next customer pays online.
    if (isUp && !wasUp) {
      await till.drain();
      rig.card.data = chipCard;
      await till.sell(1n);
    }
    if (sale === undefined) continue;
    rig.card.data = sale.card;
    const request = { amount: { minor: sale.minor, currency: 'EUR' }, cashier: sale.cashier };
    const { offline } = await rig.done(till.running.till.sell(request, () => {}).done);
    if (offline !== undefined) takenSales.add(n);
  }
  return takenSales;
};

const changesTo = (from: OfflineConfig, to: OfflineConfig): Record<string, string> => {
  const flatten = (value: unknown, prefix = ''): [string, string][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, one]) => flatten(one, prefix === '' ? name : `${prefix}.${name}`))
      : [[prefix, value === true ? 'yes' : value === false ? 'no' : String(value)]];
  const removed = flatten(from).map(([key]) => [key, 'none']);
  return Object.fromEntries([...removed, ...flatten(to)]);
};

/** How many sales differed between the days; days without a difference would prove nothing. */
const differed = { more: 0, fewer: 0 };
afterAll(() => {
  expect(differed.more).toBeGreaterThan(5);
  expect(differed.fewer).toBeGreaterThan(5);
});

describe('the replay predicts what selling the same days under the other limits yields', () => {
  test.each([1, 2, 3, 4, 5])('seed %i', { timeout: 60_000 }, async (seed) => {
    const chance = dice(seed);
    const steps = daysOf(chance);
    const [before, limitsAfter] = [limitsFrom(chance), limitsFrom(chance)];
    rig = booksRig({ limits: before });
    const till = await rig.open();
    const takenBefore = await liveThrough(till, steps);
    const replay = till.service.replayLimits(changesTo(before, limitsAfter));
    await till.close();
    rig.remove();

    rig = booksRig({ limits: limitsAfter });
    const reopened = await rig.open();
    const takenAfter = await liveThrough(reopened, steps);
    await reopened.close();
    const sum = (maybe: readonly number[]) => ({
      count: maybe.length,
      minor: maybe.reduce((total, n) => total + (steps[n]?.sale?.minor ?? 0n), 0n),
    });
    differed.more += replay.moreTaken.count;
    differed.fewer += replay.fewerTaken.count;
    const summary = ({ count, total }: { count: number; total: { amount: string } }) => ({
      count,
      minor: BigInt(total.amount.replace('.', '')),
    });
    expect(summary(replay.moreTaken)).toEqual(sum([...takenAfter].filter((n) => !takenBefore.has(n))));
    expect(summary(replay.fewerTaken)).toEqual(sum([...takenBefore].filter((n) => !takenAfter.has(n))));
  });
});

test('with the current limits the replay finds what really happened', async () => {
  rig = booksRig({ limits: storeLimits });
  const till = await rig.open();
  await liveThrough(till, daysOf(dice(99)));
  expect(till.service.replayLimits({})).toMatchObject({ moreTaken: none, fewerTaken: none });
  await till.close();
});
