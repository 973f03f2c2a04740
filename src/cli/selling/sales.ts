/** `till sales` and `till preauths`: what was done lately, and what is held on cards. */
import type { Command } from 'commander';
import type { HoldRow, SaleRow } from '../../api/contract/sales.ts';
import type { Amount } from '../../api/contract/wire.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { printAmount } from '../../base/money.ts';
import { moneyOf } from '../../ledger/wire-money.ts';
import { got, type TillApi } from '../api-client.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { withPerson } from '../person.ts';
import { names, paragraph, tell } from '../terms.ts';
import { printJson, printLines } from '../till-folder.ts';
import { withTillOptions } from '../till-options.ts';

export const addSales = (till: Command): void => {
  withPerson(withTillOptions(till.command('sales').description('the last sales and what followed them, newest first')))
    .option('--most <n>', 'how many', '20')
    .option('--search <text>', 'a receipt, 12.50, 2026-01-31, the last four digits, an approval code, an id')
    .action(async (flags: ApiFlags & { most: string; search?: string }) => {
      if (!/^\d{1,6}$/.test(flags.most)) throw new Fault('command.malformed', { why: '--most takes a whole number' });
      await withTillApi(flags, async ({ api, shown }) => {
        const { search } = flags;
        const sales = await newest(api, Number(flags.most), search);
        if (flags.json === true) printJson(shown, { sales: sales.map(json) });
        else if (sales.length === 0 && search !== undefined) tell('No sale fits that.');
        else if (sales.length === 0) tell('No sales yet. Take one with: npm run till -- sell 12.50');
        else printLines({ shown }, sales.flatMap(saleLines));
      });
    });
};

/** As many as the till gives at once. */
const PAGE = 200;

const newest = async (api: TillApi, most: number, search: string | undefined): Promise<SaleRow[]> => {
  const sales: SaleRow[] = [];
  for (let isMore = most > 0; isMore; ) {
    const page = { from: String(sales.length), most: String(Math.min(PAGE, most - sales.length)) };
    const { rows, total } = await got(api.sales.$get({ query: { ...page, search, outcomes: 'true' } }));
    sales.push(...rows);
    isMore = rows.length > 0 && sales.length < Math.min(most, total);
  }
  return sales;
};

const json = ({ operation, receipt, outcome }: SaleRow) => outcome ?? { ending: 'open', operation, receipt };

/** In one line what was done; below it what that does not say. */
const saleLines = (sale: SaleRow): string[] => {
  const { receipt, at, operation, outcome, amount, approved } = sale;
  const cells = [
    String(receipt).padStart(6, '0'),
    dateTime(at).slice(0, 16),
    names[operation].padEnd(17),
    words(approved ?? amount).padStart(14),
    cardOf(sale).slice(-4).padEnd(4),
    endingOf(sale),
  ];
  const more = [
    ...saysOf(sale),
    ...(outcome?.differs === undefined ? [] : [`BUT: ${outcome.differs}`]),
    ...factsOf(sale),
  ];
  return [cells.join('  ').trimEnd(), ...(more.length === 0 ? [] : paragraph(' '.repeat(8), more.join('; ')))];
};

const words = ({ amount, currency }: Amount): string => `${amount} ${currency}`;

const endingOf = ({ ending, waiting }: SaleRow): string =>
  `${endings[ending]}${waiting === true ? ', not sent yet' : ''}`;

const endings = {
  approved: 'approved',
  declined: 'declined',
  notSent: 'not charged',
  unknown: 'UNKNOWN',
  open: 'open',
} as const;

/** Why; nothing where the one word says it all. */
const saysOf = ({ reason, says, waiting, outcome }: SaleRow): string[] => {
  if (reason === undefined || says === undefined) return [];
  const isPlain = plain.includes(reason) || waiting === true;
  return isPlain && outcome?.forced === undefined ? [] : [says];
};

const plain: readonly SaleRow['reason'][] = [
  'approved',
  'refunded',
  'held',
  'heldMore',
  'completed',
  'credited',
  'voided',
];

/** Tip, what it follows, the bill, what was asked for, who sold. */
const factsOf = ({ tip, followsReceipt, amount, approved, billTotal, learned, cashier }: SaleRow): string[] => [
  ...(tip === undefined ? [] : [`tip ${words(tip)}`]),
  ...(followsReceipt === undefined ? [] : [`of receipt ${String(followsReceipt).padStart(6, '0')}`]),
  ...(approved === undefined ? [] : [`of ${words(amount)} asked for`]),
  ...(learned === undefined ? [] : ['taken over from the gateway']),
  ...(billTotal === undefined ? [] : [`bill of ${words(billTotal)}`]),
  ...(cashier === undefined ? [] : [cashier]),
];

/** Of what follows a payment the card that was read for it, if one was. */
const cardOf = ({ outcome, last4, followsReceipt }: SaleRow): string => {
  if (outcome === undefined) return followsReceipt === undefined ? (last4 ?? '') : '';
  return outcome.card?.maskedPan ?? outcome.terminal?.maskedPan ?? outcome.giftCard?.maskedNumber ?? '';
};

/** `till preauths`: what is held on cards, what of it was charged, and until when the banks keep it. */
export const addPreauths = (till: Command): void => {
  const says = 'open pre-authorisations: held, completed, and when the bank lets go of them';
  withPerson(withTillOptions(till.command('preauths').description(says))).action((flags: ApiFlags) =>
    withTillApi(flags, async ({ api, shown }) => {
      const holds = await got(api.preauths.$get());
      if (flags.json === true) printJson(shown, { preauths: holds.map(holdJson) });
      else if (holds.length === 0) tell('Nothing is held. Hold an amount with: npm run till -- preauth 100.00');
      else printLines({ shown }, table(holds));
    }),
  );
};

const widths = [7, 13, 13, 13, 4, 22] as const;

const table = (holds: readonly HoldRow[]): string[] => [
  line('RECEIPT', 'HELD', 'COMPLETED', 'LEFT', 'CARD', 'UNTIL'),
  ...holds.map((hold) => {
    const { receipt, held, completed, left, maskedPan = '' } = hold;
    const sums = [held, completed, left].map(words);
    return line(String(receipt).padStart(6, '0'), ...sums, maskedPan.slice(-4), untilWords(hold));
  }),
];

const untilWords = ({ until, holdUnknown, expired }: HoldRow): string => {
  const day = dateTime(until).slice(0, 10);
  if (holdUnknown === true) return `${day}, a result is missing`;
  return expired ? `${day}, run out` : day;
};

const line = (...cells: readonly string[]): string =>
  cells
    .map((cell, at) => (at > 0 && at < 4 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join('  ')
    .trimEnd();

const holdJson = ({ id, receipt, held, completed, left, holdUnknown, until, expired, maskedPan }: HoldRow) => ({
  receipt,
  merchantTransactionId: id,
  currency: held.currency,
  held: hostAmount(held),
  completed: hostAmount(completed),
  left: hostAmount(left),
  state: holdUnknown === true ? 'unknown' : 'open',
  until: new Date(until).toISOString(),
  expired,
  card: maskedPan === undefined ? undefined : { maskedPan },
});

const hostAmount = (amount: Amount): string => printAmount(moneyOf(amount, amount.currency));
