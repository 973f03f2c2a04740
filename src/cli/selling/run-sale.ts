/** Runs one operation from the command line to its paper: progress, result, the bill it belongs to, receipts. */
import type { Command } from 'commander';
import type { CardInterface } from '../../../drivers/terminal.ts';
import { systemClock, within } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { type Money, printAmount, printMoney } from '../../base/money.ts';
import { aboutSale, type Bill, billOfSale } from '../../ledger/bills.ts';
import type { Ended, Progress, Sale } from '../../ledger/outcome.ts';
import { isSigned, outcomeJson } from '../../ledger/outcome.ts';
import { receiptLines } from '../../printing/receipts.ts';
import { refuseLikely, type WantedSale } from '../../selling/likely-sales.ts';
import { receiptNumber } from '../arguments.ts';
import { onSignals } from '../stop-signals.ts';
import { exitCodeOf, print, resultLines, stepWords, tell } from '../terms.ts';
import { printJson, tellMode } from '../till-folder.ts';
import { type CommandTill, count } from '../till-options.ts';

type Start = (hear: (progress: Progress) => void) => ReturnType<CommandTill['till']['sell']>;
type How = {
  flags: { json?: true };
  accept?: readonly CardInterface[];
  /** More of its payments are to come: nobody is told yet how to pay the rest of the bill. */
  goesOn?: true;
};

/** The operation with its result in words, its exit code and its receipts, or all of it as JSON. */
export const runSale = async (running: CommandTill, how: How, start: Start): Promise<void> => {
  if (how.flags.json !== true) tellMode(running);
  const done = await conduct(running, how, start);
  if (how.flags.json === true) printJson(running.shown, saleJson(running, done.ended));
  process.exitCode = exitCodeOf(done.ended);
};

export type Conducted = { ended: Ended; cancelled: boolean };

/** The same without an exit code, and without the JSON: for one of several. A signal asks for a cancel. */
export const conduct = async (running: CommandTill, how: How, start: Start): Promise<Conducted> => {
  const { flags, accept = [], goesOn = false } = how;
  const quiet = flags.json === true;
  await running.place.compared();
  const sale = start((progress) => {
    if (!quiet) hear(progress, { accept, mode: running.shown });
  });
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    tell('Cancelling. The result comes in a moment.');
    sale.cancel();
  };
  const hearNoMore = onSignals(cancel);
  try {
    const told = await sale.done;
    if (cancelled && told.ending === 'approved') tooLate(told);
    await drainBriefly(running);
    const last = running.till.find(told.intent.receipt);
    const ended = last.at === 'ended' ? last : told;
    if (!quiet) show(running, { sale: ended, told, goesOn });
    return { ended, cancelled };
  } finally {
    hearNoMore();
  }
};

const takenBackBy: Readonly<Partial<Record<Ended['intent']['operation'], string>>> = {
  sale: 'refund',
  credit: 'void',
  preauthorisation: 'release',
};

const tooLate = ({ intent }: Ended): void => {
  const command = takenBackBy[intent.operation];
  if (command !== undefined)
    tell(`It was too late to cancel. To take it back: npm run till -- ${command} ${intent.receipt}`);
};

/** Nobody waits longer than this for old messages; what is left goes with the next command. */
const DRAIN_WITHIN_MS = 5_000;

/** What is due goes out now if the gateway is quick. A failure here changes nothing about the sale before it. */
const drainBriefly = async ({ forwarder, outbox }: Pick<CommandTill, 'forwarder' | 'outbox'>): Promise<void> => {
  if (outbox.nextAt() === undefined) return;
  const late = () => new Fault('host.silent', { why: 'it took too long' });
  try {
    const { done, later, parked } = await within(systemClock, DRAIN_WITHIN_MS, forwarder.drain(), late);
    if (done > 0) tell(`Sent ${count(done, 'stored message')}.`);
    if (later > 0) tell(`${count(later, 'message')} could not be sent yet; the next command tries again.`);
    if (parked > 0) tell(`${count(parked, 'message')} for a person to look at: npm run till -- queue`);
  } catch (error) {
    tell(`Stored messages could not be sent yet: ${wordsOf(error)}.`);
  }
};

type Hearing = { accept: readonly CardInterface[]; mode: DisplayMode };

const hear = (progress: Progress, { accept, mode }: Hearing): void => {
  if (progress.kind === 'sale' && progress.sale.at === 'ended')
    for (const line of resultLines(progress.sale, mode)) tell(line);
  const words = stepWords(progress, accept);
  if (words !== undefined) tell(words);
};

/** `told` is the sale as its result was said; what has changed since is said again. */
const show = (running: CommandTill, { sale, told, goesOn }: { sale: Ended; told: Ended; goesOn: boolean }): void => {
  if (sale.forwarded !== told.forwarded || sale.ending !== told.ending)
    for (const line of resultLines(sale, running.shown)) tell(line);
  const bill = billOfSale(running, sale);
  if (bill !== undefined && !goesOn) for (const line of billLines(bill, sale)) tell(line);
  for (const [, lines] of paperOf(running, sale)) print(['', ...lines].join('\n'));
};

/** Everything a script needs, its receipts and its bill among it. */
export const saleJson = (running: CommandTill, sale: Ended): Record<string, unknown> => {
  const bill = billOfSale(running, sale);
  return {
    ...outcomeJson(sale, running.shown),
    ...(bill && { bill: billJson(bill, sale) }),
    receiptText: Object.fromEntries(paperOf(running, sale)),
  };
};

const paperOf = (running: CommandTill, sale: Ended) => {
  const about = aboutSale(running, sale);
  return copiesOf(sale).map(
    (copy) => [copy, receiptLines(sale, running.config, { mode: running.shown, copy, width: 42, about })] as const,
  );
};

/** Without a card there is nothing to hand out. A terminal that authorised by itself keeps the merchant's account. */
const copiesOf = (sale: Ended): readonly ('merchant' | 'customer')[] => {
  const { card, terminal, intent } = sale;
  const hasPaper = card !== undefined || intent.follows !== undefined || intent.giftCard !== undefined;
  if (intent.by !== 'terminal') return hasPaper ? ['merchant', 'customer'] : [];
  if (terminal?.payment === undefined && !terminal?.slip?.customer.some((line) => line !== '')) return [];
  return sale.ending === 'approved' && isSigned(sale) ? ['merchant', 'customer'] : ['customer'];
};

// `--again`: the yes to the till's question whether the customer was just charged.

export type AgainFlags = { again?: string[] };

export const withAgain = (command: Command): Command =>
  command.option(
    '--again <receipt...>',
    'sales of the same amount whose ending is not known: they were of another customer',
  );

/** The receipts that `--again` names. Throws `command.malformed`. */
export const againOf = ({ again = [] }: AgainFlags): number[] => again.map(receiptNumber);

/** The yes as a fact of the sale. Throws `sale.likely` where a sale is asked about that it does not name. */
export const notChargedYet = (
  running: CommandTill,
  wanted: WantedSale,
  again: readonly number[],
): { again: readonly number[] } => ({ again: refuseLikely(running, wanted, { again }) });

// What is said of a bill after each of its payments: what is paid, what is left, and the command that pays it.

/** The command that pays what is left, named by a receipt of the bill. */
export const paysRest = (bill: Bill, { intent }: Sale): string =>
  `npm run till -- sell ${printAmount(bill.left)} --bill ${intent.receipt}`;

/** The lines after a payment of the bill. */
const billLines = (bill: Bill, sale: Sale): string[] => [
  billState(bill),
  ...(bill.left.minor > 0n ? [restLine(bill, sale)] : []),
];

export const billState = ({ total, paid, unknown, left }: Bill): string =>
  left.minor === 0n && unknown.minor === 0n
    ? `The bill of ${printMoney(total)} is paid.`
    : `Of the bill of ${printMoney(total)}, ${printMoney(paid)} is paid${open(unknown)}; ${printMoney(left)} is left.`;

export const restLine = (bill: Bill, sale: Sale): string => `To take what is left: ${paysRest(bill, sale)}`;

const open = (unknown: Money): string => (unknown.minor === 0n ? '' : `, ${printMoney(unknown)} waits for its result`);

/** `pay` is absent when nothing is left to ask for. */
export const billJson = (bill: Bill, sale: Sale): Record<string, unknown> => ({
  id: bill.id,
  total: printAmount(bill.total),
  paid: printAmount(bill.paid),
  unknown: printAmount(bill.unknown),
  left: printAmount(bill.left),
  currency: bill.total.currency,
  receipts: bill.legs.map((leg) => ({
    receipt: leg.sale.intent.receipt,
    state: leg.state,
    amount: printAmount(leg.amount),
  })),
  pay: bill.left.minor > 0n ? paysRest(bill, sale) : undefined,
});
