/** The audit list: who did what, newest first, in pages, without the entries about sales. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { type Audit, openAudit } from '../../src/staff/audit/audit.ts';
import { auditKinds } from '../../src/staff/audit/audit-words.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const clock = virtualClock();
let folder: string;
let journal: Journal;
let audit: Audit;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  journal.sql.run('CREATE TABLE sale (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL)');
  audit = openAudit(journal);
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (subject: string, body: { on: string } & Record<string, unknown>): void =>
  journal.write([{ subject, kind: body.on, body: JSON.stringify(body) }]);
const all = { from: 0, most: 50 };

const rows: readonly [body: { on: string } & Record<string, unknown>, by: string | undefined, words: string][] = [
  [{ on: 'staffAdded', name: 'Ana', role: 'manager', pin: { hash: 'AB' } }, undefined, 'added Ana (manager)'],
  [{ on: 'staffPin', name: 'Ben', pin: {}, by: 'Ana' }, 'Ana', 'gave Ben a new PIN'],
  [{ on: 'staffRemoved', name: 'Ben', by: 'Ana' }, 'Ana', 'removed Ben'],
  [{ on: 'staffAdmitted', name: 'Ben', permission: 'signIn' }, 'Ben', 'signed in'],
  [{ on: 'staffAdmitted', name: 'Ana', permission: 'credit' }, 'Ana', 'entered the PIN to credit a card'],
  [
    { on: 'staffRefused', name: 'Ben', why: 'pin', permission: 'signIn' },
    'Ben',
    'was refused permission to sign in: a wrong PIN',
  ],
  [{ on: 'staffRefused', why: 'nobody', permission: 'signIn' }, undefined, 'a name that nobody has'],
  [
    { on: 'staffRefusals', name: 'Ben', tries: { pin: 5, locked: 12 }, from: 1767348120000, to: 1767351480000 },
    'Ben',
    'more refused attempts between 2026-01-02 10:02:00 UTC and 2026-01-02 10:58:00 UTC: 17. Wrong PINs among them: 5',
  ],
  [{ on: 'staffRefusals', tries: { nobody: 2 }, from: 0, to: 1 }, undefined, 'Wrong PINs among them: 2'],
  [{ on: 'browserKnown', name: 'Ana' }, 'Ana', 'signed in at a browser'],
  [{ on: 'browserForgotten', name: 'Ana', by: 'Mia' }, 'Mia', 'a browser where Ana had signed in'],
  [{ on: 'staffLeft', name: 'Ben', how: 'idle' }, 'Ben', 'signed out automatically'],
  [{ on: 'staffAllowed', name: 'Ana', permission: 'credit', asked: 'Ben' }, 'Ana', 'allowed Ben to credit a card'],
  [
    {
      on: 'limitsChanged',
      by: 'Ana',
      before: { chip: { upTo: '0.00' }, hours: 24 },
      after: { chip: { upTo: '50.00' } },
    },
    'Ana',
    'changed the offline limits: Card approves offline: One sale, up to: 0.00 → 50.00; Longest time offline: 24 → No limit',
  ],
  [
    {
      ...{ on: 'limitsChanged', by: 'Tess', approvedBy: 'Ana' },
      ...{ before: { chip: { upTo: '0.00' } }, after: { chip: { upTo: '50.00' } } },
    },
    'Tess',
    'changed the offline limits, approved by Ana: Card approves offline: One sale, up to: 0.00 → 50.00',
  ],
  [
    { on: 'configurationImported', by: 'Tess', changed: ['paper.footer'] },
    'Tess',
    'imported a configuration that changed paper.footer',
  ],
  [
    { on: 'configurationImported', by: 'Tess', changed: ['offline.hours', 'currency'], approvedBy: 'Ana' },
    'Tess',
    'that changed offline.hours and currency, approved by Ana',
  ],
  [{ on: 'xReport', batch: 3, number: 2 }, undefined, 'X report 2 of batch 3'],
  [
    { on: 'batchClosing', batch: 3, override: { by: 'Ana', reason: 'power is going' } },
    'Ana',
    'with open sales: power',
  ],
  [
    { on: 'batchClosed', batch: 3, terminalId: '12345678', z: {} },
    undefined,
    'batch 3 of terminal 12345678 was closed',
  ],
  [
    { on: 'personSaid', charged: true, by: { who: 'Ana', role: 'manager', reason: 'slip', evidence: 'bank' } },
    'Ana',
    'a sale was charged. Reason: slip. Evidence: bank',
  ],
  [{ on: 'exported', id: 'E1', by: ['Ana', 'Tess'], sales: ['a', 'b'] }, 'Ana and Tess', 'exported unsent sales: 2'],
  [
    { on: 'posKeyMade', name: 'POS', hash: 'AB', origins: ['https://a.example'], by: 'Ana' },
    'Ana',
    'for pages of https',
  ],
  [
    { on: 'posKeyMade', name: 'POS', hash: 'AB', origins: [], by: 'Tess', approvedBy: 'Ana' },
    'Tess',
    'created a key for the program POS, approved by Ana',
  ],
  [
    { on: 'posKeyMade', name: 'POS', hash: 'AB', origins: ['https://a.example'], by: 'Tess', approvedBy: 'Ana' },
    'Tess',
    'for pages of https://a.example, approved by Ana',
  ],
  [{ on: 'posKeyApproved', name: 'POS', by: 'Ana' }, 'Ana', 'approved the key of the program POS'],
  [{ on: 'drawerOpened', program: 'POS' }, 'POS', 'opened the cash drawer'],
];

test.each(rows)('%j is by %s: %s', (body, by, text) => {
  write('anything', body);
  const [row] = audit.page(all).rows;
  expect(row?.words).toContain(text);
  expect(row).toMatchObject({ kind: body.on, entry: 1, at: clock.now() });
  expect(row?.by).toBe(by);
  expect(row?.words).not.toMatch(/undefined|\[object|AB/);
});

test('every kind has a text, even for an entry without details', () => {
  for (const on of Object.keys(auditKinds)) write('x', { on });
  const { rows: reports } = audit.page({ from: 0, most: 200 });
  expect(reports).toHaveLength(Object.keys(auditKinds).length);
  for (const { words } of reports) expect(words).not.toMatch(/undefined|null|NaN/);
});

test('lists newest first, by page, kind and person, without sales', () => {
  for (let n = 1; n <= 30; n += 1) {
    write(`sale${n}`, { on: 'intended' });
    write('staff', { on: 'staffAdmitted', name: n % 3 === 0 ? 'Ana' : 'Ben', permission: 'signIn' });
    if (n % 10 === 0) write('staff', { on: 'staffPin', name: 'Ben', by: 'Ana' });
  }
  expect(audit.page({ from: 0, most: 2 })).toMatchObject({ total: 33, rows: [{ kind: 'staffPin' }, { by: 'Ana' }] });
  const pages = [0, 10, 20, 30].flatMap((from) => audit.page({ from, most: 10 }).rows.map(({ entry }) => entry));
  expect(pages).toEqual([...pages].sort((a, b) => b - a));
  expect(new Set(pages).size).toBe(33);
  expect(audit.page({ ...all, kind: 'staffPin' }).total).toBe(3);
  expect(audit.page({ ...all, kind: 'intended' }).total).toBe(0);
  expect(audit.page({ ...all, by: 'ana' }).total).toBe(13);
  expect(audit.page({ ...all, by: 'Ana', kind: 'staffPin' }).total).toBe(3);
  expect(audit.page({ from: 100, most: 10 })).toEqual({ rows: [], from: 100, total: 33 });
});

test('an entry about a sale names its receipt', () => {
  journal.sql.run("INSERT INTO sale VALUES ('s1', 42)");
  write('s1', { on: 'personSaid', charged: false });
  expect(audit.page(all).rows).toMatchObject([{ receipt: 42 }]);
});

test('a person’s typed text is shown as text, with its numbers masked', () => {
  write('s1', {
    on: 'personSaid',
    charged: true,
    by: { who: 'Ana', reason: '4111111111111111\u001b[2J', evidence: 'x' },
  });
  const [row] = audit.page(all).rows;
  expect(row?.words).not.toContain('4111111111111111');
  expect(row?.words).not.toContain('\u001b');
});

test('notes of services are in the list, with who made them', () => {
  audit.note({ on: 'drawerOpened' }, { name: 'Ben', permissions: [] });
  audit.note({ on: 'printerAdded', printer: 'Bar' }, { permissions: [] });
  const { rows: reports } = audit.page(all);
  expect(reports.map(({ kind, by }) => [kind, by])).toEqual([
    ['printerAdded', undefined],
    ['drawerOpened', 'Ben'],
  ]);
});

test('a page is read by an index over these entries alone, which replaces an older version’s index', () => {
  const made = (): string[] =>
    journal.sql.all("SELECT name FROM sqlite_master WHERE name LIKE 'entry_audit_%'").map(({ name }) => String(name));
  const [index = ''] = made();
  const kinds = Object.keys(auditKinds).map((kind) => `'${kind}'`);
  const plan = journal.sql
    .all(`EXPLAIN QUERY PLAN SELECT * FROM entry INDEXED BY ${index} WHERE kind IN (${kinds.join(', ')})
          ORDER BY entry DESC LIMIT 5`)
    .map(({ detail }) => String(detail));
  expect(plan).toEqual([`SCAN entry USING INDEX ${index}`]);
  journal.sql.run("CREATE INDEX entry_audit_before ON entry (entry) WHERE kind = 'staffAdded'");
  openAudit(journal);
  expect(made()).toEqual([index]);
});
