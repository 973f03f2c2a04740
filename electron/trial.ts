/** How the version on trial fares in this run of the app, written down in its notes. */
import type { Clock } from '../src/base/clock.ts';
import type { UpdateFiles } from './update-files.ts';
import { LIVES_MS, onCounted, onLived, onUncounted } from './updates.ts';

export type Trial = {
  /** The till listens. */
  listening(): void;
  died(): void;
  /** Another program works on its folder: whatever version this is, it could not have started. */
  held(): void;
  /** A person has it started again. */
  again(): void;
};

type TrialParts = { clock: Clock; files: UpdateFiles; version: string };

/** This start of the app has been counted. */
export const keepTrial = ({ clock, files, version }: TrialParts): Trial => {
  let lived = (): void => {};
  let isCounted = true;
  let hasDied = false;
  return {
    listening() {
      lived = clock.after(LIVES_MS, () => files.write(onLived(files.read())));
    },
    died() {
      lived();
      hasDied = true;
    },
    held() {
      lived();
      if (!isCounted || hasDied) return;
      files.write(onUncounted(files.read(), version));
      isCounted = false;
    },
    again() {
      if (!isCounted) files.write(onCounted(files.read(), version));
      isCounted = true;
    },
  };
};
