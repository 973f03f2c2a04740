/** What fails in a shop, one row each. Most faults are armed for the next request, card or write of their till. */
import type { ChipVerdict, ReadOutcome } from '../../drivers/terminal.ts';
import type { Fate as DiskFate } from '../support/disk/disk.ts';
import { type Fate as RequestFate, type SlowFate, slowFates } from '../support/till/bookkeeping-host.ts';
import type { DayAction } from './day-action.ts';
import { drain } from './sealed-messages.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Usually minutes, and in one of ten cases hours. */
const downForMs = (a: number): number => ((a % 12) + 1) * (a % 10 === 0 ? HOUR_MS / 2 : HOUR_MS / 30);

/** Hits one of the next requests of this till, three times out of five the first. */
const request = (fate: RequestFate, share: number, text: string): DayAction => ({
  share,
  describe: ({ a }) => `(request ${skippedCount(a) + 1} from here ${text})`,
  play: ({ faults }, { a }) => {
    faults.requests.push({ after: skippedCount(a), fate });
  },
});
/** The bank decides after the till has given up; with an integrated terminal, the terminal's host does. */
const bank = (fate: SlowFate, share: number): DayAction => ({
  share,
  describe: ({ a }) => `(the bank decides ${slowFates[fate] / 1_000} s after request ${skippedCount(a) + 1} from here)`,
  play: ({ faults, device }, { a }) => {
    if (device === undefined) faults.requests.push({ after: skippedCount(a), fate });
    else faults.hosts.push(fate);
  },
});
const skippedCount = (a: number): number => Math.max(0, (a % 5) - 2);

/** Hits one of the next operations of this till's disk: a sale makes about twenty. */
const disk = (fate: DiskFate, share: number, text: string, times = 1): DayAction => ({
  share,
  describe: ({ a }) => `(disk operation ${(a % 40) + 1} from here: ${text})`,
  play: ({ faults }, { a }) => {
    faults.disk.push({ after: a % 40, fate, times });
  },
});

const read = (kind: ReadOutcome['kind'] | 'fault', share: number, text: string): DayAction => ({
  share,
  describe: () => `(the next card: ${text})`,
  play: ({ faults }) => {
    faults.reads.push(kind);
  },
});

const chip = (kind: ChipVerdict['kind'] | 'fault', share: number, text: string): DayAction => ({
  share,
  describe: () => `(the next chip's last word: ${text})`,
  play: ({ faults }) => {
    faults.chipVerdicts.push(kind);
  },
});

export const troubles: Readonly<Record<string, DayAction>> = {
  notReached: request('notReached', 10, 'does not reach the gateway'),
  requestLost: request('requestLost', 6, 'is lost on the way'),
  answerLost: request('answerLost', 10, 'is taken, and its answer lost: the gateway died'),
  answerLate: request('answerLate', 4, 'is answered at the last moment'),
  takenLate: request('takenLate', 6, 'is taken long after the till gave up'),
  doubled: request('doubled', 5, 'arrives twice, the second time late'),
  throttled: request('throttled', 3, 'is one too many for the gateway'),
  nonsense: request('nonsense', 4, 'is taken and answered with an unknown code'),
  bankAfter16s: bank('decidedAfter16s', 3),
  bankAfter20s: bank('decidedAfter20s', 3),
  bankAfter60s: bank('decidedAfter60s', 3),
  lineDown: {
    share: 7,
    describe: ({ a }) => `(the store's line goes down for ${downForMs(a) / 60_000} min)`,
    play: ({ store }, { a }) => store.lineDown(downForMs(a)),
  },
  lineUp: { share: 4, describe: () => '(the line is back)', play: ({ store }) => store.lineDown(0) },

  powerCut: disk('powerCut', 9, 'the power is cut before it'),
  powerCutAfter: disk('powerCutAfter', 9, 'the power is cut after it'),
  diskFull: disk('full', 4, 'the disk is full, three times', 3),
  diskFails: disk('failed', 4, 'it fails'),
  diskFailsAfter: disk('failedAfter', 4, 'it completes and is reported as failed'),
  diskSlow: {
    share: 4,
    describe: ({ a }) => `(each disk operation takes ${(a % 900) + 100} ms for a while)`,
    play: ({ faults }, { a }) => {
      faults.slow = { ms: (a % 900) + 100, times: 60 };
    },
  },
  crash: {
    share: 6,
    describe: ({ a }) => `(the program dies ${((a * 7) % 20_000) / 1000} s from here)`,
    play: ({ run }, { a }) => void run.clock.after((a * 7) % 20_000, () => run.die('crash')),
  },
  powerFails: {
    share: 6,
    describe: ({ a }) => `(the power goes ${((a * 7) % 20_000) / 1000} s from here)`,
    play: ({ run }, { a }) => void run.clock.after((a * 7) % 20_000, () => run.die('powerCut')),
  },
  clockJumps: {
    share: 4,
    describe: ({ a }) => `(the till's clock is set ${a % 2 === 0 ? 'forward' : 'back'} by up to a year)`,
    play: ({ clockShift: wall }, { a, b }) => {
      wall.jumpMs += (a % 2 === 0 ? 1 : -1) * Math.floor((YEAR_MS * (b + 1)) / 10_000);
    },
  },

  tc: read('approvedOffline', 5, 'its chip approves by itself'),
  aac: read('declinedOffline', 3, 'its chip declines by itself'),
  notRead: read('notRead', 4, 'is not read'),
  readFails: read('fault', 4, "the terminal's cable is pulled while it is read"),
  chipDeclines: chip('declined', 5, 'no'),
  chipGone: chip('gone', 5, 'it was pulled out'),
  chipFails: chip('fault', 4, 'the terminal restarts before it'),
  terminalGone: {
    share: 3,
    describe: ({ a }) => `(the terminal is gone for ${(a % 120) + 1} s)`,
    play: (station, { a }) => {
      station.faults.noTerminalUntil = station.store.clock.monotonic() + ((a % 120) + 1) * 1_000;
    },
  },

  drain: {
    share: 10,
    describe: () => 'sends the waiting messages while it sells',
    play: (station) => drain(station),
  },
  wait: {
    share: 8,
    describe: ({ a }) => `nobody comes for ${(a % 60) + 1} min`,
    play: (station, { a }) => station.wait(((a % 60) + 1) * 60_000),
  },
  upgrade: {
    share: 3,
    describe: ({ a }) =>
      a % 2 === 0 ? 'gets a new version: its tables are created again' : 'is upgraded from the first version',
    play: (station, { a }) => station.upgrade(a % 2 === 0 ? 'today' : 'firstVersion'),
  },
};
