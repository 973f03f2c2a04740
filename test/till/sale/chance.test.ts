/**
 * Any events in any order: no ending turns into a contradicting one without the event for it, at most one message waits
 * at a time and the sale is open for as long, and no approval is lost silently.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SaleEvent } from '../../../src/till/machine/events.ts';
import type { Intent, Operation } from '../../../src/till/machine/facts.ts';
import { operations } from '../../../src/till/machine/operations.ts';
import { begin, type EndedSale, isOpen, next, replay, type Sale } from '../../../src/till/machine/sale.ts';
import { byNight } from '../../support/night/night.ts';
import { type EventName, events, shapesOf } from './events.ts';
import {
  amountLater,
  atTerminal,
  followerOf,
  following,
  giftCard,
  refundAtTerminal,
  voidAtTerminal,
  withCard,
} from './intents.ts';

const all = Object.keys(operations) as Operation[];
const follows = all.filter((operation) => operations[operation].begins === 'payment');
const intents: readonly Intent[] = [
  ...all.filter((operation) => operations[operation].begins === 'card').map(withCard),
  ...follows.map(following),
  ...follows.filter((operation) => operation !== 'increment').map(followerOf),
  ...[giftCard, amountLater, { ...withCard('sale'), partial: true as const }],
  ...[atTerminal, refundAtTerminal, voidAtTerminal],
];

const shapes: readonly SaleEvent[] = (Object.keys(events) as EventName[]).flatMap((name) =>
  Object.values(shapesOf(name)),
);
/** Without fast-check's own bias towards short lists and small numbers, which ends most sales at once. */
const choices = fc.noBias(
  fc.array(fc.record({ pick: fc.nat(), way: fc.nat({ max: 9 }) }), { minLength: 5, maxLength: 25, size: 'max' }),
);
type Choice = { pick: number; way: number };

/**
 * A reversal is never answered by an approval or decline of the request, nor a request by the outcome of a reversal.
 */
const isForeign = (sale: Sale, { on }: SaleEvent): boolean =>
  sale.at === 'ended' &&
  (operations[sale.intent.operation].begins === 'card'
    ? on === 'hostApproved' || on === 'hostDeclined'
    : on === 'reversed');

/** Pure chance seldom gets a sale past its first step: usually a meaningful event happens, and often it continues. */
const chooseEvent = (sale: Sale, { pick, way }: Choice): SaleEvent => {
  const possible = shapes.filter((event) => !isForeign(sale, event));
  const meaningful = way === 0 ? [] : possible.filter((event) => next(sale, event) !== undefined);
  const goingOn = way < 6 ? meaningful.filter((event) => next(sale, event)?.sale.at !== 'ended') : [];
  const [among = possible] = [goingOn, meaningful].filter(({ length }) => length > 0);
  return among[pick % among.length] as SaleEvent;
};

/** The events that can still turn one ending into another. */
const changes: Readonly<Record<string, readonly EventName[]>> = {
  // A stored sale that was answered or reversed since, or one that a terminal reversed after all.
  'approved → declined': ['forwarded', 'personSaid', 'terminalReversed'],
  // A terminal that reversed another payment.
  'approved → unknown': ['terminalReversed'],
  'approved → notSent': ['withdrawn', 'nothingToFollow', 'cardDataExpired', 'personSaid'],
  // A terminal that does not reverse its payment: the payment remains.
  'declined → approved': ['terminalReversed', 'approvedLate', 'personSaid'],
  'declined → unknown': ['terminalReversed'],
  'declined → notSent': ['personSaid'],
  // An inquiry finds that the gateway or the terminal has the payment after all: it is reversed, or a person looks.
  'notSent → approved': ['approvedLate', 'personSaid'],
  'notSent → declined': ['approvedLate'],
  'notSent → unknown': ['terminalApproved', 'terminalUnclear'],
};

const checkEnding = (before: Sale, after: Sale, on: EventName): void => {
  if (before.at !== 'ended') return;
  expect(after.at, on).toBe('ended');
  const ending = (after as EndedSale).ending;
  if (before.ending === 'unknown' || ending === before.ending) return;
  expect(changes[`${before.ending} → ${ending}`] ?? [], `${before.ending} ${before.reason} → ${ending}`).toContain(on);
};

/** The answers that remove a message from the queue. */
const settles: readonly string[] =
  'reversed forwarded withdrawn nothingToFollow cardDataExpired hostApproved hostDeclined'.split(' ');

/** The approval is charged, reversed or looked at by a person, or the card still decides. */
const isKept = (sale: Sale): boolean =>
  sale.at === 'completing' ||
  (sale.at === 'ended' &&
    (sale.ending === 'approved' ||
      sale.reversal !== undefined ||
      sale.forPerson === true ||
      sale.differs !== undefined));

const approvals: readonly string[] = ['hostApproved', 'terminalApproved', 'approvedLate'];

test('any events in any order', () => {
  const seenStates = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...intents), choices, (intent, picks) => {
      const first = begin(intent);
      const reports: SaleEvent[] = [{ on: 'intended', intent }];
      let sale = first.sale;
      let isWaiting = first.outgoing !== undefined;
      let approved = false;
      for (const pick of picks) {
        const event = chooseEvent(sale, pick);
        const on = event.on as EventName;
        reports.push(event);
        const step = next(sale, event);
        if (step === undefined) {
          if (on === 'hostApproved') expect(sale.at).not.toBe('authorising');
          continue;
        }
        checkEnding(sale, step.sale, on);
        if (settles.includes(on) && sale.at === 'ended') isWaiting = false;
        if (step.outgoing !== undefined) expect(isWaiting, `a second message: ${step.outgoing}`).toBe(false);
        isWaiting ||= step.outgoing !== undefined;
        if (approvals.includes(on)) approved = true;
        // From here on a person's decision counts, or the bank's on a stored sale.
        if (on === 'personSaid' || on === 'reversed' || on === 'terminalReversed') approved = false;
        sale = step.sale;
        seenStates.add(sale.at === 'ended' ? `${sale.ending} ${sale.reason}` : sale.at);
        if (approved) expect(isKept(sale), `an approval is lost by ${on}`).toBe(true);
        if (sale.at === 'ended' && intent.by === undefined)
          expect(isOpen(sale), reports.map(({ on: name }) => name).join(', ')).toBe(
            isWaiting || sale.differs !== undefined,
          );
      }
      expect(replay(reports)).toEqual(sale);
    }),
    { numRuns: byNight({ day: 6_000, night: 60_000 }) },
  );
  // Chance must have reached every state that the gateway can cause.
  expect([...seenStates]).toEqual(
    expect.arrayContaining([
      ...['approved approved', 'approved held', 'approved credited', 'approved released', 'approved completed'],
      ...['approved voidedBeforeSending', 'notSent voidedBeforeSending', 'notSent nothingToFollow'],
      ...['declined storedRefused', 'declined declinedOnForwarding', 'declined reversed', 'unknown unanswered'],
      ...['declined cancelledAfterApproval', 'declined chipRefusedApproval', 'approved reversedAtTerminal'],
    ]),
  );
}, 300_000);
