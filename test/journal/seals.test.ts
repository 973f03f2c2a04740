/** Seals: one for each day, trusted at the start only if the till's own key made them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSignedByTill, tillSigner } from '../../src/folder/keys/till-signer.ts';
import { hashOfEntry } from '../../src/journal/chain.ts';
import { sealIn } from '../../src/journal/day-seal.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { isSigned, signerOf } from '../../src/journal/signing.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const DAY_MS = 86_400_000;
const signer = signerOf(new Uint8Array(32).fill(7));
const other = signerOf(new Uint8Array(32).fill(8));

let folder = '';
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seals-'));
  clock = virtualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'journal.db');
const open = (): Journal => {
  const journal = openJournal(path(), clock, { sealKey: signer.publicKey });
  journal.sealWith(signer);
  return journal;
};
const entry = (subject: string) => ({ subject, kind: 'x', body: '{}' });
const seals = (journal: Journal) =>
  [...journal.entries()]
    .filter(({ kind }) => kind === 'sealed')
    .map(({ body, entry }) => ({ at: entry, ...sealIn(body) }));

const change = (statement: string): void => {
  const database = new Database(path());
  database.exec(statement);
  database.close();
};

test('the first seal publishes the key, and each day is sealed before the next day’s first entry', async () => {
  const journal = open();
  journal.write([entry('a')]);
  journal.write([entry('b')]);
  await clock.advance(DAY_MS);
  journal.write([entry('c')]);
  await clock.advance(3 * DAY_MS);
  journal.close();
  const later = open();
  later.write([entry('d'), entry('e')]);
  expect([...later.entries()].map(({ subject, kind }) => (kind === 'sealed' ? 'seal' : subject))).toEqual([
    'seal',
    'a',
    'b',
    'seal',
    'c',
    'seal',
    'd',
    'e',
  ]);
  expect(seals(later).map(({ at, day, publicKey }) => [at, day, publicKey])).toEqual([
    [1, '2026-01-02', signer.publicKey],
    [4, '2026-01-02', undefined],
    [6, '2026-01-03', undefined],
  ]);
  expect(later.unsealed).toBe(2);
  later.seal();
  expect(later.unsealed).toBe(0);
  later.close();
});

test('a long day is sealed every five thousand entries, so a start hashes no more than that', () => {
  const journal = open();
  const some = (count: number) => Array.from({ length: count }, () => entry('a'));
  journal.write(some(4_999));
  expect(seals(journal)).toHaveLength(1);
  journal.write(some(1));
  expect(seals(journal)).toHaveLength(1);
  journal.write(some(1));
  expect(seals(journal).map(({ at }) => at)).toEqual([1, 5_002]);
  expect(journal.unsealed).toBe(1);
  journal.close();
  open().close();
});

test('a day without entries gets no seal, and neither does reopening', async () => {
  open().close();
  await clock.advance(5 * DAY_MS);
  const journal = open();
  expect(journal.length).toBe(1);
  journal.close();
});

test('a start hashes only the entries after the last good seal', () => {
  const journal = open();
  journal.write([entry('a'), entry('b')]);
  journal.seal();
  journal.write([entry('c')]);
  journal.close();
  change('UPDATE entry SET body = \'{"x":1}\' WHERE entry = 2');
  open().close();
  expect(() => openJournal(path(), clock)).toThrow('Journal entry 2 fails');
  change('UPDATE entry SET body = \'{"x":1}\' WHERE entry = 5');
  expect(open).toThrow('Journal entry 5 fails');
});

test('a recomputed chain is not trusted when a seal does not match it', () => {
  const journal = open();
  journal.write([entry('a'), entry('b')]);
  journal.seal();
  journal.close();
  const database = new Database(path());
  const row = database.prepare('SELECT * FROM entry WHERE entry = 2').get() as Parameters<typeof hashOfEntry>[1];
  const before = database.prepare('SELECT hash FROM entry WHERE entry = 1').pluck().get() as Uint8Array;
  const hash = hashOfEntry(before, { ...row, body: '{"x":1}' });
  database.prepare('UPDATE entry SET body = ?, hash = ? WHERE entry = 2').run('{"x":1}', hash);
  database.prepare('UPDATE entry SET hash = ? WHERE entry = 3').run(hash);
  database.close();
  expect(open).toThrow('Journal entry 3 fails');
});

test('seals of another key prove nothing: every entry is hashed', () => {
  const journal = openJournal(path(), clock);
  journal.sealWith(other);
  journal.write([entry('a')]);
  journal.seal();
  journal.close();
  change('UPDATE entry SET body = \'{"x":1}\' WHERE entry = 2');
  expect(open).toThrow('Journal entry 2 fails');
});

test('a seal that cannot be written leaves neither itself nor the entry that caused it', async () => {
  const journal = open();
  journal.write([entry('a')]);
  await clock.advance(DAY_MS);
  const pages = Number(journal.sql.get('PRAGMA page_count')?.['page_count']);
  journal.sql.all(`PRAGMA max_page_count = ${pages}`);
  const big = { ...entry('big'), body: JSON.stringify('y'.repeat(100_000)) };
  expect(() => journal.write([big])).toThrow('cannot be written');
  expect(journal.length).toBe(2);
  journal.sql.all('PRAGMA max_page_count = 100000');
  journal.write([entry('b')]);
  expect(seals(journal).map(({ at }) => at)).toEqual([1, 3]);
  journal.close();
});

test('a signed statement is not a seal, and a changed byte or another key fails the check', () => {
  const till = tillSigner(new Uint8Array(32).fill(7));
  const bytes = Buffer.from('closed over 3 open sales');
  const signature = till.sign(bytes);
  expect(isSignedByTill(till.publicKey, bytes, signature)).toBe(true);
  expect(isSigned({ purpose: 'seal', publicKey: till.publicKey, bytes, signature })).toBe(false);
  expect(isSignedByTill(till.publicKey, Buffer.from('closed over 2 open sales'), signature)).toBe(false);
  expect(isSignedByTill(other.publicKey, bytes, signature)).toBe(false);
  expect(isSignedByTill('', bytes, signature)).toBe(false);
});

test('the key pair is that of RFC 8032, test 1', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  expect(Buffer.from(signerOf(seed).publicKey, 'base64url').toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
});
