/** Checks a storm: compares the till's state of each sale with the gateway's books, whatever happened. */

import type { LineState } from '../../src/api/contract/counters.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { imbalancesOf, sumsAgree } from '../../src/ledger/conservation-index.ts';
import { operations } from '../../src/till/machine/operations.ts';
import { isOpen, type Sale } from '../../src/till/machine/sale.ts';
import { chargedOn } from '../../src/till/payments.ts';
import type { Booking } from '../support/till/issuer-books.ts';
import type { Storm } from './storm.ts';

const APPROVED = '000.100.110';
const minorOf = ({ amount }: Pick<Booking, 'amount'>): bigint => BigInt(amount.replace('.', ''));
const sum = (bookings: readonly Booking[]): bigint => bookings.reduce((all, booking) => all + minorOf(booking), 0n);

/** `isOver`: the line is back and everything was sent, so nothing may be open. */
export const checkStorm = (storm: Storm, isOver = false): void => {
  const { running, open } = storm.run.instance;
  const { problems } = storm;
  const sales = [...running.ledger.all()];
  for (const sale of sales)
    for (const problem of problemsOf(storm, sale, isOver))
      problems.push(`receipt ${sale.intent.receipt}, ${sale.intent.operation} (${stateText(sale)}): ${problem}`);
  const numbers: readonly (readonly [numberName: string, numberOf: (sale: Sale) => unknown])[] = [
    ['key', ({ intent }) => intent.asked?.key],
    ['receipt', ({ intent }) => intent.receipt],
    ['number at its terminal', ({ intent }) => `${intent.terminalId} ${intent.sequence}`],
  ];
  for (const [numberName, of] of numbers)
    if (new Set(sales.map(of)).size !== sales.length) problems.push(`one ${numberName} belongs to two sales`);
  if (!sumsAgree(running.journal.sql)) problems.push('the running sums differ from all sales');
  for (const { sale } of imbalancesOf(running.journal.sql)) problems.push(`the refunds of ${sale} exceed it`);
  for (const bill of billsOf(sales)) problems.push(bill);
  beyondLimits(open.services.selling.line(), problems);
  atTheDevice(storm, sales);
  for (const live of open.services.selling.live()) recordResult(storm, live);
};

const stateText = (sale: Sale): string => (sale.at === 'ended' ? `${sale.ending} ${sale.reason}` : sale.at);

function* problemsOf({ world, run }: Storm, sale: Sale, isOver: boolean): Generator<string> {
  const { sale: id, operation } = sale.intent;
  const saleBookings = world.issuer.books.filter(
    (booking) => booking.merchantTransactionId === id && booking.code === APPROVED,
  );
  const { paymentType } = operations[operation];
  const ownBookings = saleBookings.filter((booking) => booking.paymentType === paymentType);
  const reversals = paymentType === 'RV' ? [] : saleBookings.filter((booking) => booking.paymentType === 'RV');
  if (ownBookings.length > 1) yield `${ownBookings.length} times in the gateway's books`;
  if (isOpen(sale)) {
    const isOpen = run.instance.running.ledger.openSales().includes(id);
    if (!isOpen) yield 'open but not listed';
    const needsPerson = sale.intent.by === 'terminal';
    if (isOver && !needsPerson) yield 'still open, though everything works again';
    return;
  }
  if (sale.intent.by === 'terminal') return;
  const bookedMinor = sum(ownBookings) - sum(reversals);
  const expectedMinor = expectedBooking(sale, bookedMinor);
  if (bookedMinor !== expectedMinor) yield `the till holds ${expectedMinor}, the gateway ${bookedMinor}`;
}

/** The third terminal's own books; while something is open they cannot be compared. */
const atTheDevice = ({ world: { device }, problems }: Storm, sales: readonly Sale[]): void => {
  const ownSales = sales.filter(({ intent }) => intent.by === 'terminal');
  if (ownSales.some(isOpen)) return;
  const till = ownSales
    .filter((sale) => sale.at === 'ended' && sale.ending === 'approved')
    .reduce((all, sale) => all + (sale.intent.operation === 'sale' ? 1n : -1n) * chargedOn(sale).minor, 0n);
  const bookedMinor = device.books
    .filter(({ reversed }) => !reversed)
    .reduce((all, { kind, amount }) => all + (kind === 'pay' ? 1n : -1n) * amount.minor, 0n);
  if (till !== bookedMinor)
    problems.push(`the till holds ${till} at the third terminal, and its own books ${bookedMinor}`);
};

/** The amount that the till says it holds. A void returns whatever was left of the sale. */
const expectedBooking = (sale: Sale, bookedMinor: bigint): bigint => {
  if (sale.at !== 'ended' || sale.ending !== 'approved' || sale.reason === 'voidedBeforeSending') return 0n;
  const { operation, amount } = sale.intent;
  if (operation === 'void' || operation === 'release') return bookedMinor === 0n ? -1n : bookedMinor;
  return (sale.answer?.approved ?? amount).minor;
};

/** The charges for a bill never exceed the bill and its tips. */
function* billsOf(sales: readonly Sale[]): Generator<string> {
  const billPayments = sales.filter(({ intent, ...sale }) => intent.bill && sale.at === 'ended' && 'ending' in sale);
  for (const [id, legs] of Map.groupBy(billPayments, ({ intent }) => intent.bill?.id)) {
    const total = legs[0]?.intent.bill?.total.minor ?? 0n;
    const paidMinor = legs
      .filter((leg) => leg.at === 'ended' && leg.ending === 'approved')
      .reduce(
        (all, { intent, answer }) => all + (answer?.approved ?? intent.amount).minor - (intent.tip?.minor ?? 0n),
        0n,
      );
    const undone = sales.filter(
      (one) => one.intent.operation === 'void' && legs.some(({ intent }) => intent.sale === one.intent.follows?.sale),
    );
    if (undone.length === 0 && paidMinor > total) yield `the bill ${id} of ${total} was paid by ${paidMinor}`;
  }
}

/** The counters share the offline limit and together stay within it. */
const beyondLimits = (
  { offline: { used: usedAmount, most: limitAmount, count } }: LineState,
  problems: string[],
): void => {
  if (usedAmount !== undefined && limitAmount !== undefined && minorOf(usedAmount) > minorOf(limitAmount))
    problems.push(`${usedAmount.amount} are out offline, of at most ${limitAmount.amount}`);
  if (count !== undefined && count < 0) problems.push(`${-count} sales too many are out offline`);
};

/** An approval or a decline is final. An offline sale may end differently, and an unknown one gets its ending. */
const recordResult = ({ replies, problems }: Storm, { id, result }: LiveSale): void => {
  if (result === undefined) return;
  const { ending, state } = result;
  const earlierEnding = replies.get(id);
  if (earlierEnding !== undefined && earlierEnding !== ending && earlierEnding !== 'unknown')
    problems.push(`the cashier saw ${earlierEnding} for ${id}, and then ${ending}`);
  if (state !== 'offline' && ending !== 'unknown') replies.set(id, ending);
};
