/** A bakery's books, scripted and not stored: a month of days, a batch to close, files that differ, open sales. */

import * as z from 'zod';
import type {
  BatchReport,
  BatchRow,
  ClosingState,
  OpenItem,
  SaleInProgress,
  Today,
} from '../../../../src/api/contract/books.ts';
import { type ReconciliationDetail, reconciliationRow } from '../../../../src/api/contract/reconciliations.ts';
import type { BooksPort } from '../../../../src/api/ports/books.ts';
import { Fault } from '../../../../src/base/fault.ts';
import { AT, amountOf, batchNow, DAY, day, EUR, earlierBatches, HOUR, reportOf, zPaper } from './bakery.ts';
import { limitSettings, replayOf, unprovedLimits } from './bakery-limits.ts';
import { openItems } from './bakery-open.ts';
import { differences, earlierFiles } from './bakery-settlements.ts';

const byHour = [0, 0, 84.2, 312.6, 401.9, 288.4, 176.3, 340.75, 512.1, 398.2, 184.6, 122.45, 0, 0];
const weekAgo = [0, 0, 91.5, 280.1, 366.2, 301, 190.8, 298.4, 470.25, 377.9, 260.3, 205.1, 140.2, 0];

export const bakeryToday = (open: number): Today => ({
  day: day(0),
  taken: EUR('2821.50'),
  refunded: EUR('34.80'),
  offline: { exposure: EUR('189.60'), most: EUR('500.00') },
  openItems: open,
  sales: 231,
  begun: 244,
  byHour: byHour.map((taken, hour) => ({
    hour,
    at: AT - (AT % HOUR) + (hour - 13) * HOUR,
    taken: amountOf(taken),
    lastWeek: amountOf(weekAgo[hour] ?? 0),
  })),
  byBrand: [
    { brand: 'VISA', count: 98, taken: '1204.30' },
    { brand: 'MASTER', count: 84, taken: '1011.95' },
    { brand: 'MAESTRO', count: 31, taken: '402.15' },
    { brand: 'AMEX', count: 18, taken: '203.10' },
  ],
  byTerminal: [
    { counter: 'T1', count: 162, taken: '1980.40' },
    { counter: 'T2', count: 69, taken: '841.10' },
  ],
  byDay: Array.from({ length: 14 }, (_, index) => ({
    day: day(13 - index),
    taken: index === 6 ? '0.00' : amountOf(2300 + ((index * 373) % 900)),
  })),
});

const emptyToday: Today = {
  ...bakeryToday(0),
  taken: EUR('0.00'),
  refunded: EUR('0.00'),
  offline: { exposure: EUR('0.00') },
  sales: 0,
  byHour: [],
  byBrand: [],
  byTerminal: [],
  byDay: [],
};

const closingOf = (items: readonly OpenItem[], batch: BatchRow): ClosingState => {
  const open = (place: 'unknown' | 'notSent' | 'unpaid', kinds: readonly OpenItem['kind'][]) =>
    items
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ sale, receipt, why, person }) => ({
        sale: sale.id,
        receipt,
        amount: `${sale.amount.amount} ${sale.amount.currency}`,
        place,
        why,
        next: person,
      }));
  const unknown = open('unknown', ['unknown', 'overdue', 'person', 'differs', 'terminal']);
  const unsent = open('notSent', ['waiting', 'behind', 'parked']);
  const unpaid = open('unpaid', ['task']);
  const isOff = unknown.length + unsent.length > 0;
  return {
    batch,
    checks: [
      { what: 'nothingUnknown', ok: unknown.length === 0, open: unknown },
      { what: 'nothingUnsent', ok: unsent.length === 0, open: unsent },
      { what: 'nothingUnpaid', ok: unpaid.length === 0, open: unpaid },
      { what: 'gatewayAgrees', ok: true, open: [] },
      { what: 'sumsAgree', ok: true, open: [] },
      { what: 'terminalDay', ok: true, open: [] },
      { what: 'timeTrusted', ok: true, open: [] },
    ],
    mayClose: !isOff,
  };
};

/** `calm`: nothing is open, the day can be closed. `empty`: a till's first morning. `much`: lists of thousands. */
/** `unproved`: the terminal authenticates no card. `selling`: calm, with a sale in progress that never ends. */
export type BooksSituation = 'busy' | 'calm' | 'empty' | 'failing' | 'much' | 'selling' | 'unproved';

const sold: SaleInProgress = {
  ...{ receipt: 431, operation: 'sale', counter: 'T1', startedAt: AT },
  amount: { amount: '12.50', currency: 'EUR' },
};

/** Every call that changes something, as it came. */
export type Calls = { name: string; facts: unknown }[];

const itemsOf = (situation: BooksSituation): OpenItem[] => {
  const shownItems = openItems();
  if (situation === 'busy' || situation === 'failing') return shownItems;
  if (situation !== 'much') return [];
  return Array.from({ length: 2000 }, (_, index) => ({
    ...(shownItems[index % shownItems.length] as OpenItem),
    receipt: 1000 + index,
  }));
};

export const scriptedBooks = (situation: BooksSituation = 'busy'): { service: BooksPort; calls: Calls } => {
  const calls: Calls = [];
  const call = (name: string, facts: unknown): void => void calls.push({ name, facts });
  let items = itemsOf(situation);
  let settings = limitSettings();
  let details: ReconciliationDetail[] = situation === 'empty' ? [] : [differences(), ...earlierFiles()];
  let current: BatchRow = batchNow;
  let isWaiting = false;
  const cancelled = Promise.withResolvers<never>();
  const throwFault = (): void => {
    if (situation === 'failing') throw new Fault('journal.unwritable', { why: 'the disk is full' });
  };
  const rows = (): BatchRow[] =>
    situation === 'empty' ? [] : [current, ...earlierBatches(situation === 'much' ? 2000 : 30)];
  const batch = (number: number): BatchReport => {
    const row = rows().find((one) => one.batch === number);
    if (row === undefined) throw new Fault('books.notFound', { batch: number });
    return { ...reportOf(row), ...(row.state === 'closed' && { paper: zPaper(row) }) };
  };
  const detail = (id: string): ReconciliationDetail => {
    const found = details.find((one) => one.id === id);
    if (found === undefined) throw new Fault('books.notFound', { batch: id });
    return found;
  };
  const service: BooksPort = {
    today: () => {
      throwFault();
      return situation === 'empty' ? emptyToday : bakeryToday(items.length);
    },
    batches: rows,
    batch: async (number) => batch(number),
    async xReport(actor) {
      call('xReport', actor.name);
      return { ...reportOf(current), number: 4, paper: zPaper(current) };
    },
    async closing() {
      if (situation === 'empty') return { checks: [], mayClose: false };
      return { ...closingOf(items, current), ...(situation === 'selling' && { inProgress: [sold] }) };
    },
    closingWait: () => (isWaiting ? { waits: { terminalId: current.terminalId, sales: [sold] } } : {}),
    cancelClosing() {
      call('cancelClosing', {});
      cancelled.reject(new Fault('books.closeCancelled', { receipts: '431' }));
      return {};
    },
    async close(request, actor) {
      call('close', { ...request, by: actor.name });
      isWaiting = situation === 'selling';
      if (isWaiting) await cancelled.promise;
      if (items.length > 0 && request.override === undefined)
        throw new Fault('books.openMoney', { count: items.length, amounts: 'receipt 417: 64.00 EUR' });
      current = { ...current, state: 'closed', closedAt: AT, z: 31 };
      return batch(current.batch);
    },
    async reconcile({ name, bytes }, actor) {
      const chunks: Uint8Array[] = [];
      if (bytes instanceof Uint8Array) chunks.push(bytes);
      else for await (const chunk of bytes) chunks.push(chunk);
      const text = new TextDecoder().decode(Buffer.concat(chunks));
      call('reconcile', { name, by: actor.name });
      if (!text.startsWith('MerchantId'))
        throw new Fault('settlement.unreadable', { file: name, why: 'its first line is not a settlement file’s' });
      const added = { ...differences(), id: `r${details.length + 1}`, file: name };
      details = [added, ...details];
      return added;
    },
    async compareSettlement() {
      throw new Error('no screen compares without keeping');
    },
    reconciliations: () => details.map((one) => z.object(reconciliationRow.shape).parse(one)),
    reconciliation: detail,
    resolveDifference(id, n, decision, actor) {
      call('resolveDifference', { id, n, ...decision });
      const previous = detail(id);
      const findings = previous.findings.map((row) =>
        row.n === n ? { ...row, resolution: { ...decision, at: AT, by: actor.name } } : row,
      );
      const after = { ...previous, findings, resolved: findings.filter(({ resolution }) => resolution).length };
      details = details.map((one) => (one.id === id ? after : one));
      return after;
    },
    openItems: () => items,
    async act(receipt, action, actor, statement) {
      call('act', { receipt, action, by: actor.name, ...statement });
      const item = items.find((one) => one.receipt === receipt);
      if (action === 'askNow' && item?.kind === 'person') return item;
      items = items.filter((one) => one.receipt !== receipt);
      return undefined;
    },
    async sendAll() {
      call('sendAll', {});
      const left = items.filter(({ kind }) => kind !== 'waiting' && kind !== 'behind');
      const doneCount = items.length - left.length;
      items = left;
      return { done: doneCount, later: 0, parked: 1 };
    },
    limits: () => (situation === 'unproved' ? unprovedLimits(settings) : { settings, written: {}, ready: true }),
    limitsReport: async () => ({ online: true, ready: true, rows: [] }),
    setLimits(changes) {
      call('setLimits', changes);
      settings = settings.map((one) => ({ ...one, value: changes[one.key] ?? one.value }));
      return this.limits();
    },
    replayLimits(changes) {
      call('replayLimits', changes);
      return replayOf(changes, { from: AT - 30 * DAY, to: AT });
    },
    async download(file) {
      call('download', file);
      return { name: `${file.of}.${file.as}`, type: 'text/csv', bytes: new TextEncoder().encode('receipt,amount\n') };
    },
  };
  return { service, calls };
};
