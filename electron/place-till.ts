/** The folder of this start's till, prepared for its owners, and the warnings about it for a person. */
import { join } from 'node:path';
import {
  counterFolder,
  type LookingParts,
  makeOwnedFolder,
  ownersOf,
  rightsOf,
  rightsText,
} from '../src/folder/rights/folder-rights.ts';
import type { WindowsPrograms } from '../src/folder/rights/windows-programs.ts';
import { holdsAnyTill } from '../src/folder/till-exists.ts';

// The till's folder: the one named by `--data`; on Windows one for the machine, whoever is signed in, so that two
// logins at one counter share one till; elsewhere the app's.

type DataFolderParts = {
  argv: readonly string[];
  /** The app's own folder for this login. */
  userData: string;
  platform: string;
  /** On Windows: the folder for data of all users of the machine. */
  programData: string | undefined;
  holdsTill?(folder: string): boolean;
};

/** This login's own till folder. */
export const ownFolder = ({ userData }: Pick<DataFolderParts, 'userData'>): string => join(userData, 'till');

/** The folder of the till shared by all logins; undefined if each has its own, or if one was named. */
const sharedFolder = ({ argv, platform, programData }: DataFolderParts): string | undefined => {
  if (ownArgument(argv) !== undefined || platform !== 'win32' || programData === undefined || programData === '')
    return;
  return join(counterFolder(programData), 'till');
};

const ownArgument = (argv: readonly string[]): string | undefined => {
  const i = argv.indexOf('--data');
  return i < 0 ? undefined : argv[i + 1];
};

/**
 * A till that an older version created in a login's own folder stays there, even if another login has created a shared
 * one meanwhile: it may contain unsent sales.
 */
export const dataFolder = (parts: DataFolderParts): string => {
  const own = ownFolder(parts);
  const shared = sharedFolder(parts);
  const { holdsTill = holdsAnyTill } = parts;
  return ownArgument(parts.argv) ?? (shared === undefined || holdsTill(own) ? own : shared);
};

/** Whether this login keeps its own till although there is a shared one: two tills, with two journals. */
export const isSecondTill = (parts: DataFolderParts): boolean => {
  const shared = sharedFolder(parts);
  const { holdsTill = holdsAnyTill } = parts;
  return shared !== undefined && holdsTill(shared) && holdsTill(ownFolder(parts));
};

export type Notice = { message: string; detail: string };

type PlaceParts = DataFolderParts & { platform: NodeJS.Platform; programs?: WindowsPrograms };

/** Creates the folder. Throws `folder.unusable`. */
export const placeTill = ({ programs, ...parts }: PlaceParts): { folder: string; notice?: Notice } => {
  const folder = dataFolder(parts);
  const { platform, programData } = parts;
  makeOwnedFolder(folder, { owners: ownersOf(folder, programData), platform, programs });
  return { folder, notice: isSecondTill(parts) ? secondTill(folder, sharedFolder(parts)) : undefined };
};

const secondTill = (folder: string, shared = ''): Notice => ({
  message: 'There are two tills on this machine.',
  detail:
    `This sign-in sells on its own till, in ${folder}. Another sign-in created one for everybody, in ${shared}. ` +
    'Each has its own sales, receipt numbers and closings. Nothing is lost, and this till keeps working. Call a technician, ' +
    'who will take one of them out of use.',
});

// The warning at the app's start about who may open the till's folder.

/**
 * Undefined if the folder is in order, or if the system does not report it: that is for a technician, in the diagnosis.
 */
export const rightsNotice = async (folder: string, parts: LookingParts): Promise<Notice | undefined> => {
  const rights = await rightsOf(folder, parts);
  const [message, ...hints] = rights.state === 'unsaid' ? [] : rightsText(folder, rights);
  if (message === undefined) return undefined;
  return { message, detail: [...hints, 'Nothing is lost, and this till keeps working. Call a technician.'].join('\n') };
};
