/** How the version on trial fares in this run of the app, written down in its notes. */
import type { Clock } from '../src/base/clock.ts';
import { wordsOf } from '../src/base/fault.ts';
import type { UpdateFiles } from './update-files.ts';
import { LIVES_MS, onCounted, onLived, onUncounted, type UpdateState } from './updates.ts';

export type Trial = {
  /** The till listens. */
  listening(): void;
  died(): void;
  /** Another program works on its folder: whatever version this is, it could not have started. */
  held(): void;
  /** A person has it started again. */
  again(): void;
};

type TrialParts = {
  clock: Clock;
  files: UpdateFiles;
  version: string;
  /** Writes a report. */
  crash(process: string, how: string, tail: string): unknown;
};

/** This start of the app has been counted. */
export const keepTrial = ({ clock, files, version, crash }: TrialParts): Trial => {
  let lived = (): void => {};
  let isCounted = true;
  let hasDied = false;
  /** A full disk takes no note: the till goes on without. */
  const note = (state: UpdateState): void => {
    try {
      files.write(state);
    } catch (error) {
      crash('updater', `how this version fares could not be noted: ${wordsOf(error)}`, '');
    }
  };
  return {
    listening() {
      lived = clock.after(LIVES_MS, () => note(onLived(files.read())));
    },
    died() {
      lived();
      hasDied = true;
    },
    held() {
      lived();
      if (!isCounted || hasDied) return;
      note(onUncounted(files.read(), version));
      isCounted = false;
    },
    again() {
      if (!isCounted) note(onCounted(files.read(), version));
      isCounted = true;
    },
  };
};
