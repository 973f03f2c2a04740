/** A sale for each row of the places, made by its events. */
import type { PlaceName } from '../../src/reconciliation/places.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import type { HostAnswer, Intent } from '../../src/till/machine/facts.ts';
import { replay, type Sale } from '../../src/till/machine/sale.ts';

export const intent = (more: Partial<Intent> = {}): Intent => ({
  sale: 'a'.repeat(32),
  operation: 'sale',
  amount: { minor: 1_000n, currency: 'EUR' },
  terminalId: '1',
  sequence: 1,
  receipt: 1,
  key: 'b'.repeat(32),
  at: Date.UTC(2026, 10, 21, 12),
  gateway: 'twin',
  ...more,
});

const answer: HostAnswer = { code: '000.100.110', description: 'done', payment: 'c'.repeat(32) };
const card = { entryMode: 'NFC_ICC', maskedPan: '476173******0010', verification: 'none' } as const;
const read: SaleEvent = {
  on: 'cardRead',
  card,
  decision: 'goOnline',
  offline: { kind: 'allowed', chip: true, deferred: true },
};
const chipRead: SaleEvent = { ...read, card: { ...card, entryMode: 'ICC' } };
const unreached: SaleEvent = {
  on: 'hostNotReached',
  why: 'no line',
  offline: { kind: 'allowed', chip: true, deferred: true },
};
const approved: SaleEvent = { on: 'hostApproved', answer };
const declined: SaleEvent = { on: 'hostDeclined', answer: { ...answer, code: '800.100.155' } };
const silent: SaleEvent = { on: 'hostSilent', why: 'no answer' };
const done: SaleEvent = { on: 'chipNotAsked' };

/** The events that lead to each row, by the row's name. */
export const cases: Readonly<
  Record<Exclude<PlaceName, 'unforeseen' | 'contradicted' | 'unread'>, readonly SaleEvent[]>
> = {
  waiting: [],
  goingOffline: [read, unreached],
  tellingNo: [chipRead, declined],
  underWay: [read],
  reversalDue: [chipRead, approved, { on: 'chipGone', why: 'pulled' }],
  unanswered: [read, silent, silent],
  givenBack: [chipRead, approved, { on: 'chipGone', why: 'pulled' }, { on: 'reversed', how: 'reversed' }],
  stored: [read, unreached, done],
  withdrawn: [read, unreached, done, { on: 'withdrawn' }],
  approved: [read, approved, done],
  declined: [read, declined, done],
  neverSent: [{ on: 'cardNotRead', why: 'timedOut' }],
};

export const saleAfter = (events: readonly SaleEvent[], more: Partial<Intent> = {}): Sale => {
  const sale = replay([{ on: 'intended', intent: intent(more) }, ...events]);
  if (sale === undefined) throw new Error('no such sale');
  return sale;
};

/** A sale in this place. */
export const saleIn = (name: keyof typeof cases, more: Partial<Intent> = {}): Sale => saleAfter(cases[name], more);

/** An operation that follows a payment, after the gateway's answer. */
export const follower = (
  operation: Intent['operation'],
  minor: bigint,
  events: readonly SaleEvent[] = [approved],
): Sale =>
  saleAfter(events, {
    operation,
    sale: 'd'.repeat(32),
    amount: { minor, currency: 'EUR' },
    follows: { sale: 'a'.repeat(32), payment: 'c'.repeat(32), receipt: 1 },
  });

export const events = { approved, declined, silent, read, chipRead, unreached, done, answer };
