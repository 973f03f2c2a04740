/** What a start means after an update: this version runs, or another one that was kept takes its place. */
import { wordsOf } from '../src/base/fault.ts';
import { type PutParts, putInPlace } from './put-in-place.ts';
import type { UpdateFiles } from './update-files.ts';
import { onStart } from './updates.ts';

export type StartParts = {
  /** That is started. */
  version: string;
  files: UpdateFiles;
  /** How another version gets in place of this one. */
  put: Omit<PutParts, 'installer'>;
  /** Writes a report. */
  crash(process: string, how: string, tail: string): unknown;
};

/** True when this version did not live and another one has taken over: this process has nothing left but to end. */
export const goBackIfBad = async ({ version, files, put, crash }: StartParts): Promise<boolean> => {
  const { state, decision } = onStart(files.read(), version);
  try {
    files.write(decision.kind === 'goBack' ? { ...state, args: put.args } : state);
  } catch (error) {
    // What is not noted is not bounded: a version is put in place of this one when the disk takes the note.
    crash('updater', `this start could not be noted: ${wordsOf(error)}`, '');
    return false;
  }
  if (decision.kind === 'notInPlace')
    crash('updater', `version ${decision.version} was installed and is not in place: version ${version} goes on`, '');
  if (decision.kind !== 'goBack') return false;
  for (const way of decision.ways) {
    try {
      if (!files.isWhole(way)) throw new Error(`${way.installer} is not as it was kept`);
      await putInPlace({ ...put, installer: way.installer });
      crash('app', `went back to version ${way.version}: this one ended again and again`, '');
      return true;
    } catch (error) {
      crash('app', `could not go back to version ${way.version}: ${wordsOf(error)}`, '');
    }
  }
  return false;
};
