/**
 * Whose turn it is while the rate limit holds back PIN tries: a single attacker shuts nobody out, and in a crowd chance
 * decides.
 */
import { beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { openLine, type WaitingLine } from '../../src/staff/tries.ts';
import { dice } from '../support/chance/dice.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const MINUTE = 60_000;
/** How long checking a PIN takes. */
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

/** One try: a wrong one delays the next for as long as the rate limit says. Returns how the try ended. */
const attempt = async (who: string, isWrong: boolean, signal?: AbortSignal): Promise<'turn' | 'locked' | 'gone'> => {
  try {
    await line.enter({ patienceMs: MINUTE, abortSignal: signal });
  } catch (error) {
    return isFault(error, 'staff.locked') ? 'locked' : 'gone';
  }
  turns.push(who);
  await new Promise<void>((go) => clock.after(VERIFIED_MS, go));
  if (isWrong) freeAt = clock.monotonic() + PACE_MS;
  line.leave();
  return 'turn';
};

/** Tries again after each answer, for ever; waits `restMs` after being turned away. */
const tryForever = async (who: string, restMs: number): Promise<void> => {
  for (;;) if ((await attempt(who, true)) !== 'turn') await new Promise<void>((go) => clock.after(restMs, go));
};

test('a newcomer gets the next turn while a single attacker waits, at whatever moment they come', async () => {
  void tryForever('stranger', 1);
  for (let n = 0; n < 50; n += 1) {
    await clock.advance(3 * MINUTE + n * 1171);
    const before = clock.monotonic();
    const ended = attempt(`Ana ${n}`, false);
    expect(await clock.until(ended)).toBe('turn');
    expect(clock.monotonic() - before).toBeLessThanOrEqual(MINUTE);
  }
});

test('a newcomer during the check of the attacker’s PIN gets the next turn, not the returning attacker', async () => {
  void tryForever('stranger', 1);
  for (let n = 0; n < 5; n += 1) {
    const before = turns.length;
    while (turns.length === before) await clock.advance(10);
    const ended = attempt('Ana', false);
    const requestCount = clock.monotonic();
    expect(await clock.until(ended)).toBe('turn');
    expect(clock.monotonic() - requestCount).toBeLessThanOrEqual(MINUTE);
    await clock.advance(MINUTE);
  }
});

test('a right PIN delays nobody: whoever waits behind it comes next at once', async () => {
  const [one, two] = [attempt('Ana', false), attempt('Ben', false)];
  await clock.advance(MINUTE + 2 * VERIFIED_MS);
  expect(await Promise.all([one, two])).toEqual(['turn', 'turn']);
});

test('more attackers than the line has places neither fill it nor get all turns', async () => {
  for (let n = 0; n < 24; n += 1) void tryForever('stranger', 20_000 + n * 100);
  void tryForever('Ana', 20_000);
  await clock.advance(90 * MINUTE);
  const anaTurns = turns.filter((who) => who === 'Ana').length;
  expect(turns.length).toBeGreaterThan(100);
  expect(anaTurns).toBeGreaterThan(0);
  expect(anaTurns).toBeLessThan(18);
});

test('a newcomer to a full line takes the place of one who is waiting', async () => {
  const ended: number[] = [];
  for (let n = 0; n < 17; n += 1) void attempt('stranger', true).then(() => ended.push(n));
  await clock.settle();
  expect(ended).toHaveLength(1);
  expect(ended).not.toContain(16);
  line.close();
});

test('a client that has disconnected gets no turn and leaves no timer behind', async () => {
  const controller = new AbortController();
  const ended = attempt('stranger', true, controller.signal);
  await clock.settle();
  expect(clock.waiting()).toBe(1);
  controller.abort();
  expect(await ended).toBe('gone');
  expect(clock.waiting()).toBe(0);
  expect(await attempt('stranger', true, controller.signal)).toBe('gone');
});

test('nobody waits for a turn that cannot come in time, nor after the close', async () => {
  freeAt = 5 * MINUTE;
  expect(await attempt('Ana', false)).toBe('locked');
  await clock.advance(4 * MINUTE);
  const held = attempt('Ana', false);
  line.close();
  expect(await held).toBe('locked');
  expect(clock.waiting()).toBe(0);
});
