/** `till sales`: what was done lately, one line each. */

import type { Command } from 'commander';
import { dateTime } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { ShownMode } from '../base/mode.ts';
import { printMoney } from '../base/money.ts';
import { type Ended, outcomeJson, type Sale, toldOf } from '../ledger/outcome.ts';
import { paragraph } from './paragraph.ts';
import { printJson, printLines } from './shown-mode.ts';
import { names, tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

export const addSales = (till: Command): void => {
  withTillOptions(till.command('sales').description('the last sales and what followed them, newest first'))
    .option('--most <n>', 'how many', '20')
    .option('--search <text>', 'a receipt, 12.50, 2026-01-31, the last four digits, an approval code, an id')
    .action(async (flags: TillFlags & { most: string; search?: string }) => {
      if (!/^\d{1,6}$/.test(flags.most)) throw new Fault('command.malformed', { why: '--most takes a whole number' });
      await withTill(flags, async (running) => {
        const { ledger, config } = running;
        const most = Number(flags.most);
        const words = flags.search;
        const sales =
          words === undefined ? ledger.sales(most) : ledger.search({ words, currency: config.currency, most });
        if (flags.json === true) printJson(running.shown, { sales: sales.map((sale) => json(sale, running.shown)) });
        else if (sales.length === 0 && words !== undefined) tell('No sale fits that.');
        else if (sales.length === 0) tell('No sales yet. Take one with: npm run till -- sell 12.50');
        else printLines(running, sales.flatMap(saleLines));
      });
    });
};

const json = (sale: Sale, mode: ShownMode) =>
  sale.at === 'ended'
    ? outcomeJson(sale, mode)
    : { ending: 'open', operation: sale.intent.operation, receipt: sale.intent.receipt };

/** In one line what was done; below it what that does not say. */
const saleLines = (sale: Sale): string[] => {
  const { receipt, at, operation } = sale.intent;
  const cells = [
    String(receipt).padStart(6, '0'),
    dateTime(at).slice(0, 16),
    names[operation].padEnd(17),
    printMoney(amountOf(sale)).padStart(14),
    cardOf(sale).slice(-4).padEnd(4),
    endingOf(sale),
  ];
  const words = [...saysOf(sale), ...notesOf(sale)];
  return [cells.join('  ').trimEnd(), ...(words.length === 0 ? [] : paragraph(' '.repeat(8), words.join('; ')))];
};

/** What was approved, where that is known. */
const amountOf = ({ intent, answer }: Sale) => answer?.approved ?? intent.amount;

const endingOf = (sale: Sale): string =>
  sale.at === 'ended' ? `${endings[sale.ending]}${isStored(sale) ? ', not sent yet' : ''}` : 'open';

const endings = { approved: 'approved', declined: 'declined', notSent: 'not charged', unknown: 'UNKNOWN' } as const;

const isStored = ({ ending, offline, forwarded }: Ended): boolean =>
  ending === 'approved' && offline !== undefined && forwarded === undefined;

/** Why; nothing where the one word says it all. */
const saysOf = (sale: Sale): string[] => {
  if (sale.at !== 'ended') return [];
  const isPlain = plain.includes(sale.reason) || isStored(sale);
  return isPlain && sale.forced === undefined ? [] : [toldOf(sale).says.says];
};

const plain: readonly Ended['reason'][] = [
  'approved',
  'refunded',
  'held',
  'heldMore',
  'completed',
  'credited',
  'voided',
];

/** Tip, what it follows, the bill, what was asked for, who sold. */
const notesOf = (sale: Sale): string[] => [...saidOf(sale), ...factsOf(sale)];

/** What a person said of it, and what does not fit that. */
const saidOf = (sale: Sale): string[] =>
  sale.at !== 'ended' ? [] : [...(sale.differs === undefined ? [] : [`BUT: ${sale.differs}`])];

const factsOf = ({ intent, answer }: Sale): string[] => [
  ...(intent.tip === undefined ? [] : [`tip ${printMoney(intent.tip)}`]),
  ...(intent.follows === undefined ? [] : [`of receipt ${String(intent.follows.receipt).padStart(6, '0')}`]),
  ...(answer?.approved === undefined ? [] : [`of ${printMoney(intent.amount)} asked for`]),
  ...(intent.learned === undefined ? [] : ['taken over from the gateway']),
  ...(intent.bill === undefined ? [] : [`bill of ${printMoney(intent.bill.total)}`]),
  ...(intent.cashier === undefined ? [] : [intent.cashier]),
];

const cardOf = ({ card, terminal, intent }: Sale): string =>
  card?.maskedPan ?? terminal?.payment?.maskedPan ?? intent.giftCard?.maskedNumber ?? '';
