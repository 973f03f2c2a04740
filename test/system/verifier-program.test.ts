/** The verifier as a program: its output, its exit code, and what it imports. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { signerOf } from '../../src/journal/signing.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const program = join(import.meta.dirname, '../../src/journal/verifier/main.ts');
const signer = signerOf(new Uint8Array(32).fill(7));

let folder = '';
const path = () => join(folder, 'journal.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verifier-program-'));
  const journal = openJournal(path(), virtualClock());
  journal.sealWith(signer);
  for (let n = 1; n <= 12; n++) {
    const sale = n.toString(16).padStart(32, '0');
    const body = JSON.stringify({ on: 'intended', intent: { sale, receipt: n } });
    journal.write([{ subject: sale, kind: 'intended', body }]);
  }
  journal.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the verifier program', () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test('reports what it found in its output and its exit code', () => {
    const good = run(path(), '--key', signer.publicKey);
    expect(good.status).toBe(0);
    expect(good.stdout).toContain('13 entries, all in order: 12 sales with receipts 1 to 12, 1 seal.');
    const database = new Database(path());
    database.exec("UPDATE entry SET body = '{}' WHERE entry = 12");
    database.close();
    const bad = run(path());
    expect(bad.status).toBe(5);
    expect(bad.stdout).toContain('Entry 12 does not match its hash.');
    expect(bad.stdout).toContain('Keep the whole folder as it is');
    expect(JSON.parse(run(path(), '--json').stdout)).toMatchObject({ damage: { what: 'hash', entry: 12 } });
  });

  test('says what is sealed and what is only chained, and compares it with notes made elsewhere', () => {
    const { stdout } = run(path());
    expect(stdout).toContain(`Sealed by ${signer.publicKey} up to entry 1 of `);
    expect(stdout).toContain('; 12 entries after it are chained but not sealed.');
    expect(stdout).toContain('Entries missing from the end show only by a note');
    const [, signedNote = ''] = /It ends with (13:[0-9a-f]{64})\./.exec(stdout) ?? [];
    const noted = run(path(), '--expect', signedNote, '--expect', signedNote.slice(3, 19));
    expect(noted).toMatchObject({ status: 0, stdout: expect.stringContaining('Entry 13 is as noted') });
    expect(JSON.parse(run(path(), '--json', '--expect', signedNote).stdout)).toMatchObject({
      proven: [13],
      unsealed: 12,
    });
    expect(run(path(), '--expect', `12:${signedNote.slice(3)}`).stdout).toContain(
      'Entry 12 is not what was noted elsewhere',
    );

    // The last entries are cut off with every trace of them: the file alone looks complete.
    const database = new Database(path());
    database.exec('DELETE FROM entry WHERE entry > 11');
    database.exec('UPDATE head SET entry = 11, hash = (SELECT hash FROM entry WHERE entry = 11)');
    database.close();
    expect(run(path(), '--key', signer.publicKey).status).toBe(0);
    const truncated = run(path(), '--expect', signedNote);
    expect(truncated).toMatchObject({ status: 5 });
    expect(truncated.stdout).toContain('entry 13 was noted, and the journal ends before it');
    expect(run(path(), '--expect', signedNote.slice(3)).stdout).toContain('no entry and no Z report has the hash');
  });

  test('finds a Z report by its printed hash', () => {
    const journal = openJournal(path(), virtualClock());
    const hash = 'ab'.repeat(32);
    journal.write([
      { subject: 'batch', kind: 'batchClosed', body: JSON.stringify({ on: 'batchClosed', z: { hash } }) },
    ]);
    journal.close();
    expect(run(path(), '--expect', hash)).toMatchObject({ status: 0 });
    expect(run(path(), '--expect', 'cd'.repeat(32))).toMatchObject({ status: 5 });
  });

  test('refuses an unknown command, and a missing file', () => {
    expect(run().status).toBe(2);
    expect(run('/nowhere').stderr).toContain('There is no file');
    expect(run(path(), '--key', 'x').stderr).toContain('--key takes a public key');
    for (const signedNote of ['12', '1:abc', 'x:0123456789abcdef', '']) {
      expect(run(path(), '--expect', signedNote)).toMatchObject({ status: 2, stdout: '' });
    }
  });

  test('imports nothing but node:crypto, node:fs, the database reader and its own files', () => {
    const place = join(program, '..');
    const seen = readdirSync(place).flatMap((file) =>
      [...readFileSync(join(place, file), 'utf8').matchAll(/^(?:import|\} from)[^']*'([^']+)'/gm)].map(
        ([, from]) => from,
      ),
    );
    const allowed = [
      'node:crypto',
      'node:fs',
      'better-sqlite3',
      './chain.ts',
      './findings.ts',
      './sources.ts',
      './walk.ts',
    ];
    expect(seen.filter((from) => !allowed.includes(from ?? ''))).toEqual([]);
    expect(new Set(seen).size).toBe(allowed.length);
  });
});
