/**
 * The journal, ledger and books of a till, on a real journal with planned write failures. Sales consist of their events
 * only.
 */
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { ledgerWithBatches, openBooks } from '../../src/books/books.ts';
import { openClosingGate } from '../../src/books/closing/gate.ts';
import { lineIndex } from '../../src/books/lines/line-index.ts';
import { openTerminalBooks } from '../../src/books/till-books.ts';
import { tillSigner } from '../../src/folder/keys/till-signer.ts';
import { conservationIndex } from '../../src/ledger/conservation-index.ts';
import { type FullLedger, openLedger } from '../../src/ledger/ledger.ts';
import { operationIndex } from '../../src/ledger/operation-index.ts';
import { forwardLosses } from '../../src/offline/forward-losses.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import type { Moment } from '../../src/reconciliation/business-day.ts';
import { openAgreement } from '../../src/recovery/gateway-agreement.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import type { Intent } from '../../src/till/machine/facts.ts';
import { replay } from '../../src/till/machine/sale.ts';
import { events, intent } from '../reconciliation/sale-cases.ts';
import type { Dice } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { bookkeepingHost } from '../support/till/bookkeeping-host.ts';

/** Which write fails, counted over all restarts, and whether it is durable all the same. */
export type Failing = { at: number; when: 'before' | 'after'; writes: number };

export const fixedMoment = (): Moment => ({ at: Date.UTC(2026, 10, 21, 12), trusted: true });

export const never: Failing = { at: 0, when: 'before', writes: 0 };

const rule = { cutOff: '04:00', timeZone: 'Europe/Vienna' };

/** Opens the journal, ledger and books with planned write failures. */
export const openRig = (failing: Failing, { folder, chance, now }: { folder: string; chance: Dice; now(): Moment }) => {
  const journal = openJournalUnsynced(join(folder, 'journal.db'), systemClock);
  const { write } = journal;
  journal.write = (entries, also) => {
    failing.writes += 1;
    const fails = failing.writes === failing.at;
    if (fails && failing.when === 'before') throw new Fault('journal.unwritable', { why: 'as told' });
    write(entries, also);
    if (fails) throw new Fault('journal.unwritable', { why: 'as told' });
  };
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), chance.random));
  const { sql } = journal;
  const books = openBooks({ journal, terminalId: '1', rule, now });
  const plain = openLedger({
    journal,
    outbox,
    clock: systemClock,
    indexes: [conservationIndex(sql), operationIndex(sql), forwardLosses(sql), lineIndex(sql, books)],
  });
  const ledger = ledgerWithBatches(plain, books);
  const clock = systemClock;
  const host = bookkeepingHost({
    mode: 'test',
    ...{ clock, fate: () => 'answered', approves: () => true, takesMs: () => 0 },
    ...{ timeoutMs: 1_000, requestLifeMs: 2_000 },
  });
  const reported = { gateway: 'twin', batches: books.batches, now: () => now().at };
  const service = openTerminalBooks({
    ...{ books, ledger, journal, merchantId: 'e'.repeat(32), signer: tillSigner(new Uint8Array(32).fill(7)) },
    ...{ host, agreement: openAgreement({ journal, ledger, host, clock, ...reported }) },
    drain: async () => endAll(ledger),
    ...{ clock, gate: openClosingGate(clock) },
  });
  return { journal, books, ledger, service };
};

/** What a start and the queue do to sales that a crash interrupted. */
const endAll = (ledger: FullLedger): void => {
  for (const id of ledger.openSales()) {
    const sale = replay(ledger.events(id));
    if (sale?.at === 'presenting') ledger.record(id, { on: 'cardNotRead', why: 'timedOut' });
    else if (sale?.at === 'authorising') ledger.record(id, events.declined);
    if (replay(ledger.events(id))?.at === 'completing') ledger.record(id, events.done);
  }
};

export const sell = (ledger: FullLedger, chance: Dice, terminalId = '1'): void => {
  const numbers = ledger.nextNumbers(terminalId);
  const sale = chance.ids.next();
  const amount = { minor: BigInt(chance.between(1, 9_999)), currency: 'EUR' };
  ledger.record(sale, { on: 'intended', intent: intent({ ...numbers, terminalId, sale, key: sale, amount }) });
  for (const event of [events.read, events.approved, events.done]) ledger.record(sale, event);
};

/** Records one operation by its events. Returns its id. */
export const takeSale = (
  ledger: FullLedger,
  chance: Dice,
  {
    created = [events.read, events.approved, events.done],
    ...more
  }: Partial<Intent> & { created?: readonly SaleEvent[] },
): string => {
  const sale = chance.ids.next();
  ledger.record(sale, { on: 'intended', intent: intent({ ...ledger.nextNumbers('1'), sale, key: sale, ...more }) });
  for (const event of created) ledger.record(sale, event);
  return sale;
};
