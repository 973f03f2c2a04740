/** The rows for a terminal that authorises by itself, state by event: every case decided, every other one refused. */
import { describe, expect, test } from 'vitest';
import type { SaleEvent, SaleEventName } from '../../src/till/events.ts';
import type { Intent } from '../../src/till/facts.ts';
import { begin, isOpen, next, type Sale } from '../../src/till/sale.ts';
import { cases } from './terminal-sale-cases.ts';

const intent: Intent = {
  sale: 'a'.repeat(32),
  operation: 'sale',
  amount: { minor: 1250n, currency: 'EUR' },
  terminalId: '12345678',
  sequence: 7,
  receipt: 7,
  gateway: 'g',
  key: 'b'.repeat(32),
  at: 0,
  by: 'terminal',
};
const back = (how: 'reverse' | 'refund'): Intent => ({
  ...intent,
  operation: 'refund',
  follows: { sale: 'c'.repeat(32), payment: '0017', receipt: 3, at: { device: 'T 1', how } },
});
const terminal = { device: 'T 1', before: { text: 'approved | 0017', receiptNumber: '0017' } };
const fresh = { device: 'T 1', before: { text: 'none' } };
const slip = { customer: [], merchant: [] };
const payment = { amount: intent.amount, receiptNumber: '0018' };
const paid = { ...terminal, payment, slip };

const noting: Sale = { at: 'noting', intent, cancelled: false };
const paying: Sale = { at: 'paying', intent, terminal, cancelled: false };
const asking: Sale = { at: 'asking', intent, terminal, cancelled: false, tries: 1 };
const unknown: Sale = { at: 'ended', intent, terminal, ending: 'unknown', reason: 'unansweredAtTerminal' };
const due: Sale = {
  at: 'ended',
  intent,
  terminal: paid,
  ending: 'declined',
  reason: 'cancelledAfterApproval',
  reversal: 'due',
};

const states: Record<string, Sale> = {
  noting,
  'noting, cancelled': { ...noting, cancelled: true },
  'noting refund': { ...noting, intent: back('refund') },
  'noting reversal': { ...noting, intent: back('reverse') },
  paying,
  'paying, cancelled': { ...paying, cancelled: true },
  'paying refund': { ...paying, intent: back('refund') },
  'paying reversal': { ...paying, intent: back('reverse') },
  asking,
  'asking, cancelled': { ...asking, cancelled: true },
  'asking, last time': { ...asking, tries: 5 },
  'asking, first of the day': { ...asking, terminal: fresh },
  'asking refund': { ...asking, intent: back('refund') },
  'asking reversal': { ...asking, intent: back('reverse') },
  unknown,
  'unknown, cancelled': { ...unknown, cancelled: true },
  'unknown, first of the day': { ...unknown, terminal: fresh },
  'unknown refund': { ...unknown, intent: back('refund') },
  'unknown reversal': { ...unknown, intent: back('reverse') },
  'for a person': { ...unknown, reason: 'unclearAtTerminal', forPerson: true },
  'refund for a person': { ...unknown, intent: back('refund'), reason: 'unclearAtTerminal', forPerson: true },
  'to be confirmed': { at: 'ended', intent, terminal, ending: 'notSent', reason: 'neverMade', confirm: true },
  due,
  'given back': { ...due, reversal: 'done' },
  approved: { at: 'ended', intent, terminal: paid, ending: 'approved', reason: 'approved' },
  declined: { at: 'ended', intent, terminal, ending: 'declined', reason: 'declinedAtTerminal' },
};

const answer = { code: '000.100.110', description: 'done' };
const events: Record<string, SaleEvent> = {
  noted: { on: 'terminalNoted', device: 'T 1', before: terminal.before },
  'noted, other': { on: 'terminalNoted', device: 'T 2', before: terminal.before },
  unready: { on: 'terminalUnready', why: 'no link' },
  approved: { on: 'terminalApproved', payment, slip },
  'approved, other': {
    on: 'terminalApproved',
    payment: { ...payment, amount: { minor: 1251n, currency: 'EUR' } },
    slip,
  },
  declined: { on: 'terminalDeclined', code: '05', why: 'declined', payment, slip },
  'declined, bare': { on: 'terminalDeclined', code: '05', why: 'declined', slip },
  'declined, done already': { on: 'terminalDeclined', code: 'B4', why: 'already reversed', already: true },
  notBegun: { on: 'terminalNotBegun', code: '9C', why: 'not now' },
  silent: { on: 'terminalSilent', why: 'no answer' },
  unchanged: { on: 'terminalUnchanged' },
  unclear: { on: 'terminalUnclear', why: 'another amount' },
  reversed: { on: 'terminalReversed', how: 'reversed' },
  'reversal refused': { on: 'terminalReversed', how: 'refused', why: 'closed' },
  'reversal refused again': { on: 'terminalReversed', how: 'refused', why: 'closed', again: true },
  charged: { on: 'personSaid', charged: true },
  'not charged': { on: 'personSaid', charged: false },
  cancelAsked: { on: 'cancelAsked' },
  restarted: { on: 'restarted' },
  // Of the gateway's way: none of them means anything here.
  hostApproved: { on: 'hostApproved', answer },
  hostDeclined: { on: 'hostDeclined', answer },
  hostSilent: { on: 'hostSilent', why: 'no answer' },
  hostRefused: { on: 'hostRefused', answer },
  hostNotReached: { on: 'hostNotReached', why: 'no line', offline: { kind: 'refused', why: 'off' } },
  cardNotRead: { on: 'cardNotRead', why: 'timedOut' },
  cardRead: {
    on: 'cardRead',
    card: { entryMode: 'ICC', maskedPan: '****', verification: 'none' },
    decision: 'goOnline',
    offline: { kind: 'refused', why: 'off' },
  },
  chipApproved: { on: 'chipApproved', chip: {} },
  chipDeclined: { on: 'chipDeclined', chip: {} },
  chipGone: { on: 'chipGone', why: 'pulled' },
  chipNotAsked: { on: 'chipNotAsked' },
  'reversed by the gateway': { on: 'reversed', how: 'reversed' },
  forwarded: { on: 'forwarded', approved: true, answer },
  withdrawn: { on: 'withdrawn' },
  nothingToFollow: { on: 'nothingToFollow', why: 'receipt 3 was not paid' },
  cardPresented: { on: 'cardPresented' },
  amountFixed: { on: 'amountFixed', amount: intent.amount },
  asked: { on: 'asked', whom: 'terminal', what: 'last', heard: { said: 'silent' } },
  approvedLate: { on: 'approvedLate', answer },
  cardDataExpired: { on: 'cardDataExpired', days: 30 },
};

/** Does not compile when an event is missing from it. */
const everyEvent: Record<Exclude<SaleEventName, 'intended'>, true> = {
  terminalNoted: true,
  terminalUnready: true,
  terminalApproved: true,
  terminalDeclined: true,
  terminalNotBegun: true,
  terminalSilent: true,
  terminalUnchanged: true,
  terminalUnclear: true,
  terminalReversed: true,
  personSaid: true,
  cardRead: true,
  cardNotRead: true,
  cancelAsked: true,
  hostApproved: true,
  hostDeclined: true,
  hostRefused: true,
  hostNotReached: true,
  hostSilent: true,
  chipApproved: true,
  chipDeclined: true,
  chipGone: true,
  chipNotAsked: true,
  reversed: true,
  forwarded: true,
  withdrawn: true,
  nothingToFollow: true,
  cardPresented: true,
  amountFixed: true,
  asked: true,
  approvedLate: true,
  cardDataExpired: true,
  restarted: true,
};

const named = (sale: Sale): string => {
  if (sale.at !== 'ended') {
    const tries = sale.at === 'asking' ? ` ${sale.tries}` : '';
    return `${sale.at}${tries}${'cancelled' in sale && sale.cancelled ? ', cancelled' : ''}`;
  }
  const { ending, reason, reversal, forPerson, confirm, cancelled } = sale;
  const more = [
    reversal && `reversal ${reversal}`,
    forPerson && 'for a person',
    confirm && 'to confirm',
    cancelled && 'cancelled',
  ];
  return [`${ending} ${reason}`, ...more.filter((word) => word !== undefined)].join(', ');
};

const outcomeOf = (state: string, event: string): string[] => {
  const step = next(states[state] as Sale, events[event] as SaleEvent);
  if (step === undefined) return ['refused', ''];
  // Nothing for the queue, whatever happens: the gateway never hears of it.
  expect(step.outgoing).toBeUndefined();
  return [named(step.sale), (step.effects ?? []).map((effect) => effect.do).join(', ')];
};

describe('every state and event', () => {
  for (const state of Object.keys(states)) {
    test(state, () => {
      const listed = new Map(
        cases.filter(([name]) => name === state).map(([, event = '', ...outcome]) => [event, outcome]),
      );
      const wanted = Object.fromEntries(
        Object.keys(events).map((event) => [event, listed.get(event) ?? ['refused', '']]),
      );
      expect(Object.fromEntries(Object.keys(events).map((event) => [event, outcomeOf(state, event)]))).toEqual(wanted);
    });
  }

  test('the table names only states and events that exist', () => {
    for (const [state = '', event = ''] of cases) {
      expect(states).toHaveProperty([state]);
      expect(events).toHaveProperty([event]);
    }
    expect(new Set(Object.values(events).map(({ on }) => on))).toEqual(new Set(Object.keys(everyEvent)));
  });
});

test('it is open until the terminal, or a person, has had the last word', () => {
  for (const state of ['noting', 'paying', 'asking', 'unknown', 'for a person', 'to be confirmed', 'due'])
    expect(isOpen(states[state] as Sale), state).toBe(true);
  for (const state of ['approved', 'declined', 'given back']) expect(isOpen(states[state] as Sale), state).toBe(false);
});

test('both kinds of intent begin with the terminal’s last payment', () => {
  for (const what of [intent, back('refund'), back('reverse')])
    expect(begin(what)).toEqual({
      sale: { at: 'noting', intent: what, cancelled: false },
      effects: [{ do: 'noteTerminal' }],
    });
});
