/** The heartbeat of the till's process: what counts as a hang, and what does not. */
import { beforeEach, expect, test } from 'vitest';
import { usualDeadlines } from '../../electron/deadlines.ts';
import { type Heartbeat, startHeartbeat } from '../../electron/till-run.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const { beatMs, silentBeats, hungBeats } = usualDeadlines;

let clock: VirtualClock;
let heartbeat: Heartbeat;
let news: string[];
let pings: number;

beforeEach(() => {
  clock = virtualClock();
  news = [];
  pings = 0;
  heartbeat = startHeartbeat({
    clock,
    deadlines: usualDeadlines,
    ping() {
      pings += 1;
    },
    silent: (isSilent) => void news.push(isSilent ? 'silent' : 'answers'),
    onHung: () => void news.push('hung'),
  });
});

/** A number of beats, each answered or not. */
const runBeats = async (count: number, isAnswered: boolean): Promise<void> => {
  for (let beat = 0; beat < count; beat += 1) {
    if (isAnswered) heartbeat.onPong();
    await clock.advance(beatMs);
  }
};

const rows: readonly [name: string, play: () => Promise<void>, news: readonly string[]][] = [
  ['a process that answers each beat', () => runBeats(200, true), []],
  ['a process that misses one beat less than the limit', () => runBeats(silentBeats - 1, false), []],
  ['a silent process', () => runBeats(silentBeats, false), ['silent']],
  ['a process one beat before its end', () => runBeats(hungBeats - 1, false), ['silent']],
  ['one that hangs', () => runBeats(hungBeats, false), ['silent', 'hung']],
  ['a process that hangs forever', () => runBeats(5 * hungBeats, false), ['silent', 'hung']],
  [
    'a process that recovers, and hangs later: the count starts again',
    async () => {
      await runBeats(hungBeats - 1, false);
      await runBeats(1, true);
      await runBeats(hungBeats - 1, false);
    },
    ['silent', 'answers', 'silent'],
  ],
];

test.each(rows)('%s', async (_, play, expected) => {
  await play();
  expect(news).toEqual(expected);
});

test('a machine that sleeps again and again causes no kill, because its late beats do not count', async () => {
  for (let night = 0; night < 3 * hungBeats; night += 1) {
    clock.lag(8 * 3_600_000);
    await clock.advance(0);
  }
  expect(news).toEqual([]);
  await runBeats(hungBeats, false);
  expect(news).toEqual(['silent', 'hung']);
});

test('pings at each beat, and stops when it is over', async () => {
  await runBeats(4, true);
  expect(pings).toBe(5);
  heartbeat.stop();
  await clock.advance(3_600_000);
  expect([pings, clock.waiting()]).toEqual([5, 0]);
});

test('does not ping a process that hung', async () => {
  await runBeats(hungBeats, false);
  expect([pings, clock.waiting()]).toEqual([hungBeats, 0]);
});
