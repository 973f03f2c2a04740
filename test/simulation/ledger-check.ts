/**
 * The ledger check compares a till's sales with the issuer's books. Each line is a rule of money and holds at every
 * moment: what is open is a listed unknown, and everything else adds up to the cent.
 */
import { isDeepStrictEqual } from 'node:util';
import { parseAmount } from '../../src/base/money.ts';
import { sumsAgree } from '../../src/ledger/conservation-index.ts';
import type { Operation } from '../../src/till/machine/facts.ts';
import { isOpen, replay, type Sale } from '../../src/till/machine/sale.ts';
import type { Booking } from '../support/till/issuer-books.ts';
import { wrongTables } from './derived-tables.ts';
import type { Station } from './station.ts';

const APPROVED = '000.100.110';
const types: Readonly<Record<Operation, string>> = {
  sale: 'DB',
  preauthorisation: 'PA',
  credit: 'CD',
  refund: 'RF',
  void: 'RV',
  increment: 'PA',
  completion: 'CP',
  release: 'RV',
};

export const saleOf = ({ run }: Station, id: string): Sale | undefined => replay(run.running.ledger.events(id));

const minorOf = ({ amount, currency }: Booking): bigint => parseAmount(amount, currency).minor;
const sum = (bookings: readonly Booking[]): bigint => bookings.reduce((all, each) => all + minorOf(each), 0n);

/** The sale as JSON stores it: in memory a key can be present and undefined. */
const written = (sale: Sale | undefined): unknown =>
  JSON.parse(JSON.stringify(sale ?? null, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)));

/** The state of a sale, in one or two words. */
export const stateText = (sale: Sale): string => (sale.at === 'ended' ? `${sale.ending} ${sale.reason}` : sale.at);

/** Checks the till's state of these sales. `isOver`: nothing is under way any more, and nothing may be open. */
export const checkSales = (station: Station, ids: Iterable<string>, isOver = false): void => {
  for (const id of ids) {
    const sale = saleOf(station, id);
    const steps = station.acknowledged.get(id) ?? 0;
    if (!isDeepStrictEqual(written(station.run.running.ledger.sale(id)), written(sale)))
      station.report(`the sale ${id} differs between memory and journal`);
    if (sale === undefined) {
      if (steps > 0) station.report(`the sale ${id} was acknowledged as written and is missing`);
      continue;
    }
    const text = `receipt ${sale.intent.receipt}, ${sale.intent.operation} (${stateText(sale)})`;
    for (const problem of problemsOf(station, sale, isOver)) station.report(`${text}: ${problem}`);
  }
};

function* problemsOf(station: Station, sale: Sale, isOver: boolean): Generator<string> {
  const { sale: id, operation } = sale.intent;
  const { issuer } = station.store;
  const stored = station.run.running.ledger.events(id).length;
  const steps = station.acknowledged.get(id) ?? 0;
  if (stored < steps) yield `${steps} steps were acknowledged as written, ${stored} are present`;
  const reportedEnding = station.replies.get(id);
  if (!isReplyKept(sale, reportedEnding)) yield `the cashier saw ${reportedEnding}`;
  const saleBookings = issuer.books.filter(
    ({ merchantTransactionId, code }) => merchantTransactionId === id && code === APPROVED,
  );
  const ownBookings = saleBookings.filter(({ paymentType }) => paymentType === types[operation]);
  const reversals =
    operation === 'void' || operation === 'release' ? [] : saleBookings.filter((each) => each.paymentType === 'RV');
  if (ownBookings.length > 1) yield `${ownBookings.length} times in the issuer's books`;
  if (isOpen(sale)) {
    if (isOver) yield 'still open, though everything works again';
    return;
  }
  if (sale.intent.by === 'terminal') return;
  const bookedMinor = sum(ownBookings) - sum(reversals);
  const expectedMinor = expectedBooking(sale, bookedMinor);
  if (bookedMinor !== expectedMinor) yield `the till holds ${expectedMinor}, the issuer ${bookedMinor}`;
}

/** An approval or a decline is final. Only an offline sale may end differently, and an unknown one gets its ending. */
const isReplyKept = (sale: Sale, text: string | undefined): boolean =>
  text === undefined ||
  text === 'unknown' ||
  (sale.at === 'ended' && (sale.ending === text || (text === 'approved' && endingsAfterStoring.has(sale.reason))));

/** The possible ends of a sale or a follow-up that was stored and sent later. */
const endingsAfterStoring: ReadonlySet<string> = new Set([
  'declinedOnForwarding',
  'storedRefused',
  'voidedBeforeSending',
  'nothingToFollow',
]);

/** The amount that the till says it holds. A void returns whatever was left of the sale. */
const expectedBooking = (sale: Sale, bookedMinor: bigint): bigint => {
  if (sale.at !== 'ended' || sale.ending !== 'approved') return 0n;
  const { operation, amount } = sale.intent;
  if (sale.reason === 'voidedBeforeSending') return 0n;
  if (operation === 'void' || operation === 'release') return bookedMinor === 0n ? -1n : bookedMinor;
  return (sale.answer?.approved ?? amount).minor;
};

/** Every acknowledged step is present after a restart, and none is half written. */
export const checkJournal = (station: Station): void => {
  const { sql } = station.run.running.journal;
  const rows = sql.all('SELECT subject, count(*) AS n FROM entry GROUP BY subject');
  const stored = new Map(rows.map(({ subject, n }) => [String(subject), Number(n)]));
  for (const [sale, steps] of station.acknowledged)
    if ((stored.get(sale) ?? 0) < steps)
      station.report(`of ${steps} acknowledged steps of ${sale} ${stored.get(sale) ?? 0} are left`);
  for (const { sale } of sql.all('SELECT DISTINCT sale FROM message'))
    if (!stored.has(String(sale))) station.report(`a message of ${sale} is present, but no step of it is`);
  const knownNames = new Set(station.run.running.staff.people().map(({ name }) => name));
  for (const name of station.people) if (!knownNames.has(name)) station.report(`${name} was added and is forgotten`);
  if (!sumsAgree(sql)) station.report('the running sums differ from all sales');
  for (const problem of wrongTables(station.run)) station.report(problem);
};
