/** Where the till of this start lies, made ready for its owners, and what a person has to hear of that. */
import { makeOwnedFolder, ownersOf } from '../src/folder/rights/folder-rights.ts';
import type { WindowsPrograms } from '../src/folder/rights/windows-programs.ts';
import { type DataFolderParts, dataFolder, isSecondTill, sharedFolder } from './data-folder.ts';

export type Notice = { message: string; detail: string };

type PlaceParts = DataFolderParts & { platform: NodeJS.Platform; programs?: WindowsPrograms };

/** Makes the folder. Throws `folder.unusable`. */
export const placeTill = ({ programs, ...parts }: PlaceParts): { folder: string; notice?: Notice } => {
  const folder = dataFolder(parts);
  const { platform, programData } = parts;
  makeOwnedFolder(folder, { owners: ownersOf(folder, programData), platform, ...(programs && { programs }) });
  return { folder, ...(isSecondTill(parts) && { notice: secondTill(folder, sharedFolder(parts)) }) };
};

const secondTill = (folder: string, shared = ''): Notice => ({
  message: 'There are two tills on this machine.',
  detail:
    `This sign-in sells on a till of its own, in ${folder}. Another sign-in began one for everybody, in ${shared}. ` +
    'Each has its own sales, receipt numbers and closings. Nothing is lost, and this till goes on. Call a technician, ' +
    'who puts one of them out of use.',
});
