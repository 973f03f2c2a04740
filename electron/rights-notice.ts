/** What a person has to hear, when the app starts, of who may open the till's folder. */
import { type LookingParts, rightsOf } from '../src/folder/rights/folder-rights.ts';
import { rightsWords } from '../src/folder/rights/rights-words.ts';
import type { Notice } from './place-till.ts';

/** Undefined where it is in order; where the system does not tell, too: that is for a technician, in the diagnosis. */
export const rightsNotice = async (folder: string, parts: LookingParts): Promise<Notice | undefined> => {
  const rights = await rightsOf(folder, parts);
  const [message, ...cures] = rights.state === 'unsaid' ? [] : rightsWords(folder, rights);
  if (message === undefined) return undefined;
  return { message, detail: [...cures, 'Nothing is lost, and this till goes on. Call a technician.'].join('\n') };
};
