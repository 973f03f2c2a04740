/** Warns at a start if other users can open a folder with keys, and says what to do. */
import { type LookingParts, ownersOf, rightsOf, rightsText } from '../folder/rights/folder-rights.ts';
import { tell } from './terms.ts';

/** Prints a warning if users other than the owners can open the folder. */
export const tellRights = async (folder: string, parts: Omit<LookingParts, 'owners'> = {}): Promise<void> => {
  const [says, ...cures] = rightsText(folder, await rightsOf(folder, { owners: ownersOf(folder), ...parts }));
  if (says === undefined) return;
  tell(`Warning: ${says}`);
  for (const cure of cures) tell(cure);
};
