/** `till sales`: what was done lately, one line each. */
import type { Command } from 'commander';
import { dateTime } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { printMoney } from '../base/money.ts';
import { outcomeJson, type Sale } from '../runtime/outcome.ts';
import { names, print, tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

export const addSales = (till: Command): void => {
  withTillOptions(till.command('sales').description('the last sales and what followed them, newest first'))
    .option('--most <n>', 'how many', '20')
    .option('--search <text>', 'a receipt, 12.50, 2026-01-31, the last four digits, an approval code, an id')
    .action(async (flags: TillFlags & { most: string; search?: string }) => {
      if (!/^\d{1,6}$/.test(flags.most)) throw new Fault('command.malformed', { why: '--most takes a whole number' });
      await withTill(flags, async ({ ledger, config }) => {
        const most = Number(flags.most);
        const words = flags.search;
        const sales =
          words === undefined ? ledger.sales(most) : ledger.search({ words, currency: config.currency, most });
        if (flags.json === true) print(JSON.stringify(sales.map(json), null, 2));
        else if (sales.length === 0 && words !== undefined) tell('No sale fits that.');
        else if (sales.length === 0) tell('No sales yet. Take one with: npm run till -- sell 12.50');
        else for (const sale of sales) print(saleLine(sale));
      });
    });
};

const json = (sale: Sale) =>
  sale.at === 'ended'
    ? outcomeJson(sale)
    : { ending: 'open', operation: sale.intent.operation, receipt: sale.intent.receipt };

const saleLine = (sale: Sale): string => {
  const { receipt, at, operation } = sale.intent;
  const cells = [
    String(receipt).padStart(6, '0'),
    dateTime(at),
    names[operation].padEnd(17),
    printMoney(amountOf(sale)).padStart(14),
    cardOf(sale).padEnd(19),
    [endingOf(sale), ...notesOf(sale)].join('; '),
  ];
  return cells.join('  ').trimEnd();
};

/** What was approved, where that is known. */
const amountOf = ({ intent, answer }: Sale) => answer?.approved ?? intent.amount;

const endingOf = (sale: Sale): string =>
  sale.at === 'ended' ? `${sale.ending}${sale.offline ? ', offline' : ''}  ${sale.reason}` : 'open';

/** Tip, what it follows, the bill, what was asked for, who sold. */
const notesOf = (sale: Sale): string[] => [...saidOf(sale), ...factsOf(sale)];

/** What a person said of it, and what does not fit that. */
const saidOf = (sale: Sale): string[] =>
  sale.at !== 'ended'
    ? []
    : [
        ...(sale.forced === undefined ? [] : [`forced by ${sale.forced.who ?? 'a person'}`]),
        ...(sale.differs === undefined ? [] : [`BUT: ${sale.differs}`]),
      ];

const factsOf = ({ intent, answer }: Sale): string[] => [
  ...(intent.tip === undefined ? [] : [`tip ${printMoney(intent.tip)}`]),
  ...(intent.follows === undefined ? [] : [`of receipt ${String(intent.follows.receipt).padStart(6, '0')}`]),
  ...(answer?.approved === undefined ? [] : [`of ${printMoney(intent.amount)} asked for`]),
  ...(intent.bill === undefined ? [] : [`bill of ${printMoney(intent.bill.total)}`]),
  ...(intent.cashier === undefined ? [] : [intent.cashier]),
];

const cardOf = ({ card, terminal, intent }: Sale): string =>
  card?.maskedPan ?? terminal?.payment?.maskedPan ?? intent.giftCard?.maskedNumber ?? '';
