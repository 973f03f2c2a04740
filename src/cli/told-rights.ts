/** Says at a start who else may open a folder in which keys lie, and what a person does about it. */
import { ownersOf, rightsOf } from '../runtime/folder-rights.ts';
import { tell } from './terms.ts';

/** Of a folder with keys: whether others than its owners may open it. */
export const tellRights = async (folder: string): Promise<void> => {
  const rights = await rightsOf(folder, { owners: ownersOf(folder) });
  if (rights.state === 'own') return;
  if (rights.state === 'unsaid') {
    tell(`Warning: Windows does not say who may open ${folder}, where keys lie (${rights.said}).`);
    return tell(`An administrator sees it by: ${rights.cure}`);
  }
  if (rights.state === 'open')
    tell(`Warning: others may open ${folder}, and the keys in it: ${rights.who.join(', ')}.`);
  else tell(`Warning: other people who sign in at this machine cannot open ${folder}, nor sell on this till.`);
  tell(`An administrator types: ${rights.cure}`);
};
