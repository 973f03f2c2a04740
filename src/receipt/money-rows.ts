/** The rows of a receipt that say how much: amount, tip and total, what was asked for, what is still to be paid. */
import { dateTime } from '../base/clock.ts';
import { type Money, printMoney, subtract } from '../base/money.ts';
import type { ReceiptFacts } from './facts.ts';
import { fields, pair, type Row } from './rows.ts';
import { operations, type ReceiptWords } from './words.ts';

/** What was approved is the large one; everything else stands around it. */
export const moneyRows = (facts: ReceiptFacts, words: ReceiptWords): Row[] => {
  const { operation, amount, originalReceiptNumber, asked, tip } = facts;
  const name = words[operations[operation].name];
  return [
    ...(asked === undefined ? [] : [sum(words.askedFor, asked)]),
    ...(tip === undefined ? [] : [sum(name, subtract(amount, tip)), sum(words.tip, tip)]),
    { kind: 'pair', left: tip === undefined ? name : words.total, right: printMoney(amount), large: true },
    ...after(facts, words),
    ...fields([words.ofReceipt, originalReceiptNumber], ['', undefined]),
  ];
};

/** What stands after an approval only: of the bill, of the hold, of the gift card. */
const after = (facts: ReceiptFacts, words: ReceiptWords): Row[] => {
  const { bill, heldInAll, heldUntil, balance } = facts;
  return [
    ...(balance === undefined ? [] : [sum(words.leftOnCard, balance)]),
    ...(facts.ending === 'approved' && facts.reversed !== true
      ? [
          ...(bill === undefined ? [] : billRows(bill, facts, words)),
          ...(heldInAll === undefined ? [] : [sum(words.reservedInAll, heldInAll)]),
          ...(heldUntil === undefined ? [] : [pair(words.reservedUntil, localTime(facts, heldUntil)[0])]),
        ]
      : []),
  ];
};

type Bill = NonNullable<ReceiptFacts['bill']>;

/** A bill that stands there as what was asked for is not said twice. */
const billRows = ({ total, left }: Bill, { asked }: ReceiptFacts, words: ReceiptWords): Row[] => [
  ...(asked?.minor === total.minor ? [] : [sum(words.bill, total)]),
  left.minor > 0n
    ? { kind: 'pair', left: words.stillToPay, right: printMoney(left), large: true }
    : pair(words.stillToPay, words.nothing),
];

const sum = (label: string, amount: Money): Row => pair(label, printMoney(amount));

/** Day and time of the store's own clock. */
export const localTime = ({ zoneMinutes }: Pick<ReceiptFacts, 'zoneMinutes'>, at: number): [string, string] => {
  const [day = '', time = ''] = dateTime(at + zoneMinutes * 60_000).split(' ');
  return [day, time];
};
