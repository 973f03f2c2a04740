/** What the cashier waits for, and how a sale ended: the tables, state by state. */
import { expect, test } from 'vitest';
import type { TerminalEvent } from '../../drivers/terminal.ts';
import type { Phase, State } from '../../src/api/contract/sales.ts';
import { resultOf, type SaleContext, stateOf } from '../../src/books/sale-rows.ts';
import { amountOf, moneyOf } from '../../src/ledger/wire-money.ts';
import { type Reason, reasons, reasonWords } from '../../src/locales/messages/en/reasons.ts';
import { aheadOf, phaseOf, usualSpan } from '../../src/selling/phases.ts';
import { type NewStep, stepOf } from '../../src/selling/steps.ts';
import type { EndedSale, Ending, Sale } from '../../src/till/machine/sale.ts';
import { intent } from '../reconciliation/sale-cases.ts';
import { chipCard, tapCard } from '../support/till/till-rig.ts';

const answer = { code: '000.100.110', description: 'ok' };
const terminal = { device: 'D', before: { text: 'none' } };
const endedSale: EndedSale = { at: 'ended', intent: intent({}), ending: 'approved', reason: 'approved' };

const states: [Sale, Phase | undefined][] = [
  [{ at: 'awaitingAmount', intent: intent({}), presented: false }, 'waitingForAmount'],
  [{ at: 'presenting', intent: intent({}), cancelled: false }, 'starting'],
  [{ at: 'authorising', intent: intent({}), tries: 1, cancelled: false, chipIsDone: false }, 'askingBank'],
  [{ at: 'authorising', intent: intent({}), tries: 2, cancelled: false, chipIsDone: false }, 'askingBankAgain'],
  [{ at: 'completing', intent: intent({}), card: chipCard, answer, approved: true }, 'cardFinishing'],
  [{ at: 'completing', intent: intent({}), card: tapCard, answer, approved: true }, undefined],
  [{ at: 'goingOffline', intent: intent({}), card: chipCard, deferred: false }, 'goingOffline'],
  [{ at: 'noting', intent: intent({}), cancelled: false }, 'starting'],
  [{ at: 'paying', intent: intent({}), terminal, cancelled: false }, 'terminalPays'],
  [{ at: 'asking', intent: intent({}), terminal, cancelled: false, tries: 1 }, 'askingTerminal'],
  [endedSale, 'terminalFinishing'],
  [{ ...endedSale, card: chipCard }, 'removeCard'],
  [{ ...endedSale, card: tapCard }, 'terminalFinishing'],
  [{ ...endedSale, intent: intent({ by: 'terminal' }), card: chipCard }, 'terminalFinishing'],
];

test.each(states.map(([sale, phase]) => [`${sale.at} ${phase}`, sale, phase] as const))('%s', (_, sale, phase) => {
  expect(phaseOf({ kind: 'sale', sale }, sale.at)).toBe(phase);
});

/** The steps of `states`, in their order. */
const steps: readonly (NewStep | undefined)[] = [
  undefined,
  undefined,
  { step: 'askingBank' },
  { step: 'askingBankAgain' },
  { step: 'cardFinishing' },
  undefined,
  { step: 'goingOffline' },
  { step: 'askingTerminalBefore' },
  { step: 'terminalPays' },
  { step: 'askingTerminal', tries: 1 },
  undefined,
  undefined,
  undefined,
  undefined,
];

test('the step that is reported for each state', () => {
  expect(states.map(([sale]) => stepOf({ kind: 'sale', sale }))).toEqual(steps);
  const paying = (how: 'reverse' | 'refund', cancelled = false): Sale => {
    const follows = { sale: 'x', payment: 'p', receipt: 7, at: { how } };
    return { at: 'paying', intent: intent({ follows } as never), terminal, cancelled };
  };
  const [reversed, refunded, cancelled] = [paying('reverse'), paying('refund'), paying('refund', true)];
  expect([reversed, refunded, cancelled].map((sale) => stepOf({ kind: 'sale', sale })?.step)).toEqual([
    ...['terminalReverses', 'terminalRefunds', undefined],
  ]);
  const earlier = { receipt: endedSale.intent.receipt, says: 'Approved', money: 'Charged.' };
  expect(stepOf({ kind: 'earlier', sale: endedSale })).toMatchObject({ step: 'earlierSale', earlier });
});

const reported: Record<
  TerminalEvent,
  [presenting: Phase | undefined, paying: Phase | undefined, ended: Phase | undefined]
> = {
  presentCard: ['presentCard', 'presentCard', undefined],
  cardInserted: ['reading', 'reading', undefined],
  cardTapped: ['reading', 'reading', undefined],
  cardSwiped: ['reading', 'reading', undefined],
  reading: ['reading', 'reading', undefined],
  useChip: ['useChip', 'useChip', undefined],
  useStripe: ['useStripe', 'useStripe', undefined],
  enterPin: ['enterPin', 'enterPin', undefined],
  pinEntered: ['reading', 'reading', undefined],
  authorising: [undefined, 'askingBank', undefined],
  removeCard: ['removeCard', 'removeCard', 'removeCard'],
  cardRemoved: [undefined, undefined, undefined],
};

test.each(Object.entries(reported))('the terminal reports %s', (event, phases) => {
  const at = ['presenting', 'paying', 'ended'] as const;
  expect(at.map((one) => phaseOf({ kind: 'terminal', event: event as TerminalEvent }, one))).toEqual(phases);
});

const chip = { isUsual: (phase: Phase) => phase !== 'enterPin' };
const tap = { isUsual: () => false };
test.each<[string, Parameters<typeof aheadOf>[0], Phase[]]>([
  [
    'a chip, from the start',
    { operation: 'sale', phase: 'starting', ...chip },
    ['presentCard', 'reading', 'askingBank', 'cardFinishing', 'removeCard', 'ended'],
  ],
  [
    'where people tap',
    { operation: 'sale', phase: 'starting', ...tap },
    ['presentCard', 'reading', 'askingBank', 'ended'],
  ],
  [
    'where people usually tap, and a chip was inserted',
    { operation: 'sale', phase: 'reading', entryMode: 'ICC', ...tap },
    ['askingBank', 'cardFinishing', 'removeCard', 'ended'],
  ],
  ['told to use the chip', { operation: 'sale', phase: 'useChip', ...tap }, ['reading', 'askingBank', 'ended']],
  ['asked again', { operation: 'sale', phase: 'askingBankAgain', entryMode: 'NFC_ICC', ...chip }, ['ended']],
  ['a refund', { operation: 'refund', phase: 'starting', ...chip }, ['askingBank', 'ended']],
  ['at a terminal', { operation: 'sale', by: 'terminal', phase: 'starting', ...chip }, ['terminalPays', 'ended']],
  ['at a terminal that reports the PIN', { operation: 'sale', by: 'terminal', phase: 'enterPin', ...chip }, ['ended']],
  ['the end', { operation: 'sale', phase: 'ended', ...chip }, []],
])('ahead: %s', (_, input, ahead) => {
  expect(aheadOf(input)).toEqual(ahead);
});

const endings: Record<Ending, State> = {
  approved: 'approved',
  declined: 'declined',
  notSent: 'declined',
  unknown: 'unknown',
};
const live: SaleContext = {
  mode: 'live',
  unpaid: { of: () => undefined, mayCharge: () => ({ kind: 'now' }), otherCard: () => undefined },
};
const cases = Object.keys(reasons).flatMap((reason) =>
  Object.entries(endings).map(([ending, state]) => [reason as Reason, ending as Ending, state] as const),
);

test.each(cases)('%s, %s: words for each, and one state', (reason, ending, state) => {
  const result = resultOf({ ...endedSale, reason, ending, why: 'the fact' }, live);
  expect(result.state).toBe(state);
  expect(result).toMatchObject({ ending, reason, why: 'the fact' });
  for (const text of [result.says, result.money, result.next]) {
    expect(text).toMatch(/\S/);
    expect(text).not.toContain('{');
  }
  expect(result.again && ending === 'unknown' && !reasonWords(reason).again).toBe(false);
});

test.each<[string, Partial<EndedSale>, State]>([
  ['waits for the bank', { offline: 'chip' }, 'offline'],
  ['was sent', { offline: 'chip', forwarded: { approved: true, answer } }, 'approved'],
  ['only a person can tell', { ending: 'unknown', forPerson: true }, 'person'],
  ['contradicts a person’s decision', { differs: 'the bank says otherwise' }, 'person'],
])('what %s', (_, facts, state) => {
  expect(stateOf({ ...endedSale, ...facts })).toBe(state);
});

test('shows a partial approval, a signature and the gateway’s own text', () => {
  const part = resultOf(
    {
      ...endedSale,
      card: { ...chipCard, verification: 'signature' } as never,
      answer: { ...answer, statusText: 'APPROVED', approved: { minor: 500n, currency: 'EUR' } },
    },
    live,
  );
  const left = amountOf({ minor: endedSale.intent.amount.minor - 500n, currency: 'EUR' });
  expect(part).toMatchObject({
    approved: { amount: '5.00', currency: 'EUR' },
    left,
    signature: true,
    statusText: 'APPROVED',
  });
  const declined = {
    ...endedSale,
    ending: 'declined',
    reason: 'chipRefusedApproval',
    answer: { ...answer, statusText: 'APPROVED' },
  };
  expect(resultOf(declined as EndedSale, live).statusText).toBeUndefined();
});

test('the first and the last tenth are ignored', () => {
  const times = Array.from({ length: 101 }, (_, n) => n * 10);
  expect(usualSpan([9_999, ...times].slice(1))).toEqual({ from: 100, to: 900 });
  expect(usualSpan([5])).toEqual({ from: 5, to: 5 });
});

test.each([
  ['12.50', 'EUR', 1250n],
  ['12', 'EUR', 1200n],
  ['1250', 'JPY', 1250n],
  ['1.250', 'KWD', 1250n],
  ['0', 'EUR', 0n],
  ['9999999999.99', 'EUR', 999_999_999_999n],
])('%s %s', (amount, currency, minor) => {
  expect(moneyOf({ amount, currency }, currency)).toEqual({ minor, currency });
  expect(moneyOf(amountOf({ minor, currency }), currency)).toEqual({ minor, currency });
});

test.each([
  ['12.5', 'EUR'],
  ['12.505', 'EUR'],
  ['12.0', 'JPY'],
  ['1.25', 'KWD'],
  ['1e3', 'EUR'],
  [' 1.00', 'EUR'],
  ['١٢.٥٠', 'EUR'],
  ['12345678901', 'EUR'],
])('%s %s is refused', (amount, currency) => {
  expect(() => moneyOf({ amount, currency }, currency)).toThrowError(
    expect.objectContaining({ code: 'amount.malformed' }),
  );
});
