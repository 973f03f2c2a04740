/** How each operation's ending is reported: in words for the cashier, as JSON, and as an exit code for scripts. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../../src/books/sale-rows.ts';
import { exitCodeOf, PART, resultLines } from '../../src/cli/terms.ts';
import { type Ended, outcomeJson, outcomeTexts } from '../../src/ledger/outcome.ts';
import { chipFacts, type Intent, type Operation } from '../../src/till/machine/facts.ts';
import { operations } from '../../src/till/machine/operations.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });

const intent = (operation: Operation, more: Partial<Intent> = {}): Intent => ({
  ...{ sale: 's', operation, amount: eur(6_000n), terminalId: '1', sequence: 9, receipt: 9, key: 'k', at: 0 },
  gateway: 'g',
  ...more,
});

const ended = (operation: Operation, how: Pick<Ended, 'ending' | 'reason'>, more: Partial<Ended> = {}): Ended => ({
  ...{ at: 'ended', intent: intent(operation) },
  ...how,
  ...more,
});

const approved = (operation: Operation, more: Partial<Ended> = {}) =>
  ended(operation, { ending: 'approved', reason: operations[operation].done }, more);

const linesOf = (sale: Ended): string[] => resultLines(outcomeJson(sale, 'live'));
const codeOf = (sale: Ended): number => exitCodeOf(outcomeJson(sale, 'live'));

/** What an ending without approval means for the money. */
const nothingMoved: Readonly<Record<Operation, string>> = {
  sale: 'Not charged.',
  preauthorisation: 'Nothing is held on the card.',
  credit: 'Nothing was paid out.',
  refund: 'Nothing was refunded.',
  void: 'Not voided: the payment is unchanged.',
  increment: 'The hold was not increased.',
  completion: 'Not charged: the amount is still held.',
  release: 'The amount is still held.',
};

describe.each(Object.keys(operations) as Operation[])('%s', (operation) => {
  test('declined or not sent: the money did not move', () => {
    for (const how of [
      { ending: 'declined', reason: 'declinedByHost' },
      { ending: 'notSent', reason: 'offlineRefused' },
    ] as const)
      expect(outcomeTexts(ended(operation, how), 'live').money).toBe(nothingMoved[operation]);
  });

  test('unknown: it is not said to be charged or not charged, and nobody is told to try again', () => {
    const { money, again } = outcomeTexts(ended(operation, { ending: 'unknown', reason: 'unanswered' }), 'live');
    expect(money).toMatch(/^We don’t know yet\. The till (is checking|repeats the same request)/);
    expect(again).toBe(false);
  });

  test('each ending is shown with a receipt, an amount and a word', () => {
    expect(stripVTControlCharacters(linesOf(approved(operation))[0] ?? '')).toMatch(/^APPROVED {2}60\.00 EUR {2}/);
    const declined = ended(operation, { ending: 'declined', reason: 'declinedByHost' });
    expect(stripVTControlCharacters(linesOf(declined)[0] ?? '')).toMatch(/^DECLINED {2}60\.00 EUR {2}/);
    const charges = operation === 'sale' || operation === 'completion';
    const notSent = stripVTControlCharacters(
      linesOf(ended(operation, { ending: 'notSent', reason: 'offlineRefused' }))[0] ?? '',
    );
    expect(notSent.startsWith(charges ? 'NOT CHARGED  ' : 'NOT DONE  ')).toBe(true);
  });

  test('the JSON has the operation and its ending', () => {
    expect(outcomeJson(approved(operation), 'live')).toMatchObject({
      operation,
      ending: 'approved',
      receipt: 9,
      amount: '60.00',
    });
  });
});

describe('a partial approval', () => {
  const answer = { code: '000.100.110', description: '', approved: eur(4_000n) };
  const part = approved('sale', { answer });

  test('says how much of which amount, and what is not paid', () => {
    expect(outcomeTexts(part, 'live')).toMatchObject({
      says: 'Partially approved: 40.00 EUR of 60.00 EUR',
      money: '40.00 EUR charged. 20.00 EUR is not paid.',
    });
    expect(stripVTControlCharacters(linesOf(part)[0] ?? '')).toBe(
      'APPROVED  40.00 EUR  Partially approved: 40.00 EUR of 60.00 EUR.',
    );
    expect(outcomeTexts(approved('preauthorisation', { answer }), 'live').money).toBe(
      '40.00 EUR held. 20.00 EUR is not paid.',
    );
  });

  test('has a different exit code from a full approval, and its own amount in JSON', () => {
    expect([codeOf(part), codeOf(approved('sale'))]).toEqual([PART, 0]);
    expect(outcomeJson(part, 'live')).toMatchObject({
      amount: '60.00',
      approvedAmount: '40.00',
      answer: { approved: '40.00' },
    });
  });

  test('that was reversed is no longer reported as partial', () => {
    const reversed = ended('sale', { ending: 'declined', reason: 'chipRefusedApproval' }, { answer, reversal: 'done' });
    expect(codeOf(reversed)).toBe(1);
    expect(outcomeTexts(reversed, 'live').money).toBe('Not charged. The approval was reversed.');
  });
});

test('tip, cashier, bill and gift card are in the JSON, with amounts in the host API’s format', () => {
  const more = { tip: eur(500n), cashier: 'Anna', bill: { id: 'b', total: eur(10_000n) } };
  const gift = { giftCard: { maskedNumber: '************6677' } };
  const answer = { code: '000.100.110', description: '', balance: eur(8_750n) };
  const json = outcomeJson(approved('sale', { intent: intent('sale', { ...more, ...gift }), answer }), 'live');
  expect(json).toMatchObject({ tip: '5.00', cashier: 'Anna', bill: { id: 'b', total: '100.00' }, ...gift });
  expect(json).toMatchObject({ answer: { balance: '87.50', balanceCurrency: 'EUR' } });
  expect(() => JSON.stringify(json)).not.toThrow();
});

test('an operation that follows a payment names its receipt', () => {
  const follows = { sale: 'x', payment: 'p', receipt: 7 };
  expect(outcomeJson(approved('completion', { intent: intent('completion', { follows }) }), 'live')).toMatchObject({
    followsReceipt: 7,
  });
  expect(outcomeJson(approved('refund', { intent: intent('refund', { follows }) }), 'live')).toMatchObject({
    ...{ followsReceipt: 7, refundsReceipt: 7 },
  });
});

test.each([
  ['live', 'Charged.'],
  ['test', 'No money moved: this till is in test mode.'],
  ['training', 'No money moved: this was training.'],
] as const)('what a %s till took: %s', (mode, money) => {
  expect(outcomeTexts(approved('sale'), mode).money).toBe(money);
  expect(outcomeJson(approved('sale'), mode)).toMatchObject({ ending: 'approved', money });
  const declined = ended('sale', { ending: 'declined', reason: 'declinedByHost' });
  expect(outcomeTexts(declined, mode).money).toBe('Not charged.');
});

describe('a decline', () => {
  const context = {
    mode: 'live',
    unpaid: { of: () => undefined, mayCharge: () => ({ kind: 'never' as const }), otherCard: () => undefined },
  } as const;
  const declined = (reason: 'declinedByHost' | 'declinedAtTerminal', more: Partial<Ended>) =>
    ended('sale', { ending: 'declined', reason }, more);
  const stolen = { code: '800.100.159', description: 'transaction declined (stolen card)' };
  const byHost = declined('declinedByHost', { answer: stolen, why: stolen.description });
  const atTerminal = declined('declinedAtTerminal', { code: '2B', why: 'declined, card stolen' });

  test.each([byHost, atTerminal])('shows the counter its group, never the bank’s answer', (sale) => {
    const { says, next } = outcomeTexts(sale, 'live');
    expect(`${says}. ${next}`).toBe('This card was declined. Ask for another card.');
    const { told: _, ...shown } = resultOf(sale, context);
    expect(JSON.stringify([shown.says, shown.money, shown.next])).not.toMatch(/stolen/);
  });

  test('keeps the code and its meaning for later', () => {
    expect(resultOf(byHost, context).decline).toEqual({
      group: 'otherCard',
      code: '800.100.159',
      means: 'stolen card',
    });
    expect(resultOf(atTerminal, context).decline).toEqual({
      ...{ group: 'otherCard', code: '2B', means: 'declined, card stolen' },
    });
    expect(outcomeJson(byHost, 'live')).toMatchObject({ decline: { group: 'otherCard', code: '800.100.159' } });
    expect(linesOf(byHost).at(-1)).toBe('Code 800.100.159: stolen card.');
    expect(resultOf(approved('sale'), context).decline).toBeUndefined();
  });
});

test('a card’s first cryptogram is kept until the card makes a new one', () => {
  const card = {
    entryMode: 'ICC',
    maskedPan: '476173******0010',
    verification: 'onlinePin',
    tvr: '8000',
    tsi: 'E800',
  } as const;
  const cryptogram = { kind: 'TC', value: '0102030405060708' } as const;
  const sale = approved('sale', { card, chip: chipFacts({ cryptogram, tsi: 'F800' }) });
  expect(outcomeJson(sale, 'live')['card']).toEqual({ ...card, cryptogram, tsi: 'F800' });
});
