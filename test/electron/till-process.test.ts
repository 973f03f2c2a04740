/** The till's process: started with its key, again when it dies, later and later, and ended in peace. */
import { beforeEach, describe, expect, test } from 'vitest';
import { waitBefore } from '../../electron/restart-policy.ts';
import { keepTill } from '../../electron/till-process.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type StandInChild, standInChild } from './stand-in.ts';

let clock: VirtualClock;
let children: StandInChild[];
let news: unknown[];

beforeEach(() => {
  clock = virtualClock();
  children = [];
  news = [];
});

const keep = () =>
  keepTill({
    clock,
    fork() {
      const child = standInChild();
      children.push(child);
      return child;
    },
    begin: () => ({ on: 'begin', key: 'AB' }),
    tell: (one) => void news.push(one),
  });

const last = (): StandInChild => {
  const child = children.at(-1);
  if (child === undefined) throw new Error('nothing was started');
  return child;
};

const table: readonly [deaths: number[], wait: number | undefined][] = [
  [[0], 200],
  [[0, 1_000], 1_000],
  [[0, 1, 2], 3_000],
  [[0, 1, 2, 3, 4, 5, 6, 7], undefined],
  // Old deaths do not count.
  [[0, 1, 2, 3, 4, 5, 6, 400_000], 200],
];
test.each(table)('after deaths at %j it waits %s ms', (deaths, wait) => expect(waitBefore(deaths)).toBe(wait));

describe('a till', () => {
  test('is given its key by message, never on the command line', () => {
    keep();
    last().emit('spawn');
    expect(last().told).toEqual([{ on: 'begin', key: 'AB' }]);
  });

  test('that dies is started again, and what it said last is told', async () => {
    keep();
    last().stderr?.emit('data', Buffer.from('the driver fell over'));
    last().die(139);
    expect(children).toHaveLength(1);
    await clock.advance(200);
    expect(children).toHaveLength(2);
    expect(news).toEqual([{ on: 'died', code: 139, tail: 'the driver fell over' }]);
  });

  test('that dies again and again is given up, until a person starts it', async () => {
    const till = keep();
    for (let death = 0; death < 8; death += 1) {
      last().die(1);
      await clock.advance(30_000);
    }
    expect(news.at(-1)).toEqual({ on: 'givenUp' });
    const before = children.length;
    await clock.advance(3_600_000);
    expect(children).toHaveLength(before);
    till.startAgain();
    expect(children).toHaveLength(before + 1);
  });

  test('says whether it is quiet; one that dies meanwhile says nothing', async () => {
    const till = keep();
    const first = till.ask('quiet');
    last().emit('message', { on: 'quiet', answer: { quiet: false, why: 'a sale is under way' } });
    expect(await first).toEqual({ quiet: false, why: 'a sale is under way' });
    const second = till.ask('quiet');
    last().die(1);
    expect(await second).toBeUndefined();
    expect(await till.ask('quiet')).toBeUndefined();
  });

  test('is asked to end, and killed only when it does not', async () => {
    const till = keep();
    const ended = till.stop();
    expect(last().told).toEqual([{ on: 'stop' }]);
    await clock.advance(119_000);
    expect(last().killed).toBe(0);
    await clock.advance(1_000);
    expect(last().killed).toBe(1);
    last().die(0);
    await ended;
    await clock.advance(3_600_000);
    expect(children).toHaveLength(1);
  });
});
