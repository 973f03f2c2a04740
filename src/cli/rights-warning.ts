/** Says at a start who else may open a folder in which keys lie, and what a person does about it. */
import { type LookingParts, ownersOf, rightsOf, rightsWords } from '../folder/rights/folder-rights.ts';
import { tell } from './terms.ts';

/** Of a folder with keys: whether others than its owners may open it. */
export const tellRights = async (folder: string, parts: Omit<LookingParts, 'owners'> = {}): Promise<void> => {
  const [says, ...cures] = rightsWords(folder, await rightsOf(folder, { owners: ownersOf(folder), ...parts }));
  if (says === undefined) return;
  tell(`Warning: ${says}`);
  for (const cure of cures) tell(cure);
};
