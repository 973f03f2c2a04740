/** Opens a till's own journal: brought to today's version, and checked from the last seal of the till's own key. */
import type { Clock } from '../base/clock.ts';
import { type Journal, journalIn } from '../journal/journal.ts';
import { openSql, type Sql } from '../journal/sql.ts';
import { journalFile } from './config.ts';
import { schemaPlan } from './schema.ts';
import { publicKeyOf } from './till-signer.ts';

/** Throws what `openJournal` throws. `open`: on another disk than this machine's. */
export const openTillJournal = (folder: string, clock: Clock, open: (path: string) => Sql = openSql): Journal => {
  const path = journalFile(folder);
  return journalIn(open(path), path, { clock, plan: schemaPlan, sealKey: publicKeyOf(folder) });
};
