/** Folders from before tills stored their mode: the journal decides live or test, and the till says why once. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acknowledgeMode, liveEvidence, modeOf } from '../../src/folder/till-mode.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { textOf } from '../../src/till/machine/event-text.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import { eur } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { journalOf, lay, newFolder, removeFolder, stateOf } from './older-journal.ts';

let folder = '';
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

/** The file as the last program without modes wrote it. */
const older = { ...schemaPlan, steps: schemaPlan.steps.filter(({ to }) => to <= 2) };

const SALE = 'a'.repeat(32);
const intended: SaleEvent = {
  on: 'intended',
  intent: {
    ...{
      sale: SALE,
      operation: 'sale',
      amount: eur(1_000n),
      terminalId: '1',
      sequence: 1,
      receipt: 1,
      key: 'k'.repeat(32),
    },
    ...{ at: Date.UTC(2026, 0, 2), gateway: 'a gateway' },
  },
};
const answer = (code: string) => ({ code, description: 'done', payment: 'p'.repeat(32) });
const notedAt = (device: string): SaleEvent => ({ on: 'terminalNoted', device, before: { text: '' } });
const paidThere: SaleEvent = {
  on: 'terminalApproved',
  payment: { amount: eur(1_000n), receiptNumber: '12' },
  slip: { customer: [], merchant: [] },
};

const write = (...events: SaleEvent[]): void => {
  const journal = openJournal(journalOf(folder), virtualClock(), { plan: older });
  for (const event of [intended, ...events]) journal.write([{ subject: SALE, kind: event.on, body: textOf(event) }]);
  journal.close();
  expect(stateOf(journalOf(folder)).version).toBe(2);
};

const opened = () => openJournal(journalOf(folder), virtualClock(), { plan: schemaPlan });
const judged = () => {
  const journal = opened();
  try {
    return [modeOf(journal), liveEvidence(journal)];
  } finally {
    journal.close();
  }
};

const kinds: readonly (readonly [string, readonly SaleEvent[], readonly unknown[]])[] = [
  ['a real ZVT terminal', [notedAt('ingenico Desk/3500 81012345'), paidThere], ['live', 'realTerminal']],
  ['a simulated ZVT terminal', [notedAt('SIMULATED ZVT 1'), paidThere], ['test', undefined]],
  ['a simulated terminal in lower case', [notedAt('Simulated ZVT 1'), paidThere], ['test', undefined]],
  ['a real terminal without a payment', [notedAt('ingenico Desk/3500 81012345')], ['test', undefined]],
  ['a reader with a live answer', [{ on: 'hostApproved', answer: answer('000.000.000') }], ['live', 'liveAnswer']],
  [
    'a stored sale with a live answer',
    [{ on: 'forwarded', approved: true, answer: answer('000.000.000') }],
    ['live', 'liveAnswer'],
  ],
  ['a late live answer', [{ on: 'approvedLate', answer: answer('000.000.000') }], ['live', 'liveAnswer']],
  ['a reader with a test answer', [{ on: 'hostApproved', answer: answer('000.100.110') }], ['test', undefined]],
  ['a reader, declined', [{ on: 'hostDeclined', answer: answer('800.100.155') }], ['test', undefined]],
];

test.each(kinds)('%s', (_, events, mode) => {
  write(...events);
  expect(judged()).toEqual(mode);
  // The mode is decided once: a later wish for a new till does not change it.
  const reopened = opened();
  expect(modeOf(reopened, mode[0] === 'live' ? 'test' : 'live')).toBe(mode[0]);
  reopened.close();
});

test('the manager is told once that the till was found to be live', () => {
  write(notedAt('ingenico Desk/3500 81012345'), paidThere);
  expect(judged()).toEqual(['live', 'realTerminal']);
  const journal = opened();
  acknowledgeMode(journal);
  expect(liveEvidence(journal)).toBeUndefined();
  journal.close();
  expect(judged()).toEqual(['live', undefined]);
});

test('an older file leaves a copy beside it, and one without sales is a test till', () => {
  openJournal(journalOf(folder), virtualClock(), { plan: older }).close();
  expect(judged()).toEqual(['test', undefined]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toEqual(['journal.db.v2.bak']);
});

test.each([
  ['first-card-sale', 'test', 'journal.db.v1.bak'],
  ['host-api', 'test', 'journal.db.v1.bak'],
  ['terminals', 'live', 'journal.db.v1.bak'],
])('the till of %s is a %s till', (fixture, mode, copy) => {
  lay(folder, fixture);
  expect(judged()[0]).toBe(mode);
  expect(readdirSync(folder)).toContain(copy);
});

test('a new folder is a test till, unless it was created to go live', () => {
  const journal = opened();
  expect([modeOf(journal), liveEvidence(journal)]).toEqual(['test', undefined]);
  journal.close();
  removeFolder(folder);
  folder = newFolder();
  const live = opened();
  expect([modeOf(live, 'live'), liveEvidence(live), modeOf(live)]).toEqual(['live', undefined, 'live']);
  live.close();
});
