/**
 * The states of a sale, each in every variant that the machine distinguishes. A new state without one does not compile.
 */
import type { EndedSale, Sale } from '../../../src/till/machine/sale.ts';
import { answer, chip, payment, slip, tap } from './events.ts';
import {
  amountLater,
  atTerminal,
  followerOf,
  following,
  giftCard,
  sale as intent,
  refundAtTerminal,
  refundByReversal,
  voidAtTerminal,
  withCard,
} from './intents.ts';

type At<S extends Sale['at']> = Extract<Sale, { at: S }>;

const presenting: At<'presenting'> = { at: 'presenting', intent, cancelled: false };
const authorising: At<'authorising'> = {
  ...{ at: 'authorising', intent, card: chip, tries: 1, cancelled: false, chipIsDone: false },
};
const alone: At<'authorising'> = { at: 'authorising', intent, tries: 1, cancelled: false, chipIsDone: true };
const completing: At<'completing'> = { at: 'completing', intent, card: chip, answer, approved: true };
const goingOffline: At<'goingOffline'> = { at: 'goingOffline', intent, card: chip, deferred: false };
const terminal = { device: 'D', before: { text: 'approved | 17', receiptNumber: '17' } };
/** The terminal knew no payment before this one. */
const fresh = { device: 'D', before: { text: 'none' } };
const paid = { ...terminal, payment, slip };
const noting: At<'noting'> = { at: 'noting', intent: atTerminal, cancelled: false };
const paying: At<'paying'> = { at: 'paying', intent: atTerminal, terminal, cancelled: false };
const asking: At<'asking'> = { at: 'asking', intent: atTerminal, terminal, cancelled: false, tries: 1 };
const over: EndedSale = { at: 'ended', intent, card: chip, ending: 'approved', reason: 'approved' };
const unknown: EndedSale = { ...over, ending: 'unknown', reason: 'unanswered' };
const offline: EndedSale = { ...over, reason: 'approvedOffline', offline: 'chip' };
const unpaid: EndedSale = {
  ...{ ...offline, ending: 'declined', reason: 'declinedOnForwarding' },
  forwarded: { approved: false, answer },
};
const lost: EndedSale = {
  ...{ at: 'ended', intent: atTerminal, terminal, ending: 'unknown', reason: 'unansweredAtTerminal' },
};
const unclear: EndedSale = { ...lost, reason: 'unclearAtTerminal', forPerson: true };
const due: EndedSale = {
  ...{ ...lost, terminal: paid, ending: 'declined', reason: 'cancelledAfterApproval', reversal: 'due' },
};
const stored = (operation: 'completion' | 'void'): EndedSale => ({
  ...{ at: 'ended', intent: followerOf(operation), ending: 'approved', reason: 'stored', offline: 'stored' },
});

export const states = {
  awaitingAmount: {
    nothing: { at: 'awaitingAmount', intent: amountLater, presented: false },
    presented: { at: 'awaitingAmount', intent: amountLater, presented: true },
  },
  presenting: {
    sale: presenting,
    cancelled: { ...presenting, cancelled: true },
    credit: { ...presenting, intent: withCard('credit') },
    preauthorisation: { ...presenting, intent: withCard('preauthorisation') },
  },
  authorising: {
    sale: authorising,
    again: { ...authorising, tries: 2 },
    cancelled: { ...authorising, cancelled: true },
    'chip is done': { ...authorising, chipIsDone: true },
    credit: { ...authorising, intent: withCard('credit') },
    giftCard: { ...alone, intent: giftCard },
    refund: { ...alone, intent: following('refund') },
    completion: { ...alone, intent: following('completion') },
    'completion again': { ...alone, intent: following('completion'), tries: 2 },
    increment: { ...alone, intent: following('increment') },
  },
  completing: {
    yes: completing,
    tap: { ...completing, card: tap },
    no: { ...completing, approved: false },
    preauthorisation: { ...completing, intent: withCard('preauthorisation') },
  },
  goingOffline: {
    chip: goingOffline,
    deferred: { ...goingOffline, deferred: true },
    preauthorisation: { ...goingOffline, intent: withCard('preauthorisation') },
  },
  noting: {
    sale: noting,
    cancelled: { ...noting, cancelled: true },
    refund: { ...noting, intent: refundAtTerminal },
    'refund by reversal': { ...noting, intent: refundByReversal },
    void: { ...noting, intent: voidAtTerminal },
  },
  paying: {
    sale: paying,
    cancelled: { ...paying, cancelled: true },
    refund: { ...paying, intent: refundAtTerminal },
    'refund by reversal': { ...paying, intent: refundByReversal },
    void: { ...paying, intent: voidAtTerminal },
  },
  asking: {
    sale: asking,
    cancelled: { ...asking, cancelled: true },
    'for the last time': { ...asking, tries: 5 },
    'first of the day': { ...asking, terminal: fresh },
    refund: { ...asking, intent: refundAtTerminal },
    'refund by reversal': { ...asking, intent: refundByReversal },
    void: { ...asking, intent: voidAtTerminal },
  },
  ended: {
    approved: over,
    declined: { ...over, ending: 'declined', reason: 'declinedByHost' },
    'not sent': { ...over, ending: 'notSent', reason: 'neverArrived' },
    unknown,
    'unknown refund': { ...unknown, intent: following('refund') },
    offline,
    unpaid,
    'offline preauthorisation': { ...offline, intent: withCard('preauthorisation'), reason: 'heldOffline' },
    forwarded: { ...offline, forwarded: { approved: true, answer } },
    'stored completion': stored('completion'),
    'stored void': stored('void'),
    'to be given back': { ...over, ending: 'declined', reason: 'chipRefusedApproval', reversal: 'due' },
    'lost at the terminal': lost,
    'lost at the terminal, cancelled': { ...lost, cancelled: true },
    'lost at the terminal, first of the day': { ...lost, terminal: fresh },
    'refund lost at the terminal': { ...lost, intent: refundAtTerminal },
    'refund by reversal lost at the terminal': { ...lost, intent: refundByReversal },
    'void lost at the terminal': { ...lost, intent: voidAtTerminal },
    'for a person': unclear,
    'refund for a person': { ...unclear, intent: refundAtTerminal },
    'to be taken back at the terminal': due,
    'taken back at the terminal': { ...due, reversal: 'done' },
    'not taken back at the terminal': { ...lost, terminal: paid, ending: 'approved', reason: 'reversalRefused' },
    'not known to be taken back at the terminal': { ...unclear, terminal: paid },
    'approved at the terminal': { ...lost, terminal: paid, ending: 'approved', reason: 'approved' },
    'declined at the terminal': { ...lost, ending: 'declined', reason: 'declinedAtTerminal' },
    'to be confirmed by the terminal': { ...lost, ending: 'notSent', reason: 'neverMade', confirm: true },
  },
} satisfies { readonly [S in Sale['at']]: Readonly<Record<string, At<S>>> };
