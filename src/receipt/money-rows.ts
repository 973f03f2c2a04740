/** The rows of a receipt that say how much: amount, tip and total, what was asked for, what is still to be paid. */
import { dateTime } from '../base/clock.ts';
import { type Money, printMoney, subtract } from '../base/money.ts';
import type { ReceiptFacts } from './facts.ts';
import { fields, pair, type Row } from './rows.ts';
import { operations } from './words.ts';

/** What was approved is the large one; everything else stands around it. */
export const moneyRows = (facts: ReceiptFacts): Row[] => {
  const { operation, amount, originalReceiptNumber, asked, tip } = facts;
  const { name } = operations[operation];
  return [
    ...(asked === undefined ? [] : [sum('ASKED FOR', asked)]),
    ...(tip === undefined ? [] : [sum(name, subtract(amount, tip)), sum('TIP', tip)]),
    { kind: 'pair', left: tip === undefined ? name : 'TOTAL', right: printMoney(amount), large: true },
    ...after(facts),
    ...fields(['OF RECEIPT', originalReceiptNumber], ['', undefined]),
  ];
};

/** What stands after an approval only: of the bill, of the hold, of the gift card. */
const after = (facts: ReceiptFacts): Row[] => {
  const { bill, heldInAll, heldUntil, balance } = facts;
  return [
    ...(balance === undefined ? [] : [sum('LEFT ON THE CARD', balance)]),
    ...(facts.ending === 'approved' && facts.reversed !== true
      ? [
          ...(bill === undefined ? [] : billRows(bill, facts)),
          ...(heldInAll === undefined ? [] : [sum('RESERVED IN ALL', heldInAll)]),
          ...(heldUntil === undefined ? [] : [pair('RESERVED UNTIL', localTime(facts, heldUntil)[0])]),
        ]
      : []),
  ];
};

/** A bill that stands there as what was asked for is not said twice. */
const billRows = ({ total, left }: NonNullable<ReceiptFacts['bill']>, { asked }: ReceiptFacts): Row[] => [
  ...(asked?.minor === total.minor ? [] : [sum('BILL', total)]),
  left.minor > 0n
    ? { kind: 'pair', left: 'STILL TO PAY', right: printMoney(left), large: true }
    : pair('STILL TO PAY', 'NOTHING'),
];

const sum = (label: string, amount: Money): Row => pair(label, printMoney(amount));

/** Day and time of the store's own clock. */
export const localTime = ({ zoneMinutes }: Pick<ReceiptFacts, 'zoneMinutes'>, at: number): [string, string] => {
  const [day = '', time = ''] = dateTime(at + zoneMinutes * 60_000).split(' ');
  return [day, time];
};
