/** `till sales` and `till preauths`: the last operations, and the amounts held on cards. */
import type { Command } from 'commander';
import type { HoldRow, SaleRow } from '../../api/contract/sales.ts';
import { dateTime } from '../../base/clock.ts';
import { type TillApi, unwrap } from '../api-client.ts';
import { wholeNumber } from '../arguments.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { amountWords, hostAmount, names, paragraph, receiptWords, tableRow } from '../terms.ts';
import { linesOr } from '../till-folder.ts';
import { tillCommand } from '../till-options.ts';

export const addSales = (till: Command): void => {
  tillCommand(till, 'sales', 'the last sales and what followed them, newest first')
    .option('--most <n>', 'how many', '20')
    .option('--search <text>', 'a receipt, 12.50, 2026-01-31, the last four digits, an approval code, an id')
    .action(async (flags: ApiFlags & { most: string; search?: string }) => {
      const most = wholeNumber(flags.most, '--most takes a whole number', 999_999);
      await withTillApi(flags, async ({ api, show }) => {
        const { search } = flags;
        const sales = await newest(api, most, search);
        const none =
          search === undefined ? 'No sales yet. Take one with: npm run till -- sell 12.50' : 'No sale fits that.';
        show({ json: { sales: sales.map(json) }, ...linesOr(sales.flatMap(saleLines), none) });
      });
    });
};

/** The most sales that the till returns at once. */
const PAGE = 200;

const newest = async (api: TillApi, most: number, search: string | undefined): Promise<SaleRow[]> => {
  const sales: SaleRow[] = [];
  for (let isMore = most > 0; isMore; ) {
    const page = { from: String(sales.length), most: String(Math.min(PAGE, most - sales.length)) };
    const { rows, total } = await unwrap(api.sales.$get({ query: { ...page, search, outcomes: 'true' } }));
    sales.push(...rows);
    isMore = rows.length > 0 && sales.length < Math.min(most, total);
  }
  return sales;
};

const json = ({ operation, receipt, outcome }: SaleRow) => outcome ?? { ending: 'open', operation, receipt };

/** A line for each sale, and below it what the line does not say. */
const saleLines = (sale: SaleRow): string[] => {
  const { receipt, at, operation, outcome, amount, approved } = sale;
  const cells = [
    receiptWords(receipt),
    dateTime(at).slice(0, 16),
    names[operation].padEnd(17),
    amountWords(approved ?? amount).padStart(14),
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

const endingOf = ({ ending, waiting }: SaleRow): string =>
  `${endings[ending]}${waiting === true ? ', not sent yet' : ''}`;

const endings = {
  approved: 'approved',
  declined: 'declined',
  notSent: 'not charged',
  unknown: 'UNKNOWN',
  open: 'open',
} as const;

/** The reason, unless the ending already says it. */
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

const factsOf = ({ tip, followsReceipt, amount, approved, billTotal, learned, cashier }: SaleRow): string[] => [
  ...(tip === undefined ? [] : [`tip ${amountWords(tip)}`]),
  ...(followsReceipt === undefined ? [] : [`of receipt ${receiptWords(followsReceipt)}`]),
  ...(approved === undefined ? [] : [`of ${amountWords(amount)} asked for`]),
  ...(learned === undefined ? [] : ['taken over from the gateway']),
  ...(billTotal === undefined ? [] : [`bill of ${amountWords(billTotal)}`]),
  ...(cashier === undefined ? [] : [cashier]),
];

/** The masked card number. For a follow-up, only that of a card that was read for it. */
const cardOf = ({ outcome, last4, followsReceipt }: SaleRow): string => {
  if (outcome === undefined) return followsReceipt === undefined ? (last4 ?? '') : '';
  return outcome.card?.maskedPan ?? outcome.terminal?.maskedPan ?? outcome.giftCard?.maskedNumber ?? '';
};

/** `till preauths`: the amounts held on cards, how much was charged, and until when the banks hold them. */
export const addPreauths = (till: Command): void => {
  const says = 'open pre-authorisations: held, completed, and when the bank lets go of them';
  const none = 'Nothing is held. Hold an amount with: npm run till -- preauth 100.00';
  tillCommand(till, 'preauths', says).action((flags: ApiFlags) =>
    withTillApi(flags, async ({ api, show }) => {
      const holds = await unwrap(api.preauths.$get());
      show({ json: { preauths: holds.map(holdJson) }, ...linesOr(holds.length === 0 ? [] : table(holds), none) });
    }),
  );
};

const line = tableRow([7, -13, -13, -13, 4, 22]);

const table = (holds: readonly HoldRow[]): string[] => [
  line('RECEIPT', 'HELD', 'COMPLETED', 'LEFT', 'CARD', 'UNTIL'),
  ...holds.map((hold) => {
    const { receipt, held, completed, left, maskedPan = '' } = hold;
    const sums = [held, completed, left].map(amountWords);
    return line(receiptWords(receipt), ...sums, maskedPan.slice(-4), untilWords(hold));
  }),
];

const untilWords = ({ until, holdUnknown, expired }: HoldRow): string => {
  const day = dateTime(until).slice(0, 10);
  if (holdUnknown === true) return `${day}, a result is missing`;
  return expired ? `${day}, run out` : day;
};

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
