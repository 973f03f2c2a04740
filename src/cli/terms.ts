/** The output of the command line: progress and errors on stderr, results on stdout, and the texts of both. */
import { styleText } from 'node:util';
import type { SaleStep, StepName } from '../api/contract/sale-steps.ts';
import type { SaleFacts, SaleRow } from '../api/contract/sales.ts';
import type { Amount } from '../api/contract/wire.ts';
import { type IndexProgress, indexingText } from '../app/indexing-text.ts';
import { dateTime, systemClock } from '../base/clock.ts';
import { type Fault, SalesFault } from '../base/fault.ts';
import { withoutNumbers } from '../base/mask.ts';
import { parseAmount, printAmount, printMoney } from '../base/money.ts';
import { type Ending, localizedEnding, type Sale } from '../ledger/outcome.ts';
import { moneyOf } from '../ledger/wire-money.ts';

/** Exit codes of commands that end a sale. 2 is a refused command, 5 a fault. */
const exitCodes: Readonly<Record<Ending, number>> = { approved: 0, declined: 1, notSent: 3, unknown: 4 };
export const REFUSED = 2;
export const FAULT = 5;
/** Approved for less than was requested, or with a part of the bill left. */
export const PART = 6;

/** A gateway that refuses the till is a fault and not a declined card. */
export const exitCodeOf = ({ ending, reason, approvedAmount }: SaleFacts): number => {
  if (reason === 'refusedByHost') return FAULT;
  return ending === 'approved' && approvedAmount !== undefined ? PART : exitCodes[ending];
};

const colours = { approved: 'green', declined: 'red', notSent: 'red', unknown: 'yellow' } as const;
const endings: Readonly<Record<Ending, string>> = {
  approved: 'APPROVED',
  declined: 'DECLINED',
  notSent: 'NOT CHARGED',
  unknown: 'UNKNOWN',
};

export const names: Readonly<Record<Sale['intent']['operation'], string>> = {
  sale: 'sale',
  preauthorisation: 'pre-authorisation',
  credit: 'credit',
  refund: 'refund',
  void: 'void',
  increment: 'increment',
  completion: 'completion',
  release: 'release',
};

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** On a terminal, one line that is overwritten. Elsewhere, a line for each tenth. */
export const indexingLine = (
  { isTTY, write } = { isTTY: process.stderr.isTTY, write: (text: string) => void process.stderr.write(text) },
) => {
  let shown = -1;
  return (progress: IndexProgress): void => {
    const { done, total } = progress;
    const step = Math.floor((done * (isTTY ? 100 : 10)) / total);
    if (step === shown) return;
    shown = step;
    write(isTTY && done < total ? `\r${indexingText(progress)}` : `${isTTY ? '\r' : ''}${indexingText(progress)}\n`);
  };
};

const ways = { chip: 'insert', tap: 'tap', swipe: 'swipe', manual: 'type in' } as const;

/** The text of a step of a sale. `accept`: how a card may be presented. */
export const stepWords = (step: SaleStep, accept: readonly (keyof typeof ways)[]): string => {
  if (step.step !== 'presentCard') return steps[step.step](step);
  return `Waiting for the customer to ${either(accept.map((way) => ways[way])) || 'present'} the card`;
};

const steps: Readonly<Record<Exclude<StepName, 'presentCard'>, (step: SaleStep) => string>> = {
  cardInserted: () => 'Card inserted',
  cardTapped: () => 'Card tapped',
  cardSwiped: () => 'Card swiped',
  reading: () => 'Reading the card',
  useChip: () => 'The customer is asked to insert the chip',
  useStripe: () => 'The chip cannot be read: the customer is asked to swipe',
  enterPin: () => 'The customer enters the PIN',
  pinEntered: () => 'PIN entered',
  askingBank: () => 'Asking the bank',
  askingBankAgain: () => 'No answer yet: asking the gateway again',
  goingOffline: () => 'No line to the gateway: the card decides',
  cardFinishing: () => 'The card finishes the sale',
  terminalPays: () => 'The terminal takes the payment',
  terminalReverses: () => 'The terminal takes its payment back: no card is needed',
  terminalRefunds: () =>
    'The terminal gives the money back to the customer’s card; without it, only a whole payment of today is taken back',
  askingTerminal: ({ tries = 1 }) => `The terminal was lost: asking it what became of the payment (${tries})`,
  askingTerminalBefore: () => 'Asking the terminal for its last payment',
  earlierSale: ({ earlier }) => `The terminal was asked about an earlier sale: ${earlier && earlierLine(earlier)}`,
  removeCard: () => 'The customer is asked to remove the card',
  cardRemoved: () => 'Card removed',
};

const earlierLine = ({ receipt, amount, says, money }: NonNullable<SaleStep['earlier']>): string =>
  `${receiptWords(receipt)}  ${amountWords(amount)}  ${says}. ${money}`;

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** The ending in capitals, what it means for the money, and what to do next. */
export const resultLines = (facts: SaleFacts): string[] => {
  const { ending, operation, amount, approvedAmount, tip, currency, says, money, next } = facts;
  const word = styleText([colours[ending], 'bold'], endingWord(facts), { stream: process.stderr });
  const part = ending === 'approved' ? approvedAmount : undefined;
  const tipped = tip === undefined || part !== undefined ? '' : ` (${hostWords(tip, currency)} of it tip)`;
  const what = operation === 'sale' ? '' : `${names[operation]}: `;
  const { code, means } = facts.decline ?? {};
  const details = code === undefined ? [] : [`Code ${code}${means === undefined ? '' : `: ${means}`}.`];
  const charged = hostWords(part ?? amount, currency);
  return [`${word}  ${charged}${tipped}  ${what}${says}.`, `${money} ${next}`, ...details];
};

/** `NOT CHARGED` fits only operations that charge. A sale that only the store has accepted is not called approved. */
const endingWord = ({ ending, offline, forwarded, operation }: SaleFacts): string => {
  if (ending === 'approved' && forwarded === 'waiting')
    return offline === 'chip' ? 'APPROVED OFFLINE' : 'TAKEN OFFLINE';
  return ending === 'notSent' && operation !== 'sale' && operation !== 'completion' ? 'NOT DONE' : endings[ending];
};

/** `12.50 EUR`. */
export const amountWords = ({ amount, currency }: Amount): string => `${amount} ${currency}`;

/** The same for an amount of the host API. */
const hostWords = (text: string, currency: string): string => printMoney(parseAmount(text, currency));

export const hostAmount = (amount: Amount): string => printAmount(moneyOf(amount, amount.currency));

/** `000012`. */
export const receiptWords = (receipt: number): string => String(receipt).padStart(6, '0');

export const shortLine = (sale: Sale): string => {
  const { receipt, amount } = sale.intent;
  const how = sale.at === 'ended' ? localizedEnding(sale) : undefined;
  const words = how === undefined ? 'not finished' : `${how.says.says}. ${how.money.says}`;
  return `${String(receipt).padStart(6, '0')}  ${printMoney(amount)}  ${words}`;
};

/** The lines of a fault. It can quote what was typed, so card numbers are masked. */
export const faultLines = (fault: Fault): string[] => [
  styleText('red', withStop(withoutNumbers(fault.message)), { stream: process.stderr }),
  ...likelyIn(fault).map(likelyLine),
  withoutNumbers(`${fault.money} ${fault.next}`),
];

/** The earlier sales that the till asks about before a similar one. */
const likelyIn = (fault: Fault): readonly SaleRow[] =>
  fault instanceof SalesFault ? (fault.sales as readonly SaleRow[]) : [];

const likelyLine = ({ receipt, at, amount, says = '' }: SaleRow): string =>
  `${String(receipt).padStart(6, '0')}  ${dateTime(at)}  ${amount.amount} ${amount.currency}  ${withStop(says)}`;

const withStop = (words: string): string => (/[.?!]$/.test(words) ? words : `${words}.`);

export const faultJson = (fault: Fault) => {
  const { code, message, money, next, remedy } = fault;
  const sales = likelyIn(fault);
  return {
    code,
    says: withoutNumbers(message),
    money: withoutNumbers(money),
    next: withoutNumbers(next),
    remedy,
    sales: sales.length > 0 ? sales : undefined,
  };
};

// Texts are wrapped at the width of the terminal, or of a page.

const PAGE = 100;
const NARROWEST = 60;

/** The columns of stdout, or of a page if it is a file or a pipe. */
export const columns = (): number => Math.max(NARROWEST, process.stdout.columns ?? PAGE);

/** Adds a capital and a full stop. A command at the end stays as it is typed. */
export const sentence = (text: string): string => {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$|npm run \S+ -- .*$/.test(words) ? words : `${words}.`;
};

/**
 * Wraps a text at `width`. The first line begins with `lead`, and the others are indented by its length. A longer word
 * is not broken, because it can be a command to copy.
 */
export const paragraph = (lead: string, text: string, width = columns()): string[] => {
  const indent = ' '.repeat(lead.length);
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
};

/** The rows of a table with columns of these widths; a negative width aligns its cells to the right. */
export const tableRow =
  (widths: readonly number[], gap = '  ') =>
  (...cells: readonly string[]): string =>
    cells
      .map((cell, at) => ((widths[at] ?? 0) < 0 ? cell.padStart(-(widths[at] ?? 0)) : cell.padEnd(widths[at] ?? 0)))
      .join(gap)
      .trimEnd();

export type ProgressBar = { at(done: number): void; end(): void };

const BAR = 30;
/** Shorter work needs no bar. */
const AFTER_MS = 2_000;
const EVERY_MS = 100;

/** A progress bar on a terminal for work that takes a while. A log or a script gets none. */
export const progressBar = (total: number): ProgressBar => {
  const start = systemClock.monotonic();
  let drawnAt = 0;
  return {
    at(done) {
      const now = systemClock.monotonic();
      if (!process.stderr.isTTY || total === 0 || now - start < AFTER_MS || now - drawnAt < EVERY_MS) return;
      drawnAt = now;
      const full = Math.round((Math.min(done, total) / total) * BAR);
      process.stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total}`);
    },
    end() {
      if (drawnAt > 0) process.stderr.write('\r\x1b[K');
    },
  };
};
