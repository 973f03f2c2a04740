/** X and Z reports: counts and sums of the sales of one batch, by currency. Pure. */
import type { Mode } from '../base/mode.ts';
import { exponentOf } from '../base/money.ts';
import type { Operation, ProgramKey } from '../till/machine/facts.ts';
import type { BusinessDay } from './business-day.ts';
import type { OpenMoney, UnpaidMoney } from './open-money.ts';
import { accountOf, addBuckets, type Buckets, buckets, empty, type LedgerAccount } from './whereabouts.ts';

/** A sale in the books. Amounts in minor units of its currency. */
export type BookLine = {
  readonly sale: string;
  readonly receipt: number;
  readonly at: number;
  readonly operation: Operation;
  readonly currency: string;
  /** The requested amount of this operation. */
  readonly asked: bigint;
  /** The amount by place. A pre-authorisation includes its increments, which then have none of their own. */
  readonly intended: bigint;
  readonly beyond: bigint;
  readonly buckets: Buckets;
  /** What this operation itself moved, without its follow-ups: negative for money given back, 0 for a hold. */
  readonly moved: bigint;
  readonly tip: bigint;
  /** VISA, MASTER and so on, as in the host API; OTHER when unknown. */
  readonly brand: string;
  readonly entryMode: string;
  readonly cashier: string;
  /** Set when the cashier is a program: who is responsible for its key. */
  readonly program?: ProgramKey;
  readonly offline: boolean;
  readonly ending: 'approved' | 'declined' | 'notSent' | 'unknown' | 'underWay';
  /** A terminal authorised it by itself, so the gateway does not know it. */
  readonly byTerminal?: true;
  /** The till learned of this sale from the gateway. */
  readonly learned?: true;
  /** Set while the sale is not finished: a close has to wait for it. */
  readonly open?: Omit<OpenMoney, 'sale' | 'receipt'>;
};

export type Counted = { readonly name: string; readonly count: number; readonly sum: string };
/** A program has one row for each combination of people responsible for its key. */
export type CashierCounted = Counted & { readonly program?: ProgramKey };

export type CurrencyReport = {
  readonly currency: string;
  /** The amount moved: charges minus returns. */
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
  /** Where the money of every intent is: the places of an account add up to the intended amount. */
  readonly places: readonly {
    readonly account: LedgerAccount;
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

export type XReport = {
  /** Tells whether real money was moved. */
  readonly mode: Mode;
  readonly number: number;
  readonly terminalId: string;
  readonly batch: number;
  readonly day: BusinessDay;
  readonly openedAt: string;
  readonly at: string;
  readonly report: Report;
  /** Sales of any batch that were taken offline and are unpaid at this time. */
  readonly unpaid?: readonly UnpaidMoney[];
  /**
   * How many of its sales were learned from the gateway: reports missing from this journal may have counted them
   * already.
   */
  readonly learned?: number;
  /** Since the last start the gateway has not been asked whether it knows more about this till than the journal. */
  readonly notCompared?: true;
  readonly hash: string;
};

/** The sum of lines in one currency that share all reported properties. Minor units. */
export type LineSum = Pick<
  BookLine,
  'currency' | 'operation' | 'brand' | 'entryMode' | 'cashier' | 'program' | 'ending' | 'offline'
> & {
  /** Whether the outcome of these lines is still unknown. */
  readonly isUnknown: boolean;
  readonly byTerminal: boolean;
  readonly learned: boolean;
} & LineAmounts;

/** The number of lines, of those that moved money, took money, had a tip or were never sent; and their sums. */
export type LineAmounts = {
  readonly count: number;
  readonly moving: number;
  readonly taking: number;
  readonly tips: number;
  readonly unsent: number;
  readonly asked: bigint;
  readonly moved: bigint;
  readonly tip: bigint;
  readonly intended: bigint;
  readonly beyond: bigint;
  readonly buckets: Buckets;
};

export const sumOfLine = (line: BookLine): LineSum => {
  const { currency, operation, brand, entryMode, cashier, program, ending, offline, open, ...rest } = line;
  const { asked, moved, intended, beyond, buckets: held } = rest;
  return {
    currency,
    operation,
    brand,
    entryMode,
    cashier,
    ending,
    offline,
    program,
    isUnknown: open?.place === 'unknown',
    byTerminal: rest.byTerminal === true,
    learned: rest.learned === true,
    count: 1,
    moving: moved === 0n ? 0 : 1,
    taking: moved > 0n ? 1 : 0,
    tips: rest.tip > 0n ? 1 : 0,
    unsent: held.notSent > 0n ? 1 : 0,
    asked,
    moved,
    intended,
    beyond,
    buckets: held,
    tip: rest.tip > 0n ? rest.tip : 0n,
  };
};

export type ReceiptRange = { readonly first: number; readonly last: number };

export const reportOf = (lines: readonly BookLine[]): Report =>
  reportOfSums(lines.map(sumOfLine), receiptsOf(lines.map(({ receipt }) => receipt)));

const receiptsOf = (receipts: readonly number[]): ReceiptRange | undefined =>
  receipts.length === 0 ? undefined : { first: receipts.reduce(lowerOf, Infinity), last: receipts.reduce(higherOf, 0) };

const lowerOf = (left: number, right: number): number => Math.min(left, right);
const higherOf = (left: number, right: number): number => Math.max(left, right);

/** Builds the report from sums in any order. `receipts` is the range of all lines. */
export const reportOfSums = (sums: readonly LineSum[], receipts: ReceiptRange | undefined): Report => {
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  return {
    sales: sums.reduce((all, { count }) => all + count, 0),
    receipts,
    currencies: currencies.map((currency) =>
      ofCurrency(
        currency,
        sums.filter((one) => one.currency === currency),
      ),
    ),
  };
};

/** Operations that move nothing themselves count with their requested amount. */
const isReserved = ({ operation }: LineSum): boolean => ['holds', 'releases'].includes(accountOf[operation]);

/** A separator that no name contains, since it is a control character; it sorts before all others. */
const BETWEEN = '\0';

/** One key for each seller: the cashier, and for a program also the people responsible for its key. */
const sellerOf = ({ cashier, program }: LineSum): string =>
  program === undefined ? cashier : [cashier, program.madeBy, program.approvedBy].join(BETWEEN);

const sellerIn = (text: string): Pick<CashierCounted, 'name' | 'program'> => {
  const [name = '', madeBy, approvedBy] = text.split(BETWEEN);
  if (madeBy === undefined) return { name };
  return { name, program: { madeBy: madeBy || undefined, approvedBy: approvedBy || undefined } };
};

type Value<Of> = (sum: LineSum) => Of;

const total = (sums: readonly LineSum[], value: Value<bigint>): bigint =>
  sums.reduce((all, one) => all + value(one), 0n);

const ofCurrency = (currency: string, sums: readonly LineSum[]): CurrencyReport => {
  const counted = (
    name: string,
    group: readonly LineSum[],
    { count = (one) => one.count, sum }: { count?: Value<number>; sum: Value<bigint> },
  ): Counted => ({
    name,
    count: group.reduce((all, one) => all + count(one), 0),
    sum: decimal(total(group, sum), currency),
  });
  const moved: Value<bigint> = (one) => one.moved;
  const groupBy = (key: Value<string>, group: readonly LineSum[]): Counted[] =>
    [...new Set(group.map(key))].sort().map((name) =>
      counted(
        name,
        group.filter((one) => key(one) === name),
        { count: ({ moving }) => moving, sum: moved },
      ),
    );
  const done = sums.filter(({ ending }) => ending === 'approved');
  const moving = done.filter((one) => one.moving > 0);
  const request: Value<bigint> = (one) => one.asked;
  const of = (...operations: Operation[]) => done.filter(({ operation }) => operations.includes(operation));
  return {
    currency,
    net: decimal(total(done, moved), currency),
    operations: [...new Set(done.map(({ operation }) => operation))]
      .sort()
      .map((name) => counted(name, of(name), { sum: (one) => (isReserved(one) ? one.asked : one.moved) })),
    brands: groupBy(({ brand }) => brand, moving),
    entryModes: groupBy(({ entryMode }) => entryMode, moving),
    cashiers: groupBy(sellerOf, moving).map(({ name, ...rest }) => ({ ...sellerIn(name), ...rest })),
    tips: counted('tips', done, { count: ({ tips }) => tips, sum: ({ tip }) => tip }),
    refunds: counted('refunds', of('refund', 'credit'), { sum: moved }),
    voids: counted('voids', of('void'), { sum: moved }),
    offline: counted(
      'offline',
      sums.filter(({ offline }) => offline),
      { sum: request },
    ),
    declined: counted(
      'declined',
      sums.filter(({ ending }) => ending === 'declined'),
      { sum: request },
    ),
    unknown: counted(
      'unknown',
      sums.filter(({ isUnknown }) => isUnknown),
      { sum: request },
    ),
    notSent: counted('notSent', sums, { count: ({ unsent }) => unsent, sum: unsentIn }),
    places: placesOf(sums, currency),
  };
};

const unsentIn: Value<bigint> = ({ buckets: { notSent } }) => notSent;

const placesOf = (sums: readonly LineSum[], currency: string): CurrencyReport['places'] => {
  const accounts = [...new Set(sums.map(({ operation }): LedgerAccount => accountOf[operation]))].sort();
  return accounts.map((account) => {
    const group = sums.filter(({ operation }) => accountOf[operation] === account);
    const all = group.reduce((sum, one) => addBuckets(sum, one.buckets), empty);
    return {
      account,
      intended: decimal(
        total(group, ({ intended }) => intended),
        currency,
      ),
      beyond: decimal(
        total(group, ({ beyond }) => beyond),
        currency,
      ),
      buckets: Object.fromEntries(
        buckets.flatMap((name) => (all[name] === 0n ? [] : [[name, decimal(all[name], currency)]])),
      ),
    };
  });
};

/** `-12.50`: signed, with the currency's decimals. */
export const decimal = (minor: bigint, currency: string): string => {
  const places = exponentOf(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};
