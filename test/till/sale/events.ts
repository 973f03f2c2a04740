/**
 * Every event of a sale, in each variant that the machine distinguishes. A new event without a row does not compile.
 */
import type { SaleEvent, SaleEventName } from '../../../src/till/machine/events.ts';
import type { CardFacts, HostAnswer } from '../../../src/till/machine/facts.ts';
import { sale } from './intents.ts';

/** `intended` begins a sale, and never happens to a sale that exists. */
export type EventName = Exclude<SaleEventName, 'intended'>;

export const chip: CardFacts = { entryMode: 'ICC', maskedPan: '476173******0010', verification: 'none' };
export const tap: CardFacts = { ...chip, entryMode: 'NFC_ICC' };
export const answer: HostAnswer = { code: '000.100.110', description: 'done', payment: 'e'.repeat(32) };
const allowed = { kind: 'allowed', chip: true, deferred: false } as const;
const refused = { kind: 'refused', why: 'too much' } as const;
const mayBeStored = { kind: 'allowed', chip: false, deferred: false, stored: true } as const;
const by = { who: 'Ada', role: 'manager', reason: 'looked up', evidence: 'journal' };
export const slip = { customer: [], merchant: [] };
export const payment = { amount: sale.amount, receiptNumber: '18' };
const other = { ...payment, amount: { minor: 1n, currency: 'EUR' } };
const no = { on: 'terminalDeclined', code: '05', why: 'no' } as const;

export const events = {
  cardPresented: { one: { on: 'cardPresented' } },
  amountFixed: { one: { on: 'amountFixed', amount: sale.amount } },
  cardRead: {
    ARQC: { on: 'cardRead', card: chip, decision: 'goOnline', offline: allowed },
    TC: { on: 'cardRead', card: chip, decision: 'approvedOffline', offline: allowed },
    'TC, over limit': { on: 'cardRead', card: chip, decision: 'approvedOffline', offline: refused },
    AAC: { on: 'cardRead', card: chip, decision: 'declinedOffline', offline: allowed },
  },
  cardNotRead: {
    'in time': { on: 'cardNotRead', why: 'timedOut' },
    pulled: { on: 'cardNotRead', why: 'cardRemoved' },
  },
  cancelAsked: { one: { on: 'cancelAsked' } },
  hostApproved: { one: { on: 'hostApproved', answer } },
  hostDeclined: { one: { on: 'hostDeclined', answer } },
  hostRefused: { one: { on: 'hostRefused', answer } },
  hostOtherMode: {
    test: { on: 'hostOtherMode', answered: 'test', answer },
    live: { on: 'hostOtherMode', answered: 'live', answer },
  },
  hostNotReached: {
    allowed: { on: 'hostNotReached', why: 'no line', offline: allowed },
    refused: { on: 'hostNotReached', why: 'no line', offline: refused },
    mayBeStored: { on: 'hostNotReached', why: 'no line', offline: mayBeStored },
  },
  hostSilent: { one: { on: 'hostSilent', why: 'no answer' } },
  chipApproved: { one: { on: 'chipApproved', chip: {} } },
  chipDeclined: { one: { on: 'chipDeclined', chip: {} } },
  chipGone: { one: { on: 'chipGone', why: 'pulled' } },
  chipNotAsked: { one: { on: 'chipNotAsked' } },
  reversed: {
    reversed: { on: 'reversed', how: 'reversed' },
    'never there': { on: 'reversed', how: 'notFound' },
    'not approved': { on: 'reversed', how: 'notApproved', answer },
    'a test answer': { on: 'reversed', how: 'notApproved', answer, answered: 'test' },
  },
  forwarded: {
    yes: { on: 'forwarded', approved: true, answer },
    no: { on: 'forwarded', approved: false, answer },
    'a live answer': { on: 'forwarded', approved: false, answer, answered: 'live' },
  },
  withdrawn: { one: { on: 'withdrawn' } },
  nothingToFollow: { one: { on: 'nothingToFollow', why: 'receipt 3 was not paid' } },
  terminalNoted: {
    same: { on: 'terminalNoted', device: 'D', before: { text: 'x' } },
    other: { on: 'terminalNoted', device: 'E', before: { text: 'x' } },
    unnamed: { on: 'terminalNoted', device: 'D', before: { text: 'x' }, unnamed: true },
  },
  terminalTook: { one: { on: 'terminalTook', askedAt: 1 } },
  terminalUnready: { one: { on: 'terminalUnready', why: 'gone' } },
  terminalApproved: {
    asked: { on: 'terminalApproved', payment, slip },
    'other amount': { on: 'terminalApproved', payment: other, slip },
  },
  terminalDeclined: {
    no: { ...no, slip },
    already: { ...no, already: true },
    'with its payment': { ...no, payment, slip },
  },
  terminalNotBegun: { one: { on: 'terminalNotBegun', code: 'A0', why: 'busy' } },
  terminalSilent: { one: { on: 'terminalSilent', why: 'lost' } },
  terminalUnchanged: { one: { on: 'terminalUnchanged' } },
  terminalUnclear: {
    other: { on: 'terminalUnclear', why: 'another number' },
    alike: { on: 'terminalUnclear', why: 'the same amount', alike: true },
  },
  terminalReversed: {
    reversed: { on: 'terminalReversed', how: 'reversed' },
    refused: { on: 'terminalReversed', how: 'refused', why: 'no' },
    'refused again': { on: 'terminalReversed', how: 'refused', why: 'no', again: true },
    other: { on: 'terminalReversed', how: 'other', why: 'another card' },
  },
  personSaid: {
    charged: { on: 'personSaid', charged: true, by },
    'not charged': { on: 'personSaid', charged: false, by },
  },
  asked: { one: { on: 'asked', whom: 'gateway', what: 'search', heard: { said: 'silent' } } },
  approvedLate: { one: { on: 'approvedLate', answer } },
  cardDataExpired: { one: { on: 'cardDataExpired', days: 30 } },
  unpaidEnded: {
    one: {
      ...{ on: 'unpaidEnded', missing: { minor: 700n, currency: 'EUR' }, signature: 's', publicKey: 'p' },
      end: { how: 'writtenOff', who: 'Ana', role: 'manager', reason: 'gone' },
    },
  },
  movedTo: { one: { on: 'movedTo', gateway: 'the right one' } },
  restarted: { one: { on: 'restarted' } },
} satisfies { readonly [E in EventName]: Readonly<Record<string, Extract<SaleEvent, { on: E }>>> };

/** The variants of one event. */
export const shapesOf = (name: EventName): Readonly<Record<string, SaleEvent>> => events[name];
