/**
 * Updates that wait for a quiet till, and go back when the new version does not live. The installer of each version is
 * kept, so that there is something to go back to; what was done stands in `updates.json`. Pure but for its ports.
 */
import type { Clock } from '../src/base/clock.ts';

export type UpdateState = {
  /** Installers that are kept, by version, newest first: this version's and the one's before. */
  kept: readonly { version: string; installer: string }[];
  /** A version on trial: how often it was started without having lived long enough. */
  trial?: { version: string; before: string; starts: number };
  /** Did not live: never installed again by itself. */
  bad: readonly string[];
};

export type Decision = { kind: 'run' } | { kind: 'goBack'; to: string; installer: string } | { kind: 'noWayBack' };

export const nothingYet: UpdateState = { kept: [], bad: [] };

/** A new version may be started so often without living for `LIVES_MS`. */
const STARTS_MOST = 3;
/** So long without the till's process dying, and the version stays. */
export const LIVES_MS = 10 * 60_000;

/** What a start of this version means, and the state after it. */
export const onStart = (state: UpdateState, version: string): { state: UpdateState; decision: Decision } => {
  const { trial } = state;
  if (trial?.version !== version) return { state: withoutTrial(state), decision: { kind: 'run' } };
  if (trial.starts < STARTS_MOST)
    return { state: { ...state, trial: { ...trial, starts: trial.starts + 1 } }, decision: { kind: 'run' } };
  const back = state.kept.find((one) => one.version === trial.before);
  const after = { ...withoutTrial(state), bad: [...state.bad, version] };
  if (back === undefined) return { state: after, decision: { kind: 'noWayBack' } };
  return { state: after, decision: { kind: 'goBack', to: back.version, installer: back.installer } };
};

/** It has lived: it stays. */
export const onLived = (state: UpdateState): UpdateState => withoutTrial(state);

/** Before `to` is installed over `from`: both installers stay, older ones are given back to be removed. */
export const onInstall = (
  state: UpdateState,
  { from, to, installer }: { from: string; to: string; installer: string },
): { state: UpdateState; remove: readonly string[] } => {
  const kept = [{ version: to, installer }, ...state.kept.filter(({ version }) => version !== to)];
  const [stays, goes] = [kept.slice(0, 2), kept.slice(2)];
  return {
    state: { ...state, kept: stays, trial: { version: to, before: from, starts: 0 } },
    remove: goes.map((one) => one.installer).filter((path) => stays.every((one) => one.installer !== path)),
  };
};

const withoutTrial = ({ kept, bad }: UpdateState): UpdateState => ({ kept, bad });

export type Quiet = { quiet: boolean; why?: string };

export type UpdateWait = {
  clock: Clock;
  /** Whether the till may be ended now; undefined when it does not answer. */
  quiet(): Promise<Quiet | undefined>;
  install(): void;
  /** Why it waits, for the technician. */
  waits(why: string): void;
};

const ASK_AGAIN_MS = 60_000;
/** Quiet by chance between two customers is no quiet: it has to be so each time for so long. */
const QUIET_ROUNDS = 10;

/** Installs as soon as the till has been quiet for ten minutes. The returned function gives it up. */
export const installWhenQuiet = ({ clock, quiet, install, waits }: UpdateWait): (() => void) => {
  let rounds = 0;
  let isOver = false;
  let stop = (): void => {};
  const look = async (): Promise<void> => {
    const answer = await quiet();
    if (isOver) return;
    // A till that does not answer may have money that nobody knows the end of.
    rounds = answer?.quiet === true ? rounds + 1 : 0;
    if (rounds >= QUIET_ROUNDS) return install();
    waits(answer?.why ?? (answer === undefined ? 'the till does not answer' : 'the till has been quiet for too short'));
    stop = clock.after(ASK_AGAIN_MS, () => void look());
  };
  void look();
  return () => {
    isOver = true;
    stop();
  };
};
