/** `till sales` and `till preauths`: what was done lately, and what is held on cards. */
import type { Command } from 'commander';
import { dateTime, systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { printAmount, printMoney } from '../../base/money.ts';
import { type Hold, openHolds } from '../../ledger/bills.ts';
import { type Ended, localizedEnding, outcomeJson, type Sale } from '../../ledger/outcome.ts';
import { names, paragraph, tell } from '../terms.ts';
import { printJson, printLines } from '../till-folder.ts';
import { type TillFlags, withTill, withTillOptions } from '../till-options.ts';

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

const json = (sale: Sale, mode: DisplayMode) =>
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
  return isPlain && sale.forced === undefined ? [] : [localizedEnding(sale).says.says];
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

/** `till preauths`: what is held on cards, what of it was charged, and until when the banks keep it. */
export const addPreauths = (till: Command): void => {
  withTillOptions(
    till.command('preauths').description('open pre-authorisations: held, completed, and when the bank lets go of them'),
  ).action(async (flags: TillFlags) => {
    await withTill(flags, async (running) => {
      const now = systemClock.now();
      const holds = openHolds(running, now);
      if (flags.json === true) printJson(running.shown, { preauths: holds.map((hold) => holdJson(hold, now)) });
      else if (holds.length === 0) tell('Nothing is held. Hold an amount with: npm run till -- preauth 100.00');
      else printLines(running, table(holds, now));
    });
  });
};

const widths = [7, 13, 13, 13, 4, 22] as const;

const table = (holds: readonly Hold[], now: number): string[] => [
  line('RECEIPT', 'HELD', 'COMPLETED', 'LEFT', 'CARD', 'UNTIL'),
  ...holds.map((hold) => {
    const { sale, held, completed, left } = hold;
    const { receipt } = sale.intent;
    return line(
      String(receipt).padStart(6, '0'),
      printMoney(held),
      printMoney(completed),
      printMoney(left),
      sale.card?.maskedPan.slice(-4) ?? '',
      untilWords(hold, now),
    );
  }),
];

const untilWords = ({ until, state }: Hold, now: number): string => {
  const day = dateTime(until).slice(0, 10);
  if (state === 'unknown') return `${day}, a result is missing`;
  return until < now ? `${day}, run out` : day;
};

const line = (...cells: readonly string[]): string =>
  cells
    .map((cell, at) => (at > 0 && at < 4 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join('  ')
    .trimEnd();

const holdJson = ({ sale, held, completed, left, state, until }: Hold, now: number) => ({
  receipt: sale.intent.receipt,
  merchantTransactionId: sale.intent.sale,
  currency: held.currency,
  held: printAmount(held),
  completed: printAmount(completed),
  left: printAmount(left),
  state,
  until: new Date(until).toISOString(),
  expired: until < now,
  card: sale.card && { maskedPan: sale.card.maskedPan },
});
