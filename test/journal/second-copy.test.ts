/** The second copy is always a prefix of the journal, never delays a sale, and suffices to send a dead till's money. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { bindingOf } from '../../src/folder/till-machine.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { keepSecondCopy, type SecondCopy } from '../../src/journal/second-copy.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { posixTest } from '../support/platform/platform.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let root = '';
let journal: Journal;
let outbox: Outbox;
let copies: SecondCopy[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'second-copy-'));
  copies = [];
  reopen();
});
afterEach(async () => {
  for (const copy of copies) await copy.close();
  journal.close();
  rmSync(root, { recursive: true, force: true });
});

const reopen = (): void => {
  journal = openJournal(join(root, 'journal.db'), systemClock);
  outbox = openOutbox(journal.sql, sealer(new Uint8Array(32).fill(5), systemRandom));
};
const folder = () => join(root, 'copy');
const reported: string[] = [];
const keep = (): SecondCopy => {
  const copy = keepSecondCopy({
    journal,
    folder: folder(),
    clock: systemClock,
    report: (error) => void reported.push(String(error)),
  });
  copies.push(copy);
  return copy;
};
const store = (id: string): void =>
  journal.write([{ subject: id, kind: 'x', body: JSON.stringify({ id }) }], () =>
    outbox.put({ id, kind: 'forward', sale: id, key: id, body: '{}', secret: `secret of ${id}` }, 1),
  );

type Row = Record<string, unknown>;
/** A file that its process had no time to fill is empty. */
const rowsIn = (file: string, table: string): Row[] => {
  const database = new Database(file);
  try {
    const isThere = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined;
    return isThere ? (database.prepare(`SELECT * FROM ${table}`).all() as Row[]) : [];
  } finally {
    database.close();
  }
};
const copiedRows = (table: string): Row[] => rowsIn(join(folder(), 'journal.db'), table);
const journalRows = (table: string): Row[] => journal.sql.all(`SELECT * FROM ${table}`) as Row[];

test('has every entry and every queue change, sealed as in the original', async () => {
  store('a');
  const copy = keep();
  store('b');
  outbox.markTrying('a');
  outbox.park('b', 'for a person');
  expect(await copy.waitUntilCaughtUp()).toEqual({ folder: folder(), entries: 2, behind: 0 });
  expect(copiedRows('entry')).toEqual(journalRows('entry'));
  expect(copiedRows('message')).toEqual(journalRows('message'));
  expect(copiedRows('second_copy')).toEqual([{ only: 1, whole: 1 }]);
  outbox.settle('a');
  await copy.waitUntilCaughtUp();
  expect(copiedRows('message').find(({ id }) => id === 'a')).toMatchObject({
    state: 'done',
    sealed: null,
    wrapped: null,
  });
});

test('records its till and mode: opened instead of the journal, a live till stays live', async () => {
  expect(modeOf(journal, 'live')).toBe('live');
  expect(bindingOf(journal, 'name:counter-1', systemRandom)).toBe('here');
  store('a');
  await keep().waitUntilCaughtUp();
  expect(copiedRows('till_mode')).toMatchObject([{ mode: 'live' }]);
  expect(copiedRows('till_mode')).toEqual(journalRows('till_mode'));
  // On another machine the copy is recognized as one from elsewhere.
  expect(copiedRows('till_machine')).toMatchObject([{ hash: expect.anything() }]);
  expect(copiedRows('till_machine')).toEqual(journalRows('till_machine'));
});

test('records which versions may open it, also after an older one used the journal', async () => {
  journal.close();
  const path = join(root, 'journal.db');
  const opening = { plan: schemaPlan };
  journal = openJournal(path, systemClock, opening);
  outbox = openOutbox(journal.sql, sealer(new Uint8Array(32).fill(5), systemRandom));
  store('a');
  const first = keep();
  await first.waitUntilCaughtUp();
  expect(copiedRows('journal_reach')).toEqual(journalRows('journal_reach'));
  await first.close();
  journal.sql.run('UPDATE journal_reach SET worked_by = worked_by - 1');
  const second = keep();
  await second.waitUntilCaughtUp();
  expect(copiedRows('journal_reach')).toEqual(journalRows('journal_reach'));
  expect(copiedRows('message')).toHaveLength(1);
});

test('catches up with what happened while it was switched off', async () => {
  const first = keep();
  store('a');
  store('b');
  await first.waitUntilCaughtUp();
  await first.close();
  outbox.settle('a');
  outbox.retryAt('b', { dueAt: 77, note: 'later', unknown: false });
  journal.write(Array.from({ length: 1_203 }, () => ({ subject: 's', kind: 'x', body: '{}' })));
  const copy = keep();
  expect((await copy.waitUntilCaughtUp()).behind).toBe(0);
  expect(copiedRows('entry')).toEqual(journalRows('entry'));
  expect(copiedRows('message')).toEqual(journalRows('message'));
});

test('a path that cannot be written is reported, the journal continues, and the copy catches up later', async () => {
  writeFileSync(folder(), 'a file in its place');
  const copy = keep();
  store('a');
  expect((await copy.waitUntilCaughtUp()).fault).toBeDefined();
  expect(reported.at(-1)).toContain('cannot be written');
  expect(journal.length).toBe(1);
  rmSync(folder());
  await copy.close();
  expect((await keep().waitUntilCaughtUp()).behind).toBe(0);
});

test('a copy that accepts nothing stops no write, and catches up when it accepts again', async () => {
  const copy = keep();
  store('a');
  await copy.waitUntilCaughtUp();
  const lock = new Database(join(folder(), 'journal.db'));
  lock.exec('BEGIN IMMEDIATE');
  const late = copy.waitUntilCaughtUp();
  for (let n = 0; n < 50; n++) store(`b${n}`);
  expect(journal.length).toBe(51);
  expect(copy.state().behind).toBe(50);
  lock.exec('ROLLBACK');
  lock.close();
  await late;
  expect((await copy.waitUntilCaughtUp()).behind).toBe(0);
  expect(copiedRows('message')).toEqual(journalRows('message'));
});

test('a path that fails during a sale is retried automatically', async () => {
  const clock = virtualClock();
  writeFileSync(folder(), 'a file in its place');
  const copy = keepSecondCopy({ journal, folder: folder(), clock, report: () => {} });
  copies.push(copy);
  store('a');
  await expect.poll(() => copy.state().fault).toContain('it is a file');
  rmSync(folder());
  await expect.poll(() => clock.waiting()).toBe(1);
  await clock.advance(30_000);
  await expect.poll(() => copy.state()).toEqual({ folder: folder(), entries: 1, behind: 0 });
});

test('the copy of another journal is refused and not changed', async () => {
  const copy = keep();
  store('a');
  await copy.waitUntilCaughtUp();
  await copy.close();
  const before = copiedRows('entry');
  journal.close();
  rmSync(join(root, 'journal.db'));
  reopen();
  store('another');
  const other = keep();
  expect((await other.waitUntilCaughtUp()).fault).toContain('another journal');
  expect(copiedRows('entry')).toEqual(before);
});

test('a copy of an older version is set aside without its keys and created again', async () => {
  const copy = keep();
  store('a');
  await copy.waitUntilCaughtUp();
  await copy.close();
  journal.sql.run('PRAGMA user_version = 9');
  expect((await keep().waitUntilCaughtUp()).behind).toBe(0);
  expect(copiedRows('message')).toEqual(journalRows('message'));
  expect(rowsIn(join(folder(), 'journal.db.old-1.bak'), 'message')).toMatchObject([{ id: 'a', sealed: null }]);
});

describe(`a process that is killed at any moment (seed ${SEED})`, () => {
  test('leaves a copy that is a prefix of the journal, and each message with its entry', async () => {
    const throws = dice(SEED);
    const path = join(root, 'killed.db');
    for (let life = 0; life < byNight({ day: 3, night: 20 }); life++) {
      await killAfter(life % 2 === 0 ? 'writing' : 'copied', throws.between(0, 80), path);
      const entries = rowsIn(path, 'entry');
      if (!existsSync(join(folder(), 'journal.db'))) continue;
      const copy = copiedRows('entry');
      expect(copy, `seed ${SEED}, life ${life}`).toEqual(entries.slice(0, copy.length));
      const [head] = copiedRows('head');
      expect(head?.['entry'] ?? 0).toBe(copy.length);
      const known = new Set(copy.map(({ body }) => (JSON.parse(String(body)) as { id: string }).id));
      expect(copiedRows('message').every(({ id }) => known.has(String(id)))).toBe(true);
      if (copiedRows('second_copy')[0]?.['whole'] === 1)
        expect(copiedRows('message').map(({ id }) => id)).toHaveLength(copy.length);
    }
    expect(copiedRows('entry').length).toBeGreaterThan(0);
  }, 60_000);

  /** Kills the process this many steps after it has printed the word. */
  const killAfter = (trigger: string, steps: number, path: string): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'copying-child.ts'), path, folder()]);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        output += more;
        const since = output.split(`${trigger}\n`)[1];
        if (since !== undefined && since.split('step\n').length > steps) child.kill('SIGKILL');
      });
      child.on('exit', () => resolve());
    });
});

test('a copy opens as a journal, with the messages that were open', async () => {
  store('a');
  const copy = keep();
  await copy.waitUntilCaughtUp();
  await copy.close();
  cpSync(folder(), join(root, 'saved'), { recursive: true });
  const saved = openJournal(join(root, 'saved', 'journal.db'), systemClock);
  const queue = openOutbox(saved.sql, sealer(new Uint8Array(32).fill(5), systemRandom));
  expect(queue.open('a')).toBe('secret of a');
  saved.close();
});

describe('a share that hangs', () => {
  const createPipe = (): void => {
    mkdirSync(folder());
    expect(spawnSync('mkfifo', [join(folder(), 'pipe')]).status).toBe(0);
  };

  posixTest('delays neither a sale nor the end of the process', async () => {
    createPipe();
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'hanging-child.ts'),
      join(root, 'b.db'),
      folder(),
    ]);
    let out = '';
    child.stdout.on('data', (portion) => {
      out += String(portion);
    });
    await new Promise((ended) => child.once('close', ended));
    expect(out.split('\n')).toEqual([
      expect.stringContaining('it is slow'),
      expect.stringContaining('it is slow'),
      'closed',
      '',
    ]);
  });

  posixTest('is reported after a minute, and gets no second thread beside the hanging one', async () => {
    createPipe();
    const clock = virtualClock();
    const faults: string[] = [];
    const thread = new URL('./hanging-thread.ts', import.meta.url);
    const copy = keepSecondCopy({
      journal,
      folder: folder(),
      clock,
      report: (error) => void faults.push(String(error)),
      thread,
    });
    store('a');
    await clock.advance(59_000);
    expect(copy.state()).toEqual({ folder: folder(), entries: 0, behind: 1 });
    await clock.advance(10 * 60_000);
    expect(copy.state().fault).toBe('it has not answered for 60 s');
    expect(faults).toHaveLength(1);
    // Opening the other end of the pipe releases the thread.
    const end = openSync(join(folder(), 'pipe'), 'r+');
    await clock.until(copy.close());
    closeSync(end);
  });
});
