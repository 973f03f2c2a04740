/** Opens a till's own journal: brought to today's version, and checked from the last seal of the till's own key. */
import type { Clock } from '../base/clock.ts';
import { journalFile } from '../folder/config.ts';
import { publicKeyOf } from '../folder/keys/till-signer.ts';
import { noteOpening } from '../folder/till-machine.ts';
import { type Journal, journalIn } from '../journal/journal.ts';
import { openSql, type Sql } from '../journal/sql.ts';
import { schemaPlan } from './schema.ts';

export type JournalWish = {
  clock: Clock;
  /** On another disk than this machine's. */
  open?: ((path: string) => Sql) | undefined;
  /** Where the till's secrets lie sealed: the key to them. */
  sealKey?: Uint8Array | undefined;
};

/** Throws what `openJournal` throws. */
export const openTillJournal = (folder: string, { clock, open = openSql, sealKey }: JournalWish): Journal => {
  const path = journalFile(folder);
  const journal = journalIn(open(path), path, { clock, plan: schemaPlan, sealKey: publicKeyOf(folder, sealKey) });
  try {
    noteOpening(journal, clock.now());
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
};
