/** Whose turn it is while the pace holds the tries: a lone hammerer keeps nobody out, of a crowd chance says who. */
import { beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { openLine, type WaitingLine } from '../../src/staff/tries.ts';
import { dice } from '../support/chance/dice.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const MINUTE = 60_000;
/** So long a PIN is looked at. */
const VERIFIED_MS = 100;
const PACE_MS = 50_000;

let clock: VirtualClock;
let line: WaitingLine;
let freeAt: number;
let turns: string[];

beforeEach(() => {
  clock = virtualClock();
  freeAt = MINUTE;
  turns = [];
  const { random } = dice(20261125);
  line = openLine({ clock, random, waitMs: () => Math.max(0, freeAt - clock.monotonic()) });
});

/** One try: a wrong one holds the next one off for as long as the pace says. Tells how it ended. */
const attempt = async (who: string, isWrong: boolean, gone?: AbortSignal): Promise<'turn' | 'locked' | 'gone'> => {
  try {
    await line.enter({ patienceMs: MINUTE, gone });
  } catch (error) {
    return isFault(error, 'staff.locked') ? 'locked' : 'gone';
  }
  turns.push(who);
  await new Promise<void>((go) => clock.after(VERIFIED_MS, go));
  if (isWrong) freeAt = clock.monotonic() + PACE_MS;
  line.leave();
  return 'turn';
};

/** Tries again as soon as it has its answer, for ever; `restMs` after it was turned away. */
const hammer = async (who: string, restMs: number): Promise<void> => {
  for (;;) if ((await attempt(who, true)) !== 'turn') await new Promise<void>((go) => clock.after(restMs, go));
};

test('who comes while a lone hammerer stands in the line has the next turn, at whatever moment they come', async () => {
  void hammer('stranger', 1);
  for (let n = 0; n < 50; n += 1) {
    await clock.advance(3 * MINUTE + n * 1171);
    const before = clock.monotonic();
    const ended = attempt(`Ana ${n}`, false);
    expect(await clock.until(ended)).toBe('turn');
    expect(clock.monotonic() - before).toBeLessThanOrEqual(MINUTE);
  }
});

test('who comes while the hammerer’s PIN is looked at has the next turn, not the hammerer who comes back', async () => {
  void hammer('stranger', 1);
  for (let n = 0; n < 5; n += 1) {
    const before = turns.length;
    while (turns.length === before) await clock.advance(10);
    const ended = attempt('Ana', false);
    const asked = clock.monotonic();
    expect(await clock.until(ended)).toBe('turn');
    expect(clock.monotonic() - asked).toBeLessThanOrEqual(MINUTE);
    await clock.advance(MINUTE);
  }
});

test('a right PIN takes no turn from anybody: whoever is held behind it comes next at once', async () => {
  const [one, two] = [attempt('Ana', false), attempt('Ben', false)];
  await clock.advance(MINUTE + 2 * VERIFIED_MS);
  expect(await Promise.all([one, two])).toEqual(['turn', 'turn']);
});

test('more of them than the line has places neither fill it up nor have all its turns', async () => {
  for (let n = 0; n < 24; n += 1) void hammer('stranger', 20_000 + n * 100);
  void hammer('Ana', 20_000);
  await clock.advance(90 * MINUTE);
  const hers = turns.filter((who) => who === 'Ana').length;
  expect(turns.length).toBeGreaterThan(100);
  expect(hers).toBeGreaterThan(0);
  expect(hers).toBeLessThan(18);
});

test('a newcomer to a full line takes the place of one who is held', async () => {
  const ended: number[] = [];
  for (let n = 0; n < 17; n += 1) void attempt('stranger', true).then(() => ended.push(n));
  await clock.settle();
  expect(ended).toHaveLength(1);
  expect(ended).not.toContain(16);
  line.close();
});

test('whoever has gone takes no turn, and leaves no timer behind', async () => {
  const gone = new AbortController();
  const ended = attempt('stranger', true, gone.signal);
  await clock.settle();
  expect(clock.waiting()).toBe(1);
  gone.abort();
  expect(await ended).toBe('gone');
  expect(clock.waiting()).toBe(0);
  expect(await attempt('stranger', true, gone.signal)).toBe('gone');
});

test('nobody is held for a turn that cannot come in time, nor at the end', async () => {
  freeAt = 5 * MINUTE;
  expect(await attempt('Ana', false)).toBe('locked');
  await clock.advance(4 * MINUTE);
  const held = attempt('Ana', false);
  line.close();
  expect(await held).toBe('locked');
  expect(clock.waiting()).toBe(0);
});
