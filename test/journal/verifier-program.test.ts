/** The verifier as a program of its own: what it says, how it exits, and what it sees. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { signerOf } from '../../src/journal/signing.ts';
import { virtualClock } from '../support/virtual-clock.ts';

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

describe('the program by itself', () => {
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test('says what it found in words, and in its exit code', () => {
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

  test('refuses what is no command, and no file', () => {
    expect(run().status).toBe(2);
    expect(run('/nowhere').stderr).toContain('There is no file');
    expect(run(path(), '--key', 'x').stderr).toContain('--key takes a public key');
  });

  test('sees nothing but node:crypto, node:fs, the database reader and itself', () => {
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
