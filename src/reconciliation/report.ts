/** X and Z reports: counts and sums of the sales of one batch, for each currency. Pure. */
import { exponentOf } from '../base/money.ts';
import type { Operation, ProgramKey } from '../till/facts.ts';
import type { OpenMoney } from './open-money.ts';
import { type Account, accountOf, addBuckets, type Buckets, buckets, empty } from './whereabouts.ts';

/** One sale as the books see it. Minor units of its currency. */
export type BookLine = {
  readonly sale: string;
  readonly receipt: number;
  readonly at: number;
  readonly operation: Operation;
  readonly currency: string;
  /** What this one asked for. */
  readonly asked: bigint;
  /** What its places hold: of a preauthorisation with its increments, which have nothing of their own then. */
  readonly intended: bigint;
  readonly beyond: bigint;
  readonly buckets: Buckets;
  /** What was moved by itself, before anything followed: negative for money given back, 0 for a hold. */
  readonly moved: bigint;
  readonly tip: bigint;
  /** VISA, MASTER … as the host API names them; OTHER where nobody could tell. */
  readonly brand: string;
  readonly entryMode: string;
  readonly cashier: string;
  /** The cashier is a program: who stands for its key. */
  readonly program?: ProgramKey;
  readonly offline: boolean;
  readonly ending: 'approved' | 'declined' | 'notSent' | 'unknown' | 'underWay';
  /** Not at an end: what a close has to wait for. */
  readonly open?: Omit<OpenMoney, 'sale' | 'receipt'>;
};

export type Counted = { readonly name: string; readonly count: number; readonly sum: string };
/** A program has a row for each of those who stood for its key. */
export type CashierCounted = Counted & { readonly program?: ProgramKey };

export type CurrencyReport = {
  readonly currency: string;
  /** What was moved: charges less returns. */
  readonly net: string;
  readonly operations: readonly Counted[];
  readonly brands: readonly Counted[];
  readonly entryModes: readonly Counted[];
  readonly cashiers: readonly CashierCounted[];
  readonly tips: Counted;
  readonly refunds: Counted;
  readonly voids: Counted;
  readonly offline: Counted;
  readonly declined: Counted;
  readonly unknown: Counted;
  readonly notSent: Counted;
  /** Where the money of every intent is: the places of an account add up to what was intended. */
  readonly places: readonly {
    readonly account: Account;
    readonly intended: string;
    readonly beyond: string;
    readonly buckets: Readonly<Record<string, string>>;
  }[];
};

export type Report = {
  readonly sales: number;
  readonly receipts?: { readonly first: number; readonly last: number };
  readonly currencies: readonly CurrencyReport[];
};

export const reportOf = (lines: readonly BookLine[]): Report => {
  const receipts = lines.map(({ receipt }) => receipt);
  const currencies = [...new Set(lines.map(({ currency }) => currency))].sort();
  return {
    sales: lines.length,
    ...(lines.length > 0 && {
      receipts: { first: receipts.reduce(lower, Infinity), last: receipts.reduce(higher, 0) },
    }),
    currencies: currencies.map((currency) =>
      ofCurrency(
        currency,
        lines.filter((line) => line.currency === currency),
      ),
    ),
  };
};

const lower = (left: number, right: number): number => Math.min(left, right);
const higher = (left: number, right: number): number => Math.max(left, right);

/** Moves nothing by itself: what counts of it is what was asked for. */
const isReserved = ({ operation }: BookLine): boolean => ['holds', 'releases'].includes(accountOf[operation]);

/** Names have no control characters, and this one comes before all else that is sorted. */
const BETWEEN = '\0';

/** One text for whoever sold: the cashier, and of a program those who stand for its key. */
const sellerOf = ({ cashier, program }: BookLine): string =>
  program === undefined ? cashier : [cashier, program.madeBy, program.approvedBy].join(BETWEEN);

const sellerIn = (text: string): Pick<CashierCounted, 'name' | 'program'> => {
  const [name = '', madeBy, approvedBy] = text.split(BETWEEN);
  if (madeBy === undefined) return { name };
  return { name, program: { ...(madeBy && { madeBy }), ...(approvedBy && { approvedBy }) } };
};

const ofCurrency = (currency: string, lines: readonly BookLine[]): CurrencyReport => {
  const counted = (name: string, some: readonly BookLine[], value: (line: BookLine) => bigint): Counted => ({
    name,
    count: some.length,
    sum: decimal(
      some.reduce((sum, line) => sum + value(line), 0n),
      currency,
    ),
  });
  const by = (key: (line: BookLine) => string, some: readonly BookLine[]): Counted[] =>
    [...new Set(some.map(key))].sort().map((name) =>
      counted(
        name,
        some.filter((line) => key(line) === name),
        ({ moved }) => moved,
      ),
    );
  const done = lines.filter(({ ending }) => ending === 'approved');
  const moving = done.filter(({ moved }) => moved !== 0n);
  const asked = ({ asked: minor }: BookLine) => minor;
  const of = (...operations: Operation[]) => done.filter(({ operation }) => operations.includes(operation));
  return {
    currency,
    net: counted('net', done, ({ moved }) => moved).sum,
    operations: [...new Set(done.map(({ operation }) => operation))]
      .sort()
      .map((name) => counted(name, of(name), (line) => (isReserved(line) ? line.asked : line.moved))),
    brands: by(({ brand }) => brand, moving),
    entryModes: by(({ entryMode }) => entryMode, moving),
    cashiers: by(sellerOf, moving).map(({ name, ...sums }) => ({ ...sellerIn(name), ...sums })),
    tips: counted(
      'tips',
      done.filter(({ tip }) => tip > 0n),
      ({ tip }) => tip,
    ),
    refunds: counted('refunds', of('refund', 'credit'), ({ moved }) => moved),
    voids: counted('voids', of('void'), ({ moved }) => moved),
    offline: counted(
      'offline',
      lines.filter(({ offline }) => offline),
      asked,
    ),
    declined: counted(
      'declined',
      lines.filter(({ ending }) => ending === 'declined'),
      asked,
    ),
    unknown: counted(
      'unknown',
      lines.filter(({ open }) => open?.place === 'unknown'),
      asked,
    ),
    notSent: counted(
      'notSent',
      lines.filter(({ buckets: { notSent } }) => notSent > 0n),
      ({ buckets: { notSent } }) => notSent,
    ),
    places: placesOf(lines, currency),
  };
};

const placesOf = (lines: readonly BookLine[], currency: string): CurrencyReport['places'] => {
  const accounts = [...new Set(lines.map(({ operation }): Account => accountOf[operation]))].sort();
  return accounts.map((account) => {
    const some = lines.filter(({ operation }) => accountOf[operation] === account);
    const total = some.reduce((sum, line) => addBuckets(sum, line.buckets), empty);
    const add = (value: (line: BookLine) => bigint) =>
      decimal(
        some.reduce((sum, line) => sum + value(line), 0n),
        currency,
      );
    return {
      account,
      intended: add(({ intended }) => intended),
      beyond: add(({ beyond }) => beyond),
      buckets: Object.fromEntries(
        buckets.flatMap((name) => (total[name] === 0n ? [] : [[name, decimal(total[name], currency)]])),
      ),
    };
  });
};

/** `-12.50`: signed, with the currency's own decimals. */
export const decimal = (minor: bigint, currency: string): string => {
  const places = exponentOf(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};
