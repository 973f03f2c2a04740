/** A manager's word for one action of somebody else: good once, for a minute, for one permission. */
import type { Actor } from '../../api/ports/session.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/ids.ts';
import type { Permission } from '../running.ts';
import { hashOf, secretWord } from './secret-words.ts';
import type { Admitted } from './sessions-kept.ts';

const GOOD_FOR_MS = 60_000;

type Given = {
  by: Admitted;
  permission: Permission;
  asked?: string | undefined;
  /** The request that it was spent on: repeated, because its answer was lost, it has the word still. */
  spentOn?: string;
  stop: () => void;
};

export type OverrideWords = {
  give(by: Admitted, permission: Permission, asked: Actor | undefined): string;
  /**
   * Uses the word up for the request of this key, or for whatever has none. Undefined when there is no such word, it is
   * too old, or it is for something else. `again`: for this same request it was spent before.
   */
  spend(word: string, permission: Permission, key?: string): (Given & { again: boolean }) | undefined;
  close(): void;
};

export const openOverrideWords = ({ clock, random }: { clock: Clock; random: Random }): OverrideWords => {
  const given = new Map<string, Given>();
  const take = (hash: string): void => {
    given.get(hash)?.stop();
    given.delete(hash);
  };
  return {
    give(by, permission, asked) {
      const word = secretWord(random);
      const hash = hashOf(word);
      const stop = clock.after(GOOD_FOR_MS, () => given.delete(hash));
      given.set(hash, { by, permission, asked: asked?.name ?? asked?.program, stop });
      return word;
    },
    spend(word, permission, key) {
      const hash = hashOf(word);
      const found = given.get(hash);
      if (found?.permission !== permission) return undefined;
      const again = found.spentOn !== undefined;
      if (again && found.spentOn !== key) return undefined;
      if (key === undefined) take(hash);
      else found.spentOn = key;
      return { ...found, again };
    },
    close() {
      for (const hash of [...given.keys()]) take(hash);
    },
  };
};
