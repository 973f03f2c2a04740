/** What a gateway lists for sales that a journal has forgotten: which are this till's, and the record of each. */
import { expect, test } from 'vitest';
import { meaningOf } from '../../../src/gateway/spec/results.ts';
import { type LearningParts, learnedFrom, listedSales } from '../../../src/till/gateway/learned.ts';
import type { Intent } from '../../../src/till/machine/facts.ts';
import { replay } from '../../../src/till/machine/sale.ts';
import { eur } from '../../support/till/till-rig.ts';

const APPROVED = '000.100.110';
const DECLINED = '800.100.155';
const PENDING = '000.200.000';
const id = (letter: string): string => letter.repeat(32);

type ListedParts = {
  type?: string;
  code?: string;
  amount?: string;
  number?: string;
  terminal?: string;
  of?: string;
  at?: string;
};
const payment = (sale: string, { type = 'DB', code = APPROVED, amount = '12.50', ...more }: ListedParts = {}) => ({
  ...{ id: sale.replace(/./g, 'f'), paymentType: type, merchantTransactionId: sale, amount, currency: 'EUR' },
  result: { code, description: 'as told' },
  card: { bin: '420000', last4Digits: '0042' },
  referencedId: more.of,
  ...(more.terminal !== '' && {
    pos: {
      ...{ terminalId: more.terminal ?? '70001', entryMode: 'ICC' },
      transactionSequenceNumber: more.number === '' ? undefined : (more.number ?? '7'),
    },
  }),
  timestamp: more.at ?? '2026-11-23 12:00:00+0000',
});

const own = new Set(['70001']);
const parts: LearningParts = {
  meaningOf,
  currency: 'EUR',
  parentOf: (of) =>
    of === id('p')
      ? { followed: { sale: id('s'), payment: of, receipt: 3 }, operation: 'sale', amount: eur(900n) }
      : undefined,
};
const learnOnly = (...payments: unknown[]) => {
  const [listed] = listedSales(payments, own);
  if (listed === undefined) throw new Error('the list has nothing of this till');
  return listed;
};
const facts = { terminalId: '70001', sequence: 7, receipt: 4, key: id('k'), at: 0, gateway: 'a gateway' };
const ended = (...payments: unknown[]) => {
  const record = learnedFrom(learnOnly(...payments), parts);
  if (record === undefined) return undefined;
  const { events, card, ...known } = record;
  const intent: Intent = { ...facts, sale: id('a'), ...known, learned: { card } };
  return replay([{ on: 'intended', intent }, ...events]);
};

test('only sales with a number of this till’s terminals, in order of time, each once', () => {
  const listed = listedSales(
    [
      payment(id('b'), { at: '2026-11-23 13:00:00+0000', number: '9' }),
      payment(id('c'), { terminal: '70002' }),
      payment(id('d'), { terminal: '' }),
      payment(id('a'), { number: '8' }),
      // The till's own reversal has no terminal's number: the sale's reference identifies it.
      payment(id('b'), { type: 'RV', terminal: '', of: id('f'), at: '2026-11-23 13:00:05+0000' }),
    ],
    own,
  );
  expect(listed.map(({ sale, sequence, payments }) => [sale, sequence, payments.length])).toEqual([
    [id('a'), 8, 1],
    [id('b'), 9, 2],
  ]);
});

test.each([
  ['a request that was sent as a new one contains its sale’s own number', '90000000000000041000000002', 41],
  ['an invalid number counts as none', '12345678901234567890', 0],
])('%s', (_, number, sequence) => {
  expect(learnOnly(payment(id('a'), { number })).sequence).toBe(sequence);
});

test('an approved sale is approved, with its card and its payment', () => {
  expect(ended(payment(id('a')))).toMatchObject({
    ...{ at: 'ended', ending: 'approved', reason: 'approved' },
    intent: { operation: 'sale', amount: eur(1_250n) },
    card: { maskedPan: '420000******0042', entryMode: 'ICC' },
    answer: { payment: id('f'), code: APPROVED },
  });
});

test('a declined one is declined, whatever its amount', () => {
  const { amount: _, ...declined } = payment(id('a'), { code: DECLINED });
  expect(ended(declined)).toMatchObject({ at: 'ended', ending: 'declined', intent: { amount: eur(0n) } });
});

test('one that the till itself reversed moved no money, and nothing is due', () => {
  const reversal = payment(id('a'), { type: 'RV', terminal: '', of: id('f') });
  expect(ended(payment(id('a')), reversal)).toMatchObject({ ending: 'declined', reason: 'reversed', reversal: 'done' });
});

test.each([
  ['RF', 'refund', '4.00', 400n],
  ['RV', 'void', '9.00', 900n],
  ['CP', 'completion', '9.00', 900n],
])('%s of a known payment is a %s of that sale', (type, operation, amount, minor) => {
  expect(ended(payment(id('a'), { type, amount, of: id('p') }))).toMatchObject({
    ...{ ending: 'approved', intent: { operation, amount: eur(minor), follows: { sale: id('s'), receipt: 3 } } },
  });
});

test('leaves out undecided payments, and follow-ups of an unknown payment', () => {
  expect(ended(payment(id('a'), { code: PENDING }))).toBeUndefined();
  expect(ended(payment(id('a'), { type: 'RF', of: id('x') }))).toBeUndefined();
});
