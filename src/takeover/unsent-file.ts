/**
 * The file in which a till's unsent messages leave it: encrypted with a key that needs two passphrases, and signed by
 * the till. Data that is sealed in the till's queue is sealed again in it with a separate key.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Fault, isFault } from '../base/fault.ts';
import { fromHex } from '../base/hex.ts';
import type { Random } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { STRETCH_BLOCK, type StretchCost, stretch } from '../base/stretch.ts';
import { type Entry, hashOfEntry, verifyEntries } from '../journal/chain.ts';
import { isSealBy } from '../journal/day-seal.ts';
import type { Journal } from '../journal/journal.ts';
import { isSigned, type Signer } from '../journal/signing.ts';
import { type Sealer, sealer } from '../queue/seal.ts';

/** The passphrases of two people, each of whom knows only one. */
export type Passphrases = readonly [string, string];

export type UnsentMessage = {
  id: string;
  kind: 'reversal' | 'forward' | 'repeat' | 'follow';
  sale: string;
  key: string;
  body: string;
  after?: string;
  /** How many answers so far decided nothing: the next try is a new request. */
  again?: number;
  secret?: string;
};

/**
 * Everything open at a till: the entries of the sales with their hashes, the seal over them, and the messages about
 * them.
 */
export type UnsentDocument = {
  /** 32 hex digits that identify this export at both tills. */
  id: string;
  at: number;
  /** The mode of the exporting till. Exports of older versions lack it. */
  mode?: Mode;
  entries: readonly HashedEntry[];
  seal: HashedEntry;
  messages: readonly UnsentMessage[];
};

/** The document before encryption, with its secrets sealed. */
type SealedDocument = Omit<UnsentDocument, 'messages'> & {
  messages: readonly (Omit<UnsentMessage, 'secret'> & { sealed?: string; wrapped?: string })[];
};

/** Version 2 contains the previous hash of each entry, and the seal. */
const VERSION = 2;

type Header = {
  tillgate: 'unsent';
  version: typeof VERSION;
  kdf: { name: 'scrypt'; cost: number; block: number; salts: readonly [string, string] };
  /** The till's public key. */
  till: string;
  nonce: string;
};
type File = Header & { sealed: string; signature: string };

const TAG = 16;
const PASSPHRASE_LEAST = 12;

/** Throws `export.weak` for a short passphrase, or the same one twice. */
export const refuseWeakPassphrases = ([first, second]: Passphrases): void => {
  if (Math.min(first.length, second.length) < PASSPHRASE_LEAST)
    throw new Fault('export.weak', { why: `each has ${PASSPHRASE_LEAST} characters or more` });
  if (first === second) throw new Fault('export.weak', { why: 'two people have two passphrases' });
};

export type SealParts = { passphrases: Passphrases; signer: Signer; random: Random; stretchCost: StretchCost };

/** Returns the text of the file. Throws `export.weak`. */
export const sealUnsent = async (
  unsent: UnsentDocument,
  { passphrases, signer, random, stretchCost }: SealParts,
): Promise<string> => {
  refuseWeakPassphrases(passphrases);
  const salts = [base64(random(16)), base64(random(16))] as const;
  const header: Header = {
    tillgate: 'unsent',
    version: VERSION,
    kdf: { name: 'scrypt', cost: stretchCost, block: STRETCH_BLOCK, salts },
    till: signer.publicKey,
    nonce: base64(random(12)),
  };
  const keys = await keysOf(passphrases, header);
  const messages = unsent.messages.map((message) => sealedMessage(message, sealer(keys.wrapping, random)));
  const cipher = createCipheriv('aes-256-gcm', keys.document, bytes(header.nonce), { authTagLength: TAG });
  cipher.setAAD(Buffer.from(JSON.stringify(header)));
  const plain = Buffer.from(JSON.stringify({ ...unsent, messages } satisfies SealedDocument));
  const sealed = base64(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
  const signature = signer.sign('export', Buffer.from(JSON.stringify({ ...header, sealed })));
  return `${JSON.stringify({ ...header, sealed, signature }, null, 1)}\n`;
};

/**
 * The content of the file, and the public key of the till that signed it. The passphrases can be in either order. A
 * file with a different key derivation cost is refused. Throws `export.malformed`, `export.version`, `export.forged`,
 * `export.closed`.
 */
export const openUnsent = async (
  text: string,
  [first, second]: Passphrases,
  stretchCost: StretchCost,
): Promise<{ unsent: UnsentDocument; publicKey: string }> => {
  const { signature, sealed, ...header } = fileIn(text, stretchCost);
  const signed = Buffer.from(JSON.stringify({ ...header, sealed }));
  if (!isSigned({ purpose: 'export', publicKey: header.till, bytes: signed, signature }))
    throw new Fault('export.forged');
  for (const passphrases of [
    [first, second],
    [second, first],
  ] as const) {
    const unsent = decrypted({ ...header, sealed }, await keysOf(passphrases, header));
    if (unsent !== undefined) return { unsent, publicKey: header.till };
  }
  throw new Fault('export.closed');
};

const fileIn = (text: string, stretchCost: StretchCost): File => {
  try {
    const { tillgate, version, kdf, till, nonce, sealed, signature } = JSON.parse(text) as File;
    const { name, cost, block, salts } = kdf;
    const texts = [till, nonce, sealed, signature, salts[0], salts[1]];
    if (tillgate === 'unsent' && Number.isSafeInteger(version) && version !== VERSION)
      throw new Fault('export.version', { version });
    const isOurs = tillgate === 'unsent' && version === VERSION;
    const isStretched = name === 'scrypt' && cost === stretchCost && block === STRETCH_BLOCK;
    if (!isOurs || !isStretched || texts.some((each) => typeof each !== 'string')) throw new Fault('export.malformed');
    // The fields in the order in which they were signed.
    const stored = { name, cost, block, salts: [salts[0], salts[1]] as const };
    return { tillgate, version, kdf: stored, till, nonce, sealed, signature };
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('export.malformed', {}, error);
  }
};

type Keys = { document: Uint8Array; wrapping: Uint8Array };

const keysOf = async (passphrases: Passphrases, { kdf }: Header): Promise<Keys> => {
  const stretchPassphrase = (passphrase: string, salt: string): Promise<Uint8Array> =>
    stretch(passphrase.normalize('NFKC'), bytes(salt), kdf.cost);
  const [first, second] = kdf.salts;
  const both = Buffer.concat([
    await stretchPassphrase(passphrases[0], first),
    await stretchPassphrase(passphrases[1], second),
  ]);
  const keys = Buffer.from(hkdfSync('sha256', both, new Uint8Array(0), 'tillgate unsent 1', 64));
  return { document: keys.subarray(0, 32), wrapping: keys.subarray(32) };
};

const decrypted = ({ sealed, ...header }: Omit<File, 'signature'>, keys: Keys): UnsentDocument | undefined => {
  try {
    const whole = bytes(sealed);
    const cipher = createDecipheriv('aes-256-gcm', keys.document, bytes(header.nonce), { authTagLength: TAG });
    cipher.setAAD(Buffer.from(JSON.stringify(header))).setAuthTag(whole.subarray(-TAG));
    const plain = Buffer.concat([cipher.update(whole.subarray(0, -TAG)), cipher.final()]);
    const parseDocument = JSON.parse(plain.toString('utf8')) as SealedDocument;
    const seals = sealer(keys.wrapping, () => new Uint8Array(0));
    return { ...parseDocument, messages: parseDocument.messages.map((message) => openedMessage(message, seals)) };
  } catch {
    return undefined;
  }
};

const sealedMessage = ({ secret, ...message }: UnsentMessage, seals: Sealer): SealedDocument['messages'][number] => {
  if (secret === undefined) return message;
  const { sealed, wrapped } = seals.seal(message.id, secret);
  return { ...message, sealed: base64(sealed), wrapped: base64(wrapped) };
};

const openedMessage = (
  { sealed, wrapped, ...message }: SealedDocument['messages'][number],
  seals: Sealer,
): UnsentMessage =>
  sealed === undefined || wrapped === undefined
    ? message
    : { ...message, secret: seals.open(message.id, { sealed: bytes(sealed), wrapped: bytes(wrapped) }) };

const base64 = (some: Uint8Array): string => Buffer.from(some).toString('base64');
const bytes = (text: string): Buffer => Buffer.from(text, 'base64');

// Proves that exported entries are in the till's sealed journal. Each entry comes with the hash of the one before,
// which its own hash must fit, and with the newest seal, signed with the same key. The links in between are all other
// entries since, so they are checked at the export, where the whole journal is present.

/** An entry, its hash, and the hash of the entry before it: 64 hex digits each. */
type HashedEntry = Entry & { readonly before: string; readonly hash: string };

/**
 * Returns these entries with their hashes, and the journal's last entry, which seals all of them. Throws
 * `journal.corrupt` if the chain is broken after the first of them; `folder` is the place named in the fault.
 */
export const provenIn = (
  journal: Journal,
  subjects: ReadonlySet<string>,
  folder: string,
): { entries: HashedEntry[]; seal: HashedEntry } => {
  journal.seal();
  const { sql } = journal;
  const entries = [...subjects].flatMap((subject) => journal.about(subject)).map((entry) => withHashes(journal, entry));
  const first = entries.reduce((least, { entry }) => Math.min(least, entry), journal.length);
  const from = { entry: first - 1, hash: fromHex(hashOf(journal, first - 1)) };
  for (const _ of verifyEntries(sql, folder, from));
  const [last] = journal.about('journal').slice(-1);
  if (last === undefined) throw new Error('a journal that was sealed has its seal');
  return { entries, seal: withHashes(journal, last) };
};

const withHashes = (journal: Journal, entry: Entry): HashedEntry => ({
  ...entry,
  before: hashOf(journal, entry.entry - 1),
  hash: hashOf(journal, entry.entry),
});

const hashOf = ({ sql }: Journal, entry: number): string => {
  if (entry === 0) return '0'.repeat(64);
  const hash = sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash'];
  return hash instanceof Uint8Array ? hex(hash) : '';
};

/** Whether each entry fits its hash and its neighbours, and this key's seal covers all of them. */
export const isProven = (entries: readonly HashedEntry[], seal: HashedEntry, publicKey: string): boolean => {
  const byNumber = new Map(entries.map((entry) => [entry.entry, entry]));
  const fitsBefore = ({ entry, before }: HashedEntry): boolean => (byNumber.get(entry - 1)?.hash ?? before) === before;
  return (
    byNumber.size === entries.length &&
    [...entries, seal].every((entry) => hasValidHash(entry) && fitsBefore(entry) && entry.entry <= seal.entry) &&
    isSealBy(publicKey, seal, fromHex(seal.before))
  );
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

const hasValidHash = (entry: HashedEntry): boolean =>
  isHash(entry.before) && isHash(entry.hash) && hex(hashOfEntry(fromHex(entry.before), entry)) === entry.hash;
