/** Checks the entries once, in order, keeping none of them, and stops at the first one that was changed. */
import { beginning, hashOf, hex, isEqual, isKey, isSealedBy, type JournalRow, nameOfKey, type Seal } from './chain.ts';
import type { Damage, VerifierFinding } from './findings.ts';

export type VerifierReport = {
  readonly entries: number;
  readonly sales: number;
  readonly seals: number;
  /** The keys that signed seals, each with the number of its first seal. */
  readonly keys: readonly { readonly key: string; readonly publicKey: string; readonly from: number }[];
  /** Entries after the last seal. */
  readonly unsealed: number;
  /** The last seal: its entry, and the UTC day in it. */
  readonly sealed?: { readonly entry: number; readonly day: string };
  /** The entry that matches each of the given notes. */
  readonly proven: readonly number[];
  /** The last entry's hash, hex. */
  readonly head: string;
  readonly damage?: VerifierFinding;
};

/**
 * A note made elsewhere: the hash of an entry, hex, at least its first 16 digits; or the hash of a Z report as printed,
 * which has no entry number.
 */
export type Note = { readonly entry?: number; readonly hash: string };

type WalkOptions = {
  key?: string | undefined;
  notes?: readonly Note[];
  passed?: (entry: number) => void;
};

type Walk = {
  last: JournalRow | undefined;
  hash: Uint8Array;
  sales: number;
  seals: number;
  sealed: { entry: number; day: string } | undefined;
  notes: readonly Note[];
  proven: Map<Note, number>;
  keys: { key: string; publicKey: string; from: number }[];
};

/** Thrown only inside the walk. */
class Found extends Error {
  readonly finding: VerifierFinding;
  constructor(what: Damage, entry: number, detail = '') {
    super(what);
    this.finding = { what, entry, detail };
  }
}

/**
 * `key` must have signed the last seal (public key, base64url); each of `notes` must be found; `passed` gets the
 * progress.
 */
export const check = (
  rows: Iterable<JournalRow>,
  { key, notes = [], passed = () => {} }: WalkOptions,
): VerifierReport => {
  const counts = { last: undefined, hash: beginning, sales: 0, seals: 0 };
  const walk: Walk = { ...counts, sealed: undefined, keys: [], notes, proven: new Map() };
  const at = () => walk.last?.entry ?? 0;
  try {
    for (const row of readable(rows, at)) {
      step(walk, row);
      passed(row.entry);
    }
    if (key !== undefined) requireProof(walk, key);
    for (const note of notes) if (!walk.proven.has(note)) throw notFound(walk, note);
    return reportOf(walk);
  } catch (error) {
    if (error instanceof Found) return { ...reportOf(walk), damage: error.finding };
    throw error;
  }
};

const reportOf = ({ last, hash, sales, seals, keys, sealed, notes, proven }: Walk): VerifierReport => ({
  entries: last?.entry ?? 0,
  sales,
  seals,
  keys,
  unsealed: (last?.entry ?? 0) - (sealed?.entry ?? 0),
  sealed,
  proven: notes.flatMap((note) => proven.get(note) ?? []),
  head: hex(hash),
});

/** A damaged page, or an invalid line, shows only when the walk reaches it. */
function* readable(rows: Iterable<JournalRow>, at: () => number): Generator<JournalRow> {
  const each = rows[Symbol.iterator]();
  try {
    for (;;) {
      const { value, done } = nextOf(each, at);
      if (done === true) return;
      yield value;
    }
  } finally {
    each.return?.();
  }
}

const nextOf = (each: Iterator<JournalRow>, at: () => number): IteratorResult<JournalRow> => {
  try {
    return each.next();
  } catch (error) {
    throw new Found('unreadable', at() + 1, error instanceof Error ? error.message : String(error));
  }
};

const step = (walk: Walk, row: JournalRow): void => {
  const { last } = walk;
  const expected = (last?.entry ?? 0) + 1;
  if (row.entry !== expected) throw new Found('order', expected, `entry ${row.entry} stands there`);
  const hash = hashOf(walk.hash, row);
  if (!isEqual(hash, row.hash)) throw new Found('hash', row.entry);
  const body = bodyOf(row);
  if (row.subject === 'journal' && row.kind === 'sealed') seal(walk, row, body as unknown as Seal);
  else if (/^[0-9a-f]{32}$/.test(row.subject)) event(walk, row, body);
  for (const note of walk.notes) if (isOf(note, row, body)) walk.proven.set(note, row.entry);
  walk.last = row;
  walk.hash = hash;
};

type Body = Readonly<Record<string, unknown>>;

/** A Z report is in the entry that closed its batch. */
const isOf = (note: Note, { entry, hash, kind }: JournalRow, { z }: Body): boolean => {
  if (note.entry !== undefined) return note.entry === entry && hex(hash).startsWith(note.hash);
  return hex(hash).startsWith(note.hash) || (kind === 'batchClosed' && (z as Body | undefined)?.['hash'] === note.hash);
};

const notFound = ({ last }: Walk, { entry }: Note): Found => {
  const ends = last?.entry ?? 0;
  // The note itself is not repeated: a card number may have been typed in its place.
  if (entry === undefined) return new Found('note', ends, 'no entry and no Z report has the hash that was noted');
  return entry > ends
    ? new Found('note', ends, `entry ${entry} was noted, and the journal ends before it`)
    : new Found('note', entry, 'another hash was noted of it');
};

const bodyOf = ({ entry, body }: JournalRow): Body => {
  try {
    const value = JSON.parse(body) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch {
    throw new Found('malformed', entry, 'its content is no JSON');
  }
  throw new Found('malformed', entry, 'its content is no JSON object');
};

/** Receipts are numbered in the order in which sales begin: 1, 2, 3 … */
const event = (walk: Walk, { entry, subject, kind }: JournalRow, { on, intent }: Body): void => {
  if (on !== kind) throw new Found('malformed', entry, `it is noted as ${kind}, and is ${String(on)}`);
  if (kind !== 'intended') return;
  const { sale, receipt } = (intent ?? {}) as Body;
  if (sale !== subject) throw new Found('malformed', entry, 'it is about another sale');
  if (receipt !== walk.sales + 1) throw new Found('receipt', entry, `${String(receipt)} comes after ${walk.sales}`);
  walk.sales += 1;
};

const seal = (walk: Walk, { entry, at }: JournalRow, dataSeal: Seal): void => {
  if (typeof dataSeal.key !== 'string' || typeof dataSeal.signature !== 'string') throw new Found('malformed', entry);
  if (dataSeal.publicKey !== undefined) {
    if (!isKey(dataSeal.publicKey) || nameOfKey(dataSeal.publicKey) !== dataSeal.key)
      throw new Found('sealKey', entry, dataSeal.key);
    walk.keys.push({ key: dataSeal.key, publicKey: dataSeal.publicKey, from: entry });
  }
  const lastKey = walk.keys.at(-1);
  if (lastKey?.key !== dataSeal.key) throw new Found('sealKey', entry, dataSeal.key);
  if (!isSealedBy(lastKey.publicKey, dataSeal)) throw new Found('seal', entry);
  if (dataSeal.entry !== entry - 1 || dataSeal.hash !== hex(walk.hash)) throw new Found('sealPlace', entry);
  const day = new Date(walk.last?.at ?? at).toISOString().slice(0, 10);
  if (dataSeal.day !== day)
    throw new Found('sealDay', entry, `it says ${dataSeal.day}, and the entry before is of ${day}`);
  walk.seals += 1;
  walk.sealed = { entry, day };
};

/** The last seal proves everything before it, whatever keys were used there. */
const requireProof = ({ keys, last, sealed }: Walk, key: string): void => {
  const lastKey = keys.at(-1);
  if (lastKey === undefined) throw new Found('unsealed', last?.entry ?? 0);
  if (lastKey.publicKey !== key) throw new Found('otherKey', sealed?.entry ?? 0, `it is ${lastKey.publicKey}`);
};
