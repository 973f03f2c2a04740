/**
 * Updates that wait until the till is idle, and are undone if the new version does not work. The installer of each
 * version is stored, so that going back is possible; the steps taken are in `updates.json`. Pure, apart from its ports.
 */
import type { QuietState } from '../src/app/till-health.ts';
import type { Clock } from '../src/base/clock.ts';

/** `sha256`: of the stored file, hex; older notes have none. */
export type StoredInstaller = { version: string; installer: string; sha256?: string };

export type UpdateState = {
  /** Stored installers, newest first: this version's, the previous one's, and that of the first one here. */
  kept: readonly StoredInstaller[];
  /** The version that a person installed, before any update. */
  first?: string;
  /**
   * A version on trial: how often it was started without running long enough, and how often the app has tried to
   * replace it since.
   */
  trial?: { version: string; before: string; starts: number; returns?: number };
  /** Versions that did not work: never installed automatically again. */
  bad: readonly string[];
  /** A version that was not in place after it was installed, and how often. */
  failed?: { version: string; times: number };
  /** The arguments for the start of the version that was installed last: see `trial.ts`. */
  args?: readonly string[];
};

/** `ways`: the versions to go back to, the best first. `notInPlace`: another one was installed, yet this one starts. */
type Decision =
  | { kind: 'run' }
  | { kind: 'notInPlace'; version: string }
  | { kind: 'goBack'; ways: readonly StoredInstaller[] }
  | { kind: 'noWayBack' };

export const nothingYet: UpdateState = { kept: [], bad: [] };

/** How often a new version may be started without running for `LIVES_MS`. */
const STARTS_MOST = 3;
/** How often going back is attempted, once at each start: a disk may be full, or a file open, for a while. */
const RETURNS_MOST = 3;
/** After this time without a death of the till's process the version stays. */
export const LIVES_MS = 10 * 60_000;

/** The decision at a start of this version, and the new state. */
export const onStart = (state: UpdateState, version: string): { state: UpdateState; decision: Decision } => {
  const { trial } = state;
  if (trial === undefined) return { state, decision: { kind: 'run' } };
  if (trial.version !== version) return onOtherStart(state, trial.version);
  if (trial.starts < STARTS_MOST)
    return { state: { ...state, trial: { ...trial, starts: trial.starts + 1 } }, decision: { kind: 'run' } };
  const { returns = 0 } = trial;
  const bad = [...state.bad.filter((one) => one !== version), version];
  const ways = waysBack(state, trial);
  if (ways.length === 0 || returns >= RETURNS_MOST)
    return { state: { ...withoutTrial(state), bad }, decision: { kind: 'noWayBack' } };
  return { state: { ...state, bad, trial: { ...trial, returns: returns + 1 } }, decision: { kind: 'goBack', ways } };
};

/** The version that starts is not the one on trial, which was rolled back or never put in place. */
const onOtherStart = (state: UpdateState, version: string): { state: UpdateState; decision: Decision } =>
  state.bad.includes(version)
    ? { state: withoutTrial(state), decision: { kind: 'run' } }
    : { state: onFailed(state, version), decision: { kind: 'notInPlace', version } };

const waysBack = (
  { kept, first }: UpdateState,
  { version, before }: { version: string; before: string },
): StoredInstaller[] =>
  [...new Set([before, first])].flatMap((goal) => kept.filter((one) => one.version === goal && goal !== version));

/** The version on trial has run long enough: it stays. */
export const onLived = (state: UpdateState): UpdateState => withoutTrial(state);

/** A start that proves nothing about this version is not counted. */
export const onUncounted = (state: UpdateState, version: string): UpdateState => withStarts(state, version, -1);

/** The start is counted again. */
export const onCounted = (state: UpdateState, version: string): UpdateState => withStarts(state, version, 1);

const withStarts = (state: UpdateState, version: string, change: number): UpdateState => {
  const { trial } = state;
  if (trial?.version !== version) return state;
  return { ...state, trial: { ...trial, starts: Math.max(0, trial.starts + change) } };
};

/** This version's own installer was found: if none was stored before, it is the first one here. */
export const onOwnFound = (state: UpdateState, own: StoredInstaller): UpdateState => ({
  ...state,
  kept: [...state.kept.filter(({ version }) => version !== own.version), own],
  first: state.first ?? own.version,
});

/**
 * Before `to` is installed over `from`, which was started with `args`: both installers stay, and the first; the others
 * are returned to be removed.
 */
export const onInstall = (
  state: UpdateState,
  { from, to, args }: { from: string; to: StoredInstaller; args: readonly string[] },
): { state: UpdateState; remove: readonly string[] } => {
  const saved = [to, ...state.kept.filter(({ version }) => version !== to.version)];
  const first = state.first ?? saved.at(-1)?.version;
  const retained = saved.filter(({ version }) => [to.version, from, first].includes(version));
  const remove = saved.filter((one) => !retained.includes(one)).map(({ installer }) => installer);
  return {
    state: { ...state, kept: retained, args, trial: { version: to.version, before: from, starts: 0 }, first },
    remove: remove.filter((path) => retained.every(({ installer }) => installer !== path)),
  };
};

/**
 * Each failed attempt costs a shop its till for a minute, or until somebody starts it: a version gets no more attempts
 * than this.
 */
const TRIES_MOST = 3;

/** It was to be installed, and is not in place: nothing is on trial, and it is tried again later. */
export const onFailed = (state: UpdateState, version: string): UpdateState => ({
  ...withoutTrial(state),
  failed: { version, times: triesOf(state, version) + 1 },
});

const triesOf = ({ failed }: UpdateState, version: string): number => (failed?.version === version ? failed.times : 0);

/** Whether this version is not tried again; a later version would be. */
export const isOutOfTries = (state: UpdateState, version: string): boolean => triesOf(state, version) >= TRIES_MOST;

const withoutTrial = ({ trial: _, ...state }: UpdateState): UpdateState => state;

export type UpdateWait = {
  clock: Clock;
  /** Whether the till may be ended now; undefined if it does not answer. */
  quiet(): Promise<QuietState | undefined>;
  install(): void;
  /** Why it waits, for the technician. */
  waits(reason: string): void;
};

const ASK_AGAIN_MS = 60_000;
/** A short pause between two customers is not enough: it has to be idle at each check. */
const QUIET_ROUNDS = 10;

/** Installs as soon as the till has been idle for ten minutes. The returned function cancels it. */
export const installWhenQuiet = ({ clock, quiet, install, waits }: UpdateWait): (() => void) => {
  let rounds = 0;
  let isOver = false;
  let stop = (): void => {};
  const check = async (): Promise<void> => {
    const answer = await quiet();
    if (isOver) return;
    // A till that does not answer may have a payment with an unknown ending.
    rounds = answer?.quiet === true ? rounds + 1 : 0;
    if (rounds >= QUIET_ROUNDS) return install();
    waits(
      answer?.why ?? (answer === undefined ? 'the till does not answer' : 'the till has not been idle long enough'),
    );
    stop = clock.after(ASK_AGAIN_MS, () => void check());
  };
  void check();
  return () => {
    isOver = true;
    stop();
  };
};
