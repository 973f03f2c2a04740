/** When the chain is sealed: before the first entry of a new day, after very many entries, and when somebody asks. */
import type { ChainEnd, NewEntry } from './chain-end.ts';
import { dayOf, JOURNAL, lastSeal, SEALED, sealBody } from './day-seal.ts';
import type { Signer } from './signing.ts';
import type { Sql } from './sql.ts';

interface Sealing {
  /** Whether this key has sealed nothing yet. */
  by(signer: Signer): { isNew: boolean };
  isDue(now: number): boolean;
  /** The seal over all there is, for the step that is written now. None without a key. */
  entry(now: number): NewEntry[];
  /** It stands: as this entry. */
  stands(at: number): void;
  /** A step failed: what stands on the disk is what counts. */
  reread(): void;
  /** Entries since the last seal. */
  unsealed(): number;
}

/** So many entries are hashed at a start in about a tenth of a second, with the small memory that a till is given. */
const UNSEALED_MOST = 5_000;

export const openSealing = (sql: Sql, end: ChainEnd): Sealing => {
  let signer: Signer | undefined;
  let last = lastKnown(sql);
  const unsealed = () => end.head.entry - last.at;
  return {
    by(now) {
      signer = now;
      return { isNew: last.key !== now.keyId };
    },
    isDue: (now) =>
      signer !== undefined && unsealed() > 0 && (dayOf(end.lastAt) !== dayOf(now) || unsealed() >= UNSEALED_MOST),
    entry(now) {
      if (signer === undefined) return [];
      const at = end.head.entry === 0 ? now : end.lastAt;
      const body = sealBody(signer, { head: end.head, at, isFirst: last.key !== signer.keyId });
      return [{ subject: JOURNAL, kind: SEALED, body }];
    },
    stands(at) {
      last = { at, key: signer?.keyId };
    },
    reread() {
      last = lastKnown(sql);
    },
    unsealed,
  };
};

const lastKnown = (sql: Sql): { at: number; key: string | undefined } => {
  const seal = lastSeal(sql);
  return { at: seal?.at.entry ?? 0, key: seal?.key };
};
