/** One run of the till's process: watched while it starts, while it serves, and while it ends. */
import type { UtilityProcess } from 'electron';
import { type Clock, deadline } from '../src/base/clock.ts';
import type { FolderHolder } from '../src/folder/till-folder.ts';
import type { Deadlines } from './deadlines.ts';
import type { FromTill, ToTill } from './till.ts';

export type RunEnd = {
  /** `exit code 139`, or why it was killed. */
  how: string;
  /** The last lines of its output. */
  tail: string;
  /** Only for a run that was killed. */
  forced?: ForcedEnd;
  /** Only for a run that ended because another program uses the till's folder. */
  heldBy?: FolderHolder;
};

/** `lostMs`: the time spent waiting in vain. */
type ForcedEnd = { during: 'start' | 'service' | 'stop'; lostMs: number };

export type RunParts = {
  clock: Clock;
  deadlines: Deadlines;
  /** How long this run may take to start or to report progress, ms. */
  startMs: number;
  fork(): UtilityProcess;
  begin(): ToTill;
  onMessage(message: FromTill): void;
  silent(isSilent: boolean): void;
  /** The till was killed, and is not gone in time. */
  stuck(): void;
  onEnd(end: RunEnd): void;
};

export type TillRun = {
  send(message: ToTill): void;
  /** Asks it to end, and kills it if it does not. Resolves when it is gone, or when nothing more can be done. */
  stop(): Promise<void>;
};

const TAIL_CHARACTERS = 4_000;

/** The end of the child's output. */
const tailOf = (child: UtilityProcess): (() => string) => {
  let tail = '';
  const appendTail = (bytes: Buffer): void => {
    tail = `${tail}${bytes.toString()}`.slice(-TAIL_CHARACTERS);
  };
  child.stdout?.on('data', appendTail);
  child.stderr?.on('data', appendTail);
  return () => tail;
};

const describeEnd = ({ during, lostMs }: ForcedEnd): string => {
  const seconds = Math.round(lostMs / 1_000);
  const phases = {
    start: `it had not started after ${seconds} seconds`,
    service: `it hung: it did not answer for ${seconds} seconds`,
    stop: `it had not ended ${seconds} seconds after it was told to`,
  };
  return `${phases[during]}, and was killed`;
};

export const startRun = ({ clock, deadlines, startMs, fork, begin, ...parts }: RunParts): TillRun => {
  const child = fork();
  const tail = tailOf(child);
  let forced: ForcedEnd | undefined;
  let heartbeat: Heartbeat | undefined;
  let stopped: Promise<void> | undefined;
  let heldBy: FolderHolder | undefined;
  let onGone = (): void => {};

  const force = (reason: ForcedEnd): void => {
    forced = reason;
    endByForce(child);
    onGone();
    onGone = deadline(clock, deadlines.goneMs, () => {
      if (stopped === undefined) parts.stuck();
    });
  };
  const starting = () => deadline(clock, startMs, () => force({ during: 'start', lostMs: startMs }));
  let started = starting();
  const listens = (): Heartbeat => {
    started();
    const { silent } = parts;
    const ping = (): void => child.postMessage({ on: 'ping' } satisfies ToTill);
    const onHung = (): void => force({ during: 'service', lostMs: deadlines.beatMs * deadlines.hungBeats });
    return startHeartbeat({ clock, deadlines, ping, silent, onHung });
  };

  child.on('message', (message: FromTill) => {
    if (message.on === 'listening') heartbeat ??= listens();
    else if (heartbeat !== undefined) heartbeat.onPong();
    else if (message.on === 'indexing') {
      started();
      started = starting();
    }
    if (message.on === 'held') {
      heldBy = message.by;
      void stop();
    }
    parts.onMessage(message);
  });
  child.once('spawn', () => {
    if (stopped === undefined) child.postMessage(begin());
  });
  child.once('exit', (code) => {
    started();
    onGone();
    heartbeat?.stop();
    const how = forced === undefined ? `exit code ${code}` : describeEnd(forced);
    parts.onEnd({ how, tail: tail(), forced, heldBy });
  });

  const stop = (): Promise<void> => {
    stopped ??= endInPeace(child, { clock, deadlines, force: (lostMs) => force({ during: 'stop', lostMs }) });
    return stopped;
  };
  return { send: (message) => child.postMessage(message), stop };
};

type Ending = Pick<RunParts, 'clock' | 'deadlines'> & { force(lostMs: number): void };

const endInPeace = (child: UtilityProcess, { clock, deadlines, force }: Ending): Promise<void> => {
  const { stopMs, goneMs } = deadlines;
  return new Promise((resolve) => {
    let cancel = deadline(clock, stopMs, () => {
      force(stopMs);
      cancel = deadline(clock, goneMs, resolve);
    });
    child.once('exit', () => {
      cancel();
      resolve();
    });
    child.postMessage({ on: 'stop' } satisfies ToTill);
  });
};

// Ends a process that cannot be asked to end.

/**
 * The system ends it, whatever it does: Electron's own `kill` sends SIGTERM, which a stopped process never gets. On
 * Windows both end it at once.
 */
const endByForce = (child: Pick<UtilityProcess, 'pid' | 'kill'>): void => {
  try {
    if (child.pid === undefined) child.kill();
    else process.kill(child.pid, 'SIGKILL');
  } catch {
    // The process is already gone, and its `exit` event is on the way.
    child.kill();
  }
};

// Whether the till's process still runs its event loop: pinged at each beat, and given up after a number of beats
// without an answer. The shell's own timers count the beats, one after the other: a machine that slept, or a shell that
// was delayed itself, makes one late beat, which does not count.

export type HeartbeatParts = {
  clock: Clock;
  deadlines: Pick<Deadlines, 'beatMs' | 'silentBeats' | 'hungBeats'>;
  ping(): void;
  /** The till does not answer, or answers again. */
  silent(isSilent: boolean): void;
  /** It has been silent for so long that no answer is expected any more. Called once; then the pings stop. */
  onHung(): void;
};

export type Heartbeat = {
  /** Any message from the till. */
  onPong(): void;
  stop(): void;
};

/** Starts at once. */
export const startHeartbeat = ({ clock, deadlines, ping, silent, onHung }: HeartbeatParts): Heartbeat => {
  const { beatMs, silentBeats, hungBeats } = deadlines;
  let missed = 0;
  let isAnswered = false;
  let stop = (): void => {};

  const onBeat = (): void => {
    isAnswered = false;
    ping();
    const due = clock.monotonic() + beatMs;
    stop = clock.after(beatMs, () => {
      const isLate = clock.monotonic() - due >= beatMs;
      if (!isAnswered && !isLate) missed += 1;
      if (missed >= hungBeats) return onHung();
      if (!isAnswered && !isLate && missed === silentBeats) silent(true);
      onBeat();
    });
  };

  onBeat();
  return {
    onPong() {
      isAnswered = true;
      if (missed >= silentBeats) silent(false);
      missed = 0;
    },
    stop: () => stop(),
  };
};
