/** The way of a card sale and of a refund through the machine, in rows; sale-table.test.ts has every cell. */
import { describe, expect, test } from 'vitest';
import type { SaleEvent } from '../../src/till/events.ts';
import type { CardFacts, HostAnswer, Intent } from '../../src/till/facts.ts';
import { begin, isOpen, next, replay, type Sale } from '../../src/till/sale.ts';

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
};
const refund: Intent = {
  ...intent,
  operation: 'refund',
  follows: { sale: 'c'.repeat(32), payment: 'd'.repeat(32), receipt: 3 },
};
const chip: CardFacts = { entryMode: 'ICC', maskedPan: '476173******0010', verification: 'none' };
const tap: CardFacts = { ...chip, entryMode: 'NFC_ICC' };
const answer: HostAnswer = { code: '000.100.110', description: 'done', payment: 'e'.repeat(32) };
const allowed = { kind: 'allowed', chip: true, deferred: false } as const;
const refused = { kind: 'refused', why: 'too much' } as const;

const presenting: Sale = { at: 'presenting', intent, cancelled: false };
const authorising: Sale = { at: 'authorising', intent, card: chip, tries: 1, cancelled: false, chipIsDone: false };
const completing: Sale = { at: 'completing', intent, card: chip, answer, approved: true };
const goingOffline: Sale = { at: 'goingOffline', intent, card: chip, deferred: false };
const unknown: Sale = { at: 'ended', intent, card: chip, ending: 'unknown', reason: 'unanswered' };
const offline: Sale = {
  at: 'ended',
  intent,
  card: chip,
  ending: 'approved',
  reason: 'approvedOffline',
  offline: 'chip',
};
const givingBack: Sale = { at: 'ended', intent, ending: 'declined', reason: 'chipRefusedApproval', reversal: 'due' };

const states: Record<string, Sale> = {
  presenting,
  'presenting, cancelled': { ...presenting, cancelled: true },
  authorising,
  'authorising again': { ...authorising, tries: 2 },
  'authorising, cancelled': { ...authorising, cancelled: true },
  'authorising, chip done': { ...authorising, chipIsDone: true },
  'authorising refund': { at: 'authorising', intent: refund, tries: 1, cancelled: false, chipIsDone: true },
  completing,
  'completing tap': { ...completing, card: tap },
  'completing no': { ...completing, approved: false },
  goingOffline,
  'goingOffline deferred': { ...goingOffline, deferred: true },
  unknown,
  'unknown refund': { ...unknown, intent: refund },
  offline,
  givingBack,
  approved: { at: 'ended', intent, ending: 'approved', reason: 'approved' },
};

const events: Record<string, SaleEvent> = {
  cardRead: { on: 'cardRead', card: chip, decision: 'goOnline', offline: allowed },
  'cardRead TC': { on: 'cardRead', card: chip, decision: 'approvedOffline', offline: allowed },
  'cardRead TC, over limit': { on: 'cardRead', card: chip, decision: 'approvedOffline', offline: refused },
  'cardRead AAC': { on: 'cardRead', card: chip, decision: 'declinedOffline', offline: allowed },
  cardNotRead: { on: 'cardNotRead', why: 'timedOut' },
  cancelAsked: { on: 'cancelAsked' },
  hostApproved: { on: 'hostApproved', answer },
  hostDeclined: { on: 'hostDeclined', answer },
  hostRefused: { on: 'hostRefused', answer },
  hostNotReached: { on: 'hostNotReached', why: 'no line', offline: allowed },
  'hostNotReached, over limit': { on: 'hostNotReached', why: 'no line', offline: refused },
  hostSilent: { on: 'hostSilent', why: 'no answer' },
  chipApproved: { on: 'chipApproved', chip: {} },
  chipDeclined: { on: 'chipDeclined', chip: {} },
  chipGone: { on: 'chipGone', why: 'pulled' },
  chipNotAsked: { on: 'chipNotAsked' },
  reversed: { on: 'reversed', how: 'reversed' },
  'reversed, never had': { on: 'reversed', how: 'notFound' },
  'reversed, was declined': { on: 'reversed', how: 'notApproved', answer },
  forwarded: { on: 'forwarded', approved: true, answer },
  restarted: { on: 'restarted' },
};

/** state | event | what it becomes | what is sent because of it | what is done now. Cases not here are refused. */
const cases = `
presenting              | cardRead                    | authorising                           |         | authorise
presenting              | cardRead TC                 | approved approvedOffline              | forward |
presenting              | cardRead TC, over limit     | authorising                           |         | authorise
presenting              | cardRead AAC                | declined declinedByChip               |         |
presenting              | cardNotRead                 | notSent timedOut                      |         |
presenting              | cancelAsked                 | presenting                            |         | cancelCard
presenting              | restarted                   | notSent restarted                     |         |
presenting, cancelled   | cardRead                    | notSent cancelledByTill               |         | releaseCard
presenting, cancelled   | cardRead TC                 | notSent cancelledByTill               |         | releaseCard
presenting, cancelled   | cardRead TC, over limit     | notSent cancelledByTill               |         | releaseCard
presenting, cancelled   | cardRead AAC                | notSent cancelledByTill               |         | releaseCard
presenting, cancelled   | cardNotRead                 | notSent cancelledByTill               |         |
presenting, cancelled   | restarted                   | notSent restarted                     |         |
authorising             | hostApproved                | completing                            |         | completeChip approved
authorising             | hostDeclined                | completing                            |         | completeChip declined
authorising             | hostRefused                 | declined refusedByHost                |         | releaseCard
authorising             | hostNotReached              | goingOffline                          |         | completeChip unableToGoOnline
authorising             | hostNotReached, over limit  | notSent offlineRefused                |         | releaseCard
authorising             | hostSilent                  | authorising                           |         | authorise
authorising             | cancelAsked                 | authorising                           |         |
authorising             | restarted                   | unknown unanswered                    | reverse | releaseCard
authorising again       | hostApproved                | completing                            |         | completeChip approved
authorising again       | hostDeclined                | completing                            |         | completeChip declined
authorising again       | hostRefused                 | unknown unanswered                    | reverse | releaseCard
authorising again       | hostNotReached              | unknown unanswered                    | reverse | releaseCard
authorising again       | hostNotReached, over limit  | unknown unanswered                    | reverse | releaseCard
authorising again       | hostSilent                  | unknown unanswered                    | reverse | releaseCard
authorising again       | cancelAsked                 | authorising                           |         |
authorising again       | restarted                   | unknown unanswered                    | reverse | releaseCard
authorising, cancelled  | hostApproved                | declined cancelledAfterApproval       | reverse | releaseCard
authorising, cancelled  | hostDeclined                | completing                            |         | completeChip declined
authorising, cancelled  | hostRefused                 | declined refusedByHost                |         | releaseCard
authorising, cancelled  | hostNotReached              | notSent cancelledByTill               |         | releaseCard
authorising, cancelled  | hostNotReached, over limit  | notSent cancelledByTill               |         | releaseCard
authorising, cancelled  | hostSilent                  | unknown unanswered                    | reverse | releaseCard
authorising, cancelled  | restarted                   | unknown unanswered                    | reverse | releaseCard
authorising, chip done  | hostApproved                | approved approved                     |         |
authorising, chip done  | hostDeclined                | declined declinedByHost               |         |
authorising, chip done  | hostRefused                 | declined refusedByHost                |         | releaseCard
authorising, chip done  | hostNotReached              | notSent offlineRefused                |         |
authorising, chip done  | hostNotReached, over limit  | notSent offlineRefused                |         |
authorising, chip done  | hostSilent                  | authorising                           |         | authorise
authorising, chip done  | cancelAsked                 | authorising                           |         |
authorising, chip done  | restarted                   | unknown unanswered                    | reverse | releaseCard
authorising refund      | hostApproved                | approved refunded                     |         |
authorising refund      | hostDeclined                | declined declinedByHost               |         |
authorising refund      | hostRefused                 | declined refusedByHost                |         | releaseCard
authorising refund      | hostNotReached              | notSent neverArrived                  |         |
authorising refund      | hostNotReached, over limit  | notSent neverArrived                  |         |
authorising refund      | hostSilent                  | authorising                           |         | authorise
authorising refund      | restarted                   | unknown unanswered                    | repeat  |
completing              | chipApproved                | approved approved                     |         |
completing              | chipNotAsked                | approved approved                     |         |
completing              | chipDeclined                | declined chipRefusedApproval          | reverse |
completing              | chipGone                    | declined cardPulledAfterApproval      | reverse |
completing              | restarted                   | declined restartedAfterApproval       | reverse |
completing tap          | chipApproved                | approved approved                     |         |
completing tap          | chipNotAsked                | approved approved                     |         |
completing tap          | chipDeclined                | declined chipRefusedApproval          | reverse |
completing tap          | chipGone                    | declined cardPulledAfterApproval      | reverse |
completing tap          | restarted                   | declined restartedAfterApproval       | reverse |
completing no           | chipApproved                | declined declinedByHost               |         |
completing no           | chipNotAsked                | declined declinedByHost               |         |
completing no           | chipDeclined                | declined declinedByHost               |         |
completing no           | chipGone                    | declined declinedByHost               |         |
completing no           | restarted                   | declined declinedByHost               |         |
goingOffline            | chipApproved                | approved approvedOffline              | forward |
goingOffline            | chipDeclined                | declined declinedByChip               |         |
goingOffline            | chipNotAsked                | notSent offlineRefused                |         |
goingOffline            | chipGone                    | notSent cardPulled                    |         |
goingOffline            | restarted                   | notSent restarted                     |         |
goingOffline deferred   | chipApproved                | approved approvedOffline              | forward |
goingOffline deferred   | chipDeclined                | approved approvedOffline              | forward |
goingOffline deferred   | chipNotAsked                | approved approvedOffline              | forward |
goingOffline deferred   | chipGone                    | notSent cardPulled                    |         |
goingOffline deferred   | restarted                   | notSent restarted                     |         |
unknown                 | reversed                    | declined reversed                     |         |
unknown                 | reversed, never had         | notSent neverArrived                  |         |
unknown                 | reversed, was declined      | declined declinedByHost               |         |
unknown refund          | hostApproved                | approved refunded                     |         |
unknown refund          | hostDeclined                | declined declinedByHost               |         |
offline                 | forwarded                   | approved approvedOffline              |         |
givingBack              | reversed                    | declined chipRefusedApproval          |         |
givingBack              | reversed, never had         | declined chipRefusedApproval          |         |
givingBack              | reversed, was declined      | declined chipRefusedApproval          |         |
`
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));

const named = (sale: Sale) => (sale.at === 'ended' ? `${sale.ending} ${sale.reason}` : sale.at);

const outcomeOf = (state: string, event: string): string[] => {
  const step = next(states[state] as Sale, events[event] as SaleEvent);
  if (step === undefined) return ['refused', '', ''];
  const effects = (step.effects ?? []).map((effect) =>
    'verdict' in effect ? `${effect.do} ${effect.verdict}` : effect.do,
  );
  return [named(step.sale), step.outgoing ?? '', effects.join(', ')];
};

describe('every state and event', () => {
  for (const state of Object.keys(states)) {
    test(state, () => {
      const listed = new Map(
        cases.filter(([name]) => name === state).map(([, event = '', ...outcome]) => [event, outcome]),
      );
      const wanted = Object.fromEntries(
        Object.keys(events).map((event) => [event, listed.get(event) ?? ['refused', '', '']]),
      );
      expect(Object.fromEntries(Object.keys(events).map((event) => [event, outcomeOf(state, event)]))).toEqual(wanted);
    });
  }

  test('the table names only states and events that exist', () => {
    for (const [state = '', event = ''] of cases) {
      expect(states).toHaveProperty([state]);
      expect(events).toHaveProperty([event]);
    }
  });
});

test('a sale stays open until its reversal, its forwarding or its own answer has come', () => {
  expect(isOpen(presenting)).toBe(true);
  expect(isOpen(unknown)).toBe(true);
  expect(isOpen(offline)).toBe(true);
  expect(isOpen(givingBack)).toBe(true);
  const done = replay([
    { on: 'intended', intent },
    { on: 'cardRead', card: chip, decision: 'goOnline', offline: allowed },
    { on: 'hostApproved', answer },
    { on: 'chipApproved', chip: {} },
  ]);
  expect(done).toMatchObject({ at: 'ended', ending: 'approved', answer });
  expect(isOpen(done as Sale)).toBe(false);
});

test('a second forwarding answer changes nothing', () => {
  const first = next(offline, { on: 'forwarded', approved: false, answer })?.sale as Sale;
  expect(first).toMatchObject({ ending: 'declined', reason: 'declinedOnForwarding', offline: 'chip' });
  expect(next(first, { on: 'forwarded', approved: true, answer })).toBeUndefined();
  expect(begin(refund).effects).toEqual([{ do: 'authorise' }]);
});
