/** The verifier finds any manipulation of a journal and its place. Its own rules are compared with the program's. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportJournal } from '../../src/books/journal-tools.ts';
import { type Entry, type ExportedEntry, exportedEntries, firstLink, hashOfEntry } from '../../src/journal/chain.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { signerOf } from '../../src/journal/signing.ts';
import { openSql } from '../../src/journal/sql.ts';
import { sentences } from '../../src/journal/verifier/findings.ts';
import { openSource } from '../../src/journal/verifier/sources.ts';
import { check, type VerifierReport } from '../../src/journal/verifier/walk.ts';
import { type Dice, dice, SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const DAY_MS = 86_400_000;
const signer = signerOf(new Uint8Array(32).fill(7));

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verifier-'));
  const clock = virtualClock();
  const journal = openJournal(join(folder, 'good.db'), clock);
  journal.sealWith(signer);
  for (let n = 1; n <= 30; n++) {
    const sale = n.toString(16).padStart(32, '0');
    const intent = { sale, receipt: n, amount: { minor: `${n}00`, currency: 'EUR' } };
    journal.write([{ subject: sale, kind: 'intended', body: JSON.stringify({ on: 'intended', intent }) }]);
    journal.write([{ subject: sale, kind: 'restarted', body: '{"on":"restarted"}' }]);
    if (n % 7 === 0) await clock.advance(DAY_MS);
  }
  journal.seal();
  journal.write([{ subject: 'staff', kind: 'staffAdded', body: '{"on":"staffAdded"}' }]);
  journal.tidy();
  journal.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const copy = (name: string): string => {
  const path = join(folder, name);
  copyFileSync(join(folder, 'good.db'), path);
  return path;
};

const verify = (path: string, key?: string): VerifierReport => {
  const source = openSource(path);
  try {
    const report = check(source.rows(), { key });
    const damage = report.damage ?? source.rest(report);
    return damage === undefined ? report : { ...report, damage };
  } finally {
    source.close();
  }
};

type Row = Entry & { hash: Uint8Array };
const rowsOf = (path: string): Row[] => {
  const database = new Database(path, { readonly: true });
  const rows = database.prepare('SELECT * FROM entry ORDER BY entry').all() as Row[];
  database.close();
  return rows;
};

/** Writes other rows into the journal; the head follows, as an attacker who knows the file would write it. */
const rewrite = (path: string, rows: readonly Row[]): void => {
  const database = new Database(path);
  database.pragma('synchronous = OFF');
  const insert = database.prepare('INSERT INTO entry VALUES (@entry, @at, @subject, @kind, @body, @hash)');
  const last = rows.at(-1);
  database.transaction(() => {
    database.exec('DELETE FROM entry');
    for (const row of rows) insert.run(row);
    database.prepare('UPDATE head SET entry = ?, hash = ?').run(last?.entry ?? 0, last?.hash ?? firstLink);
  })();
  database.close();
};

/** Recomputes the chain over other content, as an attacker with the program's source would. */
const rechain = (rows: readonly Row[]): Row[] => {
  let hash: Uint8Array = firstLink;
  return rows.map((row, index) => {
    const entry = { ...row, entry: index + 1 };
    hash = hashOfEntry(hash, entry);
    return { ...entry, hash };
  });
};

test('an intact journal passes, with and without the key, as a file and as an export', () => {
  const path = copy('whole.db');
  const report = verify(path, signer.publicKey);
  expect(report).toMatchObject({ entries: 67, sales: 30, seals: 6, unsealed: 1 });
  expect(report.damage).toBeUndefined();
  const lines: string[] = [];
  expect(exportJournal(path, (row) => lines.push(JSON.stringify(row)))).toBeUndefined();
  writeFileSync(join(folder, 'export.jsonl'), `${lines.join('\n')}\n`);
  expect(verify(join(folder, 'export.jsonl'), signer.publicKey)).toEqual(report);
  lines.splice(20, 1);
  writeFileSync(join(folder, 'export.jsonl'), lines.join('\n'));
  expect(verify(join(folder, 'export.jsonl')).damage).toMatchObject({ what: 'order', entry: 21 });
});

test('the entries of an open journal are passed on like those of its file, and none after a changed one is good', () => {
  const path = copy('open.db');
  const fromFile: ExportedEntry[] = [];
  exportJournal(path, (row) => fromFile.push(row));
  const sql = openSql(path);
  expect([...exportedEntries(sql)]).toEqual(fromFile);
  sql.run("UPDATE entry SET body = body || ' ' WHERE entry = 21");
  const checks = [...exportedEntries(sql)].map(({ check }) => check);
  expect(checks.indexOf('unproven')).toBe(20);
  expect(checks.lastIndexOf('good')).toBe(19);
  sql.close();
});

type Tamper = (rows: Row[], throws: Dice) => { rows: Row[]; first: number };
const swap = (rows: Row[], left: number, right: number): Row[] => {
  const [a, b] = [rows[left] as Row, rows[right] as Row];
  return rows.with(left, { ...b, entry: a.entry }).with(right, { ...a, entry: b.entry });
};

/** Each returns the damaged rows and the number of the first changed entry. */
const tampers: Record<string, Tamper> = {
  'a field changed': (rows, throws) => {
    const index = throws.between(0, rows.length - 1);
    const row = rows[index] as Row;
    const changed = throws.one<Partial<Row>>([
      { at: row.at + 1 },
      { subject: `${row.subject}0` },
      { kind: 'other' },
      { body: `${row.body} ` },
      { hash: new Uint8Array(throws.random(32)) },
    ]);
    return { rows: rows.with(index, { ...row, ...changed }), first: index + 1 };
  },
  'an entry removed': (rows, throws) => {
    const index = throws.between(0, rows.length - 2);
    return { rows: rows.toSpliced(index, 1), first: index + 1 };
  },
  'an entry removed and the rest moved up': (rows, throws) => {
    const position = throws.between(0, rows.length - 2);
    const moved = rows.toSpliced(position, 1).map((row, index) => ({ ...row, entry: index + 1 }));
    return { rows: moved, first: position + 1 };
  },
  'an entry inserted': (rows, throws) => {
    const position = throws.between(0, rows.length - 1);
    const forged = { ...(rows[throws.between(0, rows.length - 1)] as Row), entry: position + 1 };
    const moved = rows.toSpliced(position, 0, forged).map((row, index) => ({ ...row, entry: index + 1 }));
    const isUnchanged = JSON.stringify({ ...rows[position], hash: 0 }) === JSON.stringify({ ...forged, hash: 0 });
    return { rows: moved, first: position + (isUnchanged ? 2 : 1) };
  },
  'two entries swapped': (rows, throws) => {
    const left = throws.between(0, rows.length - 2);
    return { rows: swap(rows, left, throws.between(left + 1, rows.length - 1)), first: left + 1 };
  },
};

describe(`damage of every kind, anywhere (seed ${SEED})`, () => {
  for (const [name, tamper] of Object.entries(tampers)) {
    test(`${name}: found at its first entry`, () => {
      const throws = dice(SEED);
      const goodRows = rowsOf(join(folder, 'good.db'));
      for (let n = 0; n < byNight({ day: 15, night: 60 }); n++) {
        const path = copy('damaged.db');
        const { rows, first } = tamper(goodRows, throws);
        rewrite(path, rows);
        expect(verify(path).damage?.entry, `seed ${SEED}, try ${n}`).toBe(first);
      }
    });
  }

  test('last entries cut off with the head unchanged: found', () => {
    const throws = dice(SEED);
    for (let n = 0; n < byNight({ day: 10, night: 20 }); n++) {
      const path = copy('cut.db');
      const left = throws.between(0, 66);
      const database = new Database(path);
      database.prepare('DELETE FROM entry WHERE entry > ?').run(left);
      database.close();
      expect(verify(path).damage, `seed ${SEED}, ${left} left`).toMatchObject({ what: 'head', entry: left });
    }
  });

  test('a recomputed chain over a changed, removed, added or swapped entry: found at a seal', () => {
    const throws = dice(SEED);
    const goodRows = rowsOf(join(folder, 'good.db'));
    const lastSeal = goodRows.findLastIndex(({ kind }) => kind === 'sealed');
    for (let n = 0; n < byNight({ day: 30, night: 100 }); n++) {
      const index = throws.between(0, lastSeal - 2);
      const other = throws.between(index + 1, lastSeal - 1);
      const row = goodRows[index] as Row;
      const changed = throws.one<Row[]>([
        goodRows.with(index, { ...row, at: row.at + 1 }),
        goodRows.toSpliced(index, 1),
        goodRows.toSpliced(index, 0, { ...row, subject: 'x', body: '{}' }),
        swap(goodRows, index, other),
      ]);
      const path = copy('anew.db');
      rewrite(path, rechain(changed));
      const { damage } = verify(path, signer.publicKey);
      expect(damage, `seed ${SEED}, try ${n}`).toBeDefined();
      expect(damage?.entry).toBeGreaterThanOrEqual(index + 1);
    }
  });

  test('any flipped byte in the file is found, or every entry reads as before', () => {
    const throws = dice(SEED);
    const whole = readFileSync(join(folder, 'good.db'));
    const goodRows = JSON.stringify(rowsOf(join(folder, 'good.db')));
    let found = 0;
    const tries = byNight({ day: 150, night: 1_000 });
    for (let n = 0; n < tries; n++) {
      const path = join(folder, 'flipped.db');
      const bytes = Buffer.from(whole);
      const offset = throws.between(0, bytes.length - 1);
      bytes[offset] = (bytes[offset] ?? 0) ^ (1 << throws.between(0, 7));
      writeFileSync(path, bytes);
      if (isFound(path)) found += 1;
      else expect(JSON.stringify(rowsOf(path)), `seed ${SEED}, byte ${offset}`).toBe(goodRows);
      for (const rest of ['-wal', '-shm', '-journal']) rmSync(`${path}${rest}`, { force: true });
    }
    expect(found).toBeGreaterThan(tries / 8);
  });
});

const isFound = (path: string): boolean => {
  try {
    return verify(path).damage !== undefined;
  } catch {
    // The whole file was refused: it did not open as a journal.
    return true;
  }
};

test('sealed again with an attacker’s key: passes alone, but not against the till’s key', () => {
  const path = join(folder, 'forged.db');
  const journal = openJournal(path, virtualClock());
  journal.sealWith(signerOf(new Uint8Array(32).fill(9)));
  journal.close();
  expect(verify(path).damage).toBeUndefined();
  expect(verify(path, signer.publicKey).damage).toMatchObject({ what: 'otherKey', entry: 1 });
});

test('a seal of another key, a moved seal and a seal of another day are each named', () => {
  const goodRows = rowsOf(join(folder, 'good.db'));
  const index = goodRows.findIndex(({ kind, entry }) => kind === 'sealed' && entry > 1);
  const row = goodRows[index] as Row;
  const bodies: [string, string, string][] = [
    ['seal', row.body.replace(/"signature":".{4}/, '"signature":"AAAA'), 'did not sign'],
    ['sealKey', row.body.replace(/"key":".{4}/, '"key":"0000'), 'never made known'],
    ['sealPlace', (goodRows.findLast(({ kind }) => kind === 'sealed') as Row).body, 'something else'],
    ['malformed', '{"entry":1}', 'not what a till writes'],
  ];
  for (const [what, body, text] of bodies) {
    const path = copy('seal.db');
    rewrite(path, rechain(goodRows.with(index, { ...row, body })));
    const { damage } = verify(path);
    expect(damage).toMatchObject({ what, entry: row.entry });
    expect(damage && sentences(damage)[0]).toContain(text);
  }
});

test('a missing sale is found by its receipt number, though chain and seals are intact', () => {
  const path = join(folder, 'gap.db');
  const journal = openJournal(path, virtualClock());
  const body = (sale: string, receipt: number) => JSON.stringify({ on: 'intended', intent: { sale, receipt } });
  const [first, third] = ['1'.repeat(32), '3'.repeat(32)];
  journal.write([{ subject: first, kind: 'intended', body: body(first, 1) }]);
  journal.write([{ subject: third, kind: 'intended', body: body(third, 3) }]);
  journal.close();
  expect(verify(path).damage).toMatchObject({ what: 'receipt', entry: 2, detail: '3 comes after 1' });
});
