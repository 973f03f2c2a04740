/**
 * That what leaves a till in an export stands in its sealed journal. Each entry comes with the hash before it, so that
 * it has to fit its own, and with the newest seal, which the same key signed. The links in between are checked where
 * the whole journal is: at the export. They would be all other sales since.
 */
import { fromHex } from '../base/hex.ts';
import { type Entry, link } from '../journal/chain.ts';
import { isSealBy } from '../journal/day-seal.ts';
import type { Journal } from '../journal/journal.ts';
import { verified } from '../journal/verify.ts';

/** An entry, its hash, and the hash of the entry before it: 64 hex digits each. */
export type Proven = Entry & { readonly before: string; readonly hash: string };

/**
 * These entries with their hashes, and the journal's last entry, a seal over all of them. Throws `journal.corrupt` when
 * the chain does not hold from the first of them on; `folder` is the place it names.
 */
export const provenIn = (
  journal: Journal,
  subjects: ReadonlySet<string>,
  folder: string,
): { entries: Proven[]; seal: Proven } => {
  journal.seal();
  const { sql } = journal;
  const entries = [...subjects].flatMap((subject) => journal.about(subject)).map((entry) => withHashes(journal, entry));
  const first = entries.reduce((least, { entry }) => Math.min(least, entry), journal.length);
  const from = { entry: first - 1, hash: fromHex(hashOf(journal, first - 1)) };
  for (const _ of verified(sql, folder, from));
  const [last] = journal.about('journal').slice(-1);
  if (last === undefined) throw new Error('a journal that was sealed has its seal');
  return { entries, seal: withHashes(journal, last) };
};

const withHashes = (journal: Journal, entry: Entry): Proven => ({
  ...entry,
  before: hashOf(journal, entry.entry - 1),
  hash: hashOf(journal, entry.entry),
});

const hashOf = ({ sql }: Journal, entry: number): string => {
  if (entry === 0) return '0'.repeat(64);
  const hash = sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash'];
  return hash instanceof Uint8Array ? hex(hash) : '';
};

/** Whether each entry fits its hash and its neighbours, and the seal of this key stands behind all of them. */
export const isProven = (entries: readonly Proven[], seal: Proven, publicKey: string): boolean => {
  const byNumber = new Map(entries.map((entry) => [entry.entry, entry]));
  const fitsBefore = ({ entry, before }: Proven): boolean => (byNumber.get(entry - 1)?.hash ?? before) === before;
  return (
    byNumber.size === entries.length &&
    [...entries, seal].every((entry) => fits(entry) && fitsBefore(entry) && entry.entry <= seal.entry) &&
    isSealBy(publicKey, seal, fromHex(seal.before))
  );
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

const fits = (entry: Proven): boolean =>
  isHash(entry.before) && isHash(entry.hash) && hex(link(fromHex(entry.before), entry)) === entry.hash;
