/** The till's process: started with its key, restarted at growing intervals when it dies, and ended gracefully. */
import { beforeEach, describe, expect, test } from 'vitest';
import { usualDeadlines, waitBefore, waitBeforeReload } from '../../electron/deadlines.ts';
import { keepTill } from '../../electron/till-process.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type FakeChild, fakeChild } from './fake-electron.ts';

let clock: VirtualClock;
let children: FakeChild[];
let events: unknown[];

beforeEach(() => {
  clock = virtualClock();
  children = [];
  events = [];
});

const startKeeper = () =>
  keepTill({
    clock,
    fork() {
      const child = fakeChild();
      children.push(child);
      return child;
    },
    begin: () => ({ on: 'begin', key: 'AB', code: 'a-code' }),
    tell: (one) => void events.push(one),
  });

const last = (): FakeChild => {
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

const pages: readonly [deaths: number[], wait: number | undefined][] = [
  [[0], 0],
  [[0, 1_000], 1_000],
  [[0, 1, 2], 5_000],
  [[0, 1, 2, 3], 15_000],
  [[0, 1, 2, 3, 4], undefined],
  [[0, 1, 2, 3, 400_000], 0],
];
test.each(pages)('after ends at %j the page is loaded in %s ms', (deaths, wait) =>
  expect(waitBeforeReload(deaths)).toBe(wait),
);

describe('a till', () => {
  test('gets its key by message, never on the command line', () => {
    startKeeper();
    last().emit('spawn');
    expect(last().messages).toEqual([{ on: 'begin', key: 'AB', code: 'a-code' }]);
  });

  test('that dies is restarted, and its last output is reported', async () => {
    startKeeper();
    last().stderr?.emit('data', Buffer.from('the driver fell over'));
    last().die(139);
    expect(children).toHaveLength(1);
    await clock.advance(200);
    expect(children).toHaveLength(2);
    expect(events).toEqual([{ on: 'died', how: 'exit code 139', tail: 'the driver fell over' }]);
  });

  test('that dies again and again is given up, until a person starts it', async () => {
    const till = startKeeper();
    for (let death = 0; death < 8; death += 1) {
      last().die(1);
      await clock.advance(30_000);
    }
    expect(events.at(-1)).toEqual({ on: 'givenUp' });
    const startCount = children.length;
    await clock.advance(3_600_000);
    expect(children).toHaveLength(startCount);
    till.startAgain();
    expect(children).toHaveLength(startCount + 1);
  });

  test('whose folder another one uses is ended gracefully, counts as no death, and waits for a person', async () => {
    const till = startKeeper();
    for (let start = 0; start < 10; start += 1) {
      last().emit('message', { on: 'held', by: 'other' });
      expect([last().messages, events]).toEqual([[{ on: 'stop' }], []]);
      last().die(0);
      expect(events.splice(0)).toEqual([{ on: 'held', by: 'other' }]);
      await clock.advance(3_600_000);
      expect(children).toHaveLength(start + 1);
      till.startAgain();
      expect(children).toHaveLength(start + 2);
    }
    last().die(139);
    await clock.advance(200);
    expect(children).toHaveLength(12);
  });

  test('whose folder was held once and that dies later is reported as dead', async () => {
    const till = startKeeper();
    last().emit('message', { on: 'held', by: 'self' });
    last().die(0);
    till.startAgain();
    last().die(139);
    expect(events.slice(1)).toEqual([{ on: 'died', how: 'exit code 139', tail: '' }]);
  });

  test('that is ended while its folder is held reports nothing', async () => {
    const till = startKeeper();
    last().emit('message', { on: 'held', by: 'other' });
    const exited = till.stop();
    last().die(0);
    await exited;
    expect([events, last().messages]).toEqual([[], [{ on: 'stop' }]]);
  });

  test('reports whether it is idle; one that dies meanwhile reports nothing', async () => {
    const till = startKeeper();
    const first = till.ask('quiet');
    expect(last().messages).toEqual([{ on: 'ask', question: 'quiet', number: 1 }]);
    last().emit('message', { on: 'quiet', number: 1, answer: { quiet: false, why: 'a sale is in progress' } });
    expect(await first).toEqual({ quiet: false, why: 'a sale is in progress' });
    const second = till.ask('quiet');
    last().die(1);
    expect(await second).toBeUndefined();
    expect(await till.ask('quiet')).toBeUndefined();
  });

  test('that does not answer in time reports nothing, and its late answer does not count for a later request', async () => {
    const till = startKeeper();
    const first = till.ask('quiet');
    await clock.advance(usualDeadlines.answerMs);
    expect(await first).toBeUndefined();
    const second = till.ask('quiet');
    last().emit('message', { on: 'quiet', number: 1, answer: { quiet: true } });
    last().emit('message', { on: 'quiet', number: 2, answer: { quiet: false, why: 'a sale is in progress' } });
    expect(await second).toEqual({ quiet: false, why: 'a sale is in progress' });
  });

  test('is asked to end, and killed only if it does not', async () => {
    const till = startKeeper();
    const exited = till.stop();
    expect(last().messages).toEqual([{ on: 'stop' }]);
    await clock.advance(119_000);
    expect(last().killed).toBe(0);
    await clock.advance(1_000);
    expect(last().killed).toBe(1);
    last().die(0);
    await exited;
    await clock.advance(3_600_000);
    expect(children).toHaveLength(1);
    expect(events).toEqual([
      { on: 'died', how: 'it had not ended 120 seconds after it was told to, and was killed', tail: '' },
    ]);
  });

  test('that the system cannot end keeps nobody waiting', async () => {
    const till = startKeeper();
    let isOver = false;
    void till.stop().then(() => {
      isOver = true;
    });
    await clock.advance(usualDeadlines.stopMs + usualDeadlines.goneMs - 1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect([isOver, last().killed, events]).toEqual([true, 1, []]);
  });

  test('is told to end once, however often that is requested', async () => {
    const till = startKeeper();
    const ends = [till.stop(), till.stop()];
    last().die(0);
    await Promise.all(ends);
    expect(last().messages).toEqual([{ on: 'stop' }]);
  });

  test('that is ended before it was there gets no key', () => {
    const till = startKeeper();
    void till.stop();
    last().emit('spawn');
    expect(last().messages).toEqual([{ on: 'stop' }]);
  });

  test('whose death cannot be recorded is restarted all the same', async () => {
    keepTill({
      clock,
      fork() {
        children.push(fakeChild());
        return last();
      },
      begin: () => ({ on: 'begin', code: 'a-code' }),
      tell() {
        throw new Error('the disk is full');
      },
    });
    expect(() => last().die(1)).toThrowError('the disk is full');
    await clock.advance(200);
    expect(children).toHaveLength(2);
  });
});

describe('a till that hangs', () => {
  const { beatMs, silentBeats, hungBeats, startMs, goneMs } = usualDeadlines;
  const expectedHow = 'it hung: it did not answer for 60 seconds, and was killed';

  test('while serving is reported as silent, killed, and restarted when it is gone', async () => {
    startKeeper();
    last().emit('message', { on: 'listening' });
    expect(last().messages).toEqual([{ on: 'ping' }]);
    await clock.advance(silentBeats * beatMs);
    expect(events).toEqual([{ on: 'listening' }, { on: 'silent', isSilent: true }]);
    await clock.advance((hungBeats - silentBeats) * beatMs);
    expect([last().killed, children.length]).toEqual([1, 1]);
    last().die(9);
    expect(events.slice(2)).toEqual([{ on: 'died', how: expectedHow, tail: '' }]);
    await clock.advance(200);
    expect(children).toHaveLength(2);
  });

  test('and that the system cannot end is reported, and restarted when it is gone at last', async () => {
    startKeeper();
    last().emit('message', { on: 'listening' });
    await clock.advance(hungBeats * beatMs + goneMs - 1);
    expect(events).not.toContainEqual({ on: 'stuck' });
    await clock.advance(3_600_000);
    expect(events.slice(2)).toEqual([{ on: 'stuck' }]);
    expect([last().killed, children.length]).toEqual([1, 1]);
    last().die(9);
    await clock.advance(200);
    expect([children.length, clock.waiting()]).toEqual([2, 1]);
  });

  test('is left alone as long as it answers', async () => {
    startKeeper();
    last().emit('message', { on: 'listening' });
    for (let beat = 0; beat < 100; beat += 1) {
      last().emit('message', { on: 'pong' });
      await clock.advance(beatMs);
    }
    expect([last().killed, events]).toEqual([0, [{ on: 'listening' }]]);
  });

  test('each time it listens is given up at last: its silence does not separate its deaths', async () => {
    startKeeper();
    for (let death = 0; death < 8; death += 1) {
      last().emit('message', { on: 'listening' });
      await clock.advance(hungBeats * beatMs);
      last().die(9);
      await clock.advance(30_000);
    }
    expect(events.at(-1)).toEqual({ on: 'givenUp' });
  });

  test('while starting is killed, and gets twice the time at the next start', async () => {
    startKeeper();
    const starts = [
      { times: 1, wait: 200 },
      { times: 2, wait: 1_000 },
      { times: 4, wait: 3_000 },
    ];
    for (const { times, wait } of starts) {
      await clock.advance(times * startMs - 1);
      expect(last().killed).toBe(0);
      await clock.advance(1);
      expect(last().killed).toBe(1);
      last().die(9);
      expect(events.at(-1)).toMatchObject({
        how: `it had not started after ${times * 600} seconds, and was killed`,
      });
      await clock.advance(wait);
    }
    last().emit('message', { on: 'listening' });
    last().die(1);
    await clock.advance(10_000);
    expect(children).toHaveLength(5);
    await clock.advance(startMs);
    expect(last().killed).toBe(1);
  });

  test('while ending is killed after its last beat, not restarted, and reported', async () => {
    const till = startKeeper();
    last().emit('message', { on: 'listening' });
    const exited = till.stop();
    await clock.advance(hungBeats * beatMs);
    expect(last().killed).toBe(1);
    last().die(9);
    await exited;
    await clock.advance(3_600_000);
    expect(events.at(-1)).toEqual({ on: 'died', how: expectedHow, tail: '' });
    expect([children.length, clock.waiting()]).toEqual([1, 0]);
  });
});
