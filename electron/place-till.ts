/** Where the till of this start lies, made ready for its owners, and what a person has to hear of that. */
import { join } from 'node:path';
import {
  counterFolder,
  type LookingParts,
  makeOwnedFolder,
  ownersOf,
  rightsOf,
  rightsWords,
} from '../src/folder/rights/folder-rights.ts';
import type { WindowsPrograms } from '../src/folder/rights/windows-programs.ts';
import { holdsAnyTill } from '../src/folder/till-begun.ts';

// Where the till's own folder is: the one that `--data` names; on Windows one for this machine, whoever is signed in,
// so that two logins at one counter are one till; elsewhere the app's.

type DataFolderParts = {
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
const sharedFolder = ({ argv, platform, programData }: DataFolderParts): string | undefined => {
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

export type Notice = { message: string; detail: string };

type PlaceParts = DataFolderParts & { platform: NodeJS.Platform; programs?: WindowsPrograms };

/** Makes the folder. Throws `folder.unusable`. */
export const placeTill = ({ programs, ...parts }: PlaceParts): { folder: string; notice?: Notice } => {
  const folder = dataFolder(parts);
  const { platform, programData } = parts;
  makeOwnedFolder(folder, { owners: ownersOf(folder, programData), platform, programs });
  return { folder, notice: isSecondTill(parts) ? secondTill(folder, sharedFolder(parts)) : undefined };
};

const secondTill = (folder: string, shared = ''): Notice => ({
  message: 'There are two tills on this machine.',
  detail:
    `This sign-in sells on a till of its own, in ${folder}. Another sign-in began one for everybody, in ${shared}. ` +
    'Each has its own sales, receipt numbers and closings. Nothing is lost, and this till goes on. Call a technician, ' +
    'who puts one of them out of use.',
});

// What a person has to hear, when the app starts, of who may open the till's folder.

/** Undefined where it is in order; where the system does not tell, too: that is for a technician, in the diagnosis. */
export const rightsNotice = async (folder: string, parts: LookingParts): Promise<Notice | undefined> => {
  const rights = await rightsOf(folder, parts);
  const [message, ...cures] = rights.state === 'unsaid' ? [] : rightsWords(folder, rights);
  if (message === undefined) return undefined;
  return { message, detail: [...cures, 'Nothing is lost, and this till goes on. Call a technician.'].join('\n') };
};
