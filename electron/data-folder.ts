/**
 * Where the till's own folder is: the one that `--data` names; on Windows one for this machine, whoever is signed in,
 * so that two logins at one counter are one till; elsewhere the app's.
 */
import { join } from 'node:path';
import { counterFolder } from '../src/folder/rights/folder-rights.ts';
import { holdsAnyTill } from '../src/folder/till-begun.ts';

export type DataFolderParts = {
  argv: readonly string[];
  /** The app's own folder, of this login. */
  userData: string;
  platform: string;
  /** Of Windows: the folder of a machine's programs for all its users. */
  programData: string | undefined;
  /** Whether a till was begun there. */
  holdsTill?(folder: string): boolean;
};

/** This login's own till folder. */
export const ownFolder = ({ userData }: Pick<DataFolderParts, 'userData'>): string => join(userData, 'till');

/** The folder of the till that all logins have together; undefined where each has its own, or one was named. */
export const sharedFolder = ({ argv, platform, programData }: DataFolderParts): string | undefined => {
  if (named(argv) !== undefined || platform !== 'win32' || programData === undefined || programData === '') return;
  return join(counterFolder(programData), 'till');
};

const named = (argv: readonly string[]): string | undefined => {
  const at = argv.indexOf('--data');
  return at < 0 ? undefined : argv[at + 1];
};

/**
 * A till that an older version began in a login's own folder goes on there, though another login has begun one for all
 * meanwhile: sales may wait in it that were never sent.
 */
export const dataFolder = (parts: DataFolderParts): string => {
  const own = ownFolder(parts);
  const shared = sharedFolder(parts);
  const { holdsTill = holdsAnyTill } = parts;
  return named(parts.argv) ?? (shared === undefined || holdsTill(own) ? own : shared);
};

/** Whether this login goes on with a till of its own though there is one for all: two tills, with two journals. */
export const isSecondTill = (parts: DataFolderParts): boolean => {
  const shared = sharedFolder(parts);
  const { holdsTill = holdsAnyTill } = parts;
  return shared !== undefined && holdsTill(shared) && holdsTill(ownFolder(parts));
};
