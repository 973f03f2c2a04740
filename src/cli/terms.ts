/** What the command line says: progress on stderr, results on stdout, errors as what happened, the money, what next. */
import { styleText } from 'node:util';
import type { Fault } from '../base/fault.ts';
import { printMoney } from '../base/money.ts';
import { type Ended, type Ending, type Progress, wordsOf } from '../runtime/outcome.ts';

/** Exit codes of commands that end a sale. 2 is a refused command, 5 a fault. */
export const exitCodes: Readonly<Record<Ending, number>> = { approved: 0, declined: 1, notSent: 3, unknown: 4 };
export const REFUSED = 2;
export const FAULT = 5;

const colours = { approved: 'green', declined: 'red', notSent: 'red', unknown: 'yellow' } as const;
const endings: Readonly<Record<Ending, string>> = {
  approved: 'APPROVED',
  declined: 'DECLINED',
  notSent: 'NOT CHARGED',
  unknown: 'UNKNOWN',
};

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const tell = (text: string): void => void process.stderr.write(`${text}\n`);

const steps: Readonly<Record<string, string>> = {
  presentCard: 'Insert, tap or swipe the card',
  cardInserted: 'Card inserted',
  cardTapped: 'Card tapped',
  cardSwiped: 'Card swiped',
  reading: 'Reading the card',
  useChip: 'The customer is asked to insert the chip',
  useStripe: 'The chip cannot be read: the customer is asked to swipe',
  enterPin: 'The customer enters the PIN',
  pinEntered: 'PIN entered',
  authorising: 'Asking the bank',
  completing: 'The card finishes the sale',
  goingOffline: 'No line to the gateway: the card decides',
  removeCard: 'The customer is asked to remove the card',
  cardRemoved: 'Card removed',
};

/** A line for a step that a cashier waits for; nothing for the others. */
export const stepWords = (progress: Progress): string | undefined =>
  steps[progress.kind === 'terminal' ? progress.event : progress.sale.at];

/** The ending in large words, what it means for the money, and what to do next. */
export const resultLines = (sale: Ended): string[] => {
  const { says, money, next } = wordsOf(sale);
  const word = styleText([colours[sale.ending], 'bold'], endings[sale.ending], { stream: process.stderr });
  return [`${word}  ${printMoney(sale.intent.amount)}  ${says}.`, `${money} ${next}`];
};

export const faultLines = (fault: Fault): string[] => [
  styleText('red', `${fault.message}.`, { stream: process.stderr }),
  `${fault.money} ${fault.next}`,
];
