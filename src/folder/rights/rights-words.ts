/** Who else may open a folder in which keys lie, and what a person does about it, in sentences. */
import type { Rights } from './folder-rights.ts';

/** What is to be said, and what to do. Nothing of a folder that only its owners may open. */
export const rightsWords = (folder: string, rights: Rights): string[] => {
  switch (rights.state) {
    case 'own':
      return [];
    case 'open':
      return [`Others may open ${folder}, and the keys in it: ${rights.who.join(', ')}.`, toType(rights.cure)];
    case 'narrow':
      return [
        `Other people who sign in at this machine cannot open ${folder}, nor sell on this till.`,
        toType(rights.cure),
      ];
    case 'rightless':
      return [
        `${folder} lies on a disk with ${rights.fileSystem}, which keeps no rights: whoever uses this machine, or takes that disk away, may open it, and the keys in it.`,
        'Move the folder to a disk that keeps them, as this machine’s own does, while nothing works on it.',
      ];
    case 'unsaid':
      return [
        `Windows does not say who may open ${folder}, where keys lie (${rights.said}).`,
        `An administrator sees it by: ${rights.cure}`,
      ];
  }
};

const toType = (command: string): string => `An administrator types: ${command}`;
