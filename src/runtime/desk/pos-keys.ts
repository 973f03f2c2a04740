/**
 * Keys of programs that sell through this till. Which there are stands in the journal, as a hash, with who made and who
 * removed them; a key itself is told once and kept nowhere.
 */
import type { Program } from '../../api/ports/session.ts';
import type { PosKeyRow } from '../../api/ports/store.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { Random } from '../../base/ids.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Permission, permissionsOf } from '../staff.ts';
import { hashOf, secretWord } from './secret-words.ts';

const POS_KEYS = 'posKeys';

type PosKeyEvent =
  | { on: 'posKeyMade'; name: string; hash: string; origins: readonly string[]; by?: string }
  | { on: 'posKeyRemoved'; name: string; by?: string };

type Kept = PosKeyRow & { hash: string };

export interface PosKeys {
  rows(): PosKeyRow[];
  /** The key is told here and never again. Throws `posKey.known`, `posKey.malformed`, `journal.unwritable`. */
  make(fresh: { name: string; origins?: readonly string[] }, by?: string): { name: string; key: string };
  /** It opens nothing from now on. Throws `posKey.unknown`, `journal.unwritable`. */
  remove(name: string, by?: string): void;
  /** Whose key this is. */
  program(key: string): Program | undefined;
  isOrigin(origin: string): boolean;
}

/** What a program at the counter may do: what somebody at the counter may, save what concerns people and devices. */
const ofPrograms: readonly Permission[] = permissionsOf('cashier').filter(
  (permission) => permission !== 'signIn' && permission !== 'diagnose',
);

/** So that a person, and whoever scans for secrets, knows what it is. */
const PREFIX = 'tillgate_';

export const openPosKeys = ({
  journal,
  clock,
  random,
}: {
  journal: Pick<Journal, 'about' | 'write'>;
  clock: Clock;
  random: Random;
}): PosKeys => {
  const byHash = new Map<string, Kept>();
  const named = (name: string): Kept | undefined =>
    [...byHash.values()].find((kept) => kept.name.toLowerCase() === name.toLowerCase());
  const apply = (event: PosKeyEvent, at: number): void => {
    if (event.on === 'posKeyMade') {
      const { name, hash, origins, by } = event;
      byHash.set(hash, { name, hash, origins, madeAt: at, ...(by !== undefined && { by }) });
      return;
    }
    const gone = named(event.name);
    if (gone !== undefined) byHash.delete(gone.hash);
  };
  const note = (event: PosKeyEvent): void => {
    journal.write([{ subject: POS_KEYS, kind: event.on, body: JSON.stringify(event) }]);
    apply(event, clock.now());
  };
  for (const { at, body } of journal.about(POS_KEYS)) apply(JSON.parse(body) as PosKeyEvent, at);

  return {
    rows: () => [...byHash.values()].map(({ hash: _, ...row }) => row),
    make({ name: given, origins = [] }, by) {
      const name = nameIn(given);
      if (named(name) !== undefined) throw new Fault('posKey.known', { name });
      for (const origin of origins) refuseOrigin(origin);
      const key = `${PREFIX}${secretWord(random)}`;
      note({ on: 'posKeyMade', name, hash: hashOf(key), origins, ...(by !== undefined && { by }) });
      return { name, key };
    },
    remove(name, by) {
      const known = named(name.trim());
      if (known === undefined) throw new Fault('posKey.unknown', { name });
      note({ on: 'posKeyRemoved', name: known.name, ...(by !== undefined && { by }) });
    },
    program(key) {
      const kept = byHash.get(hashOf(key));
      if (kept === undefined) return undefined;
      kept.lastUsedAt = clock.now();
      return { program: kept.name, permissions: ofPrograms, origins: kept.origins };
    },
    isOrigin: (origin) => [...byHash.values()].some(({ origins }) => origins.includes(origin)),
  };
};

const nameIn = (text: string): string => {
  const name = text.trim();
  if (/^[\p{L}\d][\p{L}\p{M}\d ._-]{0,39}$/u.test(name) && !/\d{8,}/.test(name)) return name;
  throw new Fault('posKey.malformed', {
    why: 'its name begins with a letter or digit and has at most 40 letters, digits, spaces, ".", "_" or "-"',
  });
};

/** As a browser writes it in the header `Origin`: scheme, host, and the port where it is not the scheme's own. */
const refuseOrigin = (origin: string): void => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin) return;
  throw new Fault('posKey.malformed', { why: `"${origin}" is not a web origin such as https://pos.example` });
};
