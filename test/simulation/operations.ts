/** What cashiers do, one row each: a new operation of the till is a new row here. */
import { isFault } from '../../src/base/fault.ts';
import type { Money } from '../../src/base/money.ts';
import { billOfSale } from '../../src/ledger/bills.ts';
import type { FollowRequest, FollowUp } from '../../src/till/follow-ups.ts';
import type { Operation } from '../../src/till/machine/facts.ts';
import type { ProgressListener, Running } from '../../src/till/running.ts';
import type { Till } from '../../src/till/till.ts';
import { cardOf, GIFT_MARK } from './cards.ts';
import { type DayAction, euros } from './day-action.ts';
import type { Row } from './day-rows.ts';
import { saleOf } from './ledger-check.ts';
import { signIn } from './signed-in-people.ts';
import type { Station } from './station.ts';

/** Between one cent and sixty euros. The issuer declines amounts that end in 3. */
const amountOf = ({ a }: Row): number => (a % 6_000) + 1;
const money = (minor: number) => ({ minor: BigInt(minor), currency: 'EUR' });
/** The cashier cancels one sale in seven, up to twelve seconds after its start. */
const cancelAfterMs = ({ b }: Row): number | undefined => (b % 7 === 0 ? (b * 13) % 12_000 : undefined);
const cancelled = (row: Row): string => {
  const ms = cancelAfterMs(row);
  return ms === undefined ? '' : `, and cancels after ${(ms / 1000).toFixed(1)} s`;
};

/** Starts the sale, waits for its ending, and records what the cashier sees. Returns the sale. */
const run = async (
  station: Station,
  row: Row,
  begin: (notify: ProgressListener) => Running | undefined,
): Promise<string | undefined> => {
  const running = attempt(() => begin(watcher(row)));
  if (running === undefined) return undefined;
  const ms = cancelAfterMs(row);
  if (ms !== undefined) station.run.clock.after(ms, () => running.cancel());
  const sale = await running.done;
  station.hears(running.sale, sale);
  // The next customer.
  await station.wait(1_000 + (row.b % 20) * 1_000);
  return running.sale;
};

/** The cashier who is signed in. */
const by = ({ cashier }: Station) => (cashier === undefined ? {} : { cashier });

/** The till refuses impossible operations: not every row fits every day. */
const attempt = <T>(begin: () => T): T | undefined => {
  try {
    return begin();
  } catch (error) {
    if (isFault(error, 'terminal.cannot')) return undefined;
    if (isFault(error) && error.code.startsWith('till.') && error.code !== 'till.unresolved') return undefined;
    throw error;
  }
};

/** The sale's own end also reports a disk that fails at that moment. */
const unlessUnwritten = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!isFault(error, 'journal.unwritable')) throw error;
  }
};

/** An observer can fail at any moment; that must change nothing. */
const watcher =
  ({ b }: Row): ProgressListener =>
  () => {
    if (b % 29 === 0) throw new Error('the screen failed');
  };

/** The receipt of one of the latest approved sales of this kind. */
const earlier = ({ run }: Station, { b }: Row, kinds: readonly Operation[]): number | undefined => {
  const fit = run.running.ledger
    .sales(LOOKS_BACK)
    .filter((sale) => sale.at === 'ended' && sale.ending === 'approved' && kinds.includes(sale.intent.operation));
  return fit[b % Math.max(1, Math.min(4, fit.length))]?.intent.receipt;
};

const LOOKS_BACK = 16;

const partOf = ({ a, b }: Row) => (b % 3 === 0 ? {} : { amount: money((a % 500) + 1) });
const partSaid = (row: Row): string => {
  const { amount } = partOf(row);
  return amount === undefined ? 'all' : euros(Number(amount.minor));
};
/** One in five has a tip. */
const tipOf = ({ a, b }: Row) => (b % 5 === 0 ? { tip: money((a % 300) + 1) } : {});
const tipSaid = (row: Row): string => (row.b % 5 === 0 ? ` with a tip of ${euros((row.a % 300) + 1)}` : '');

/** Starts with a card. */
const withCard = (
  share: number,
  text: string,
  begin: (station: Station, row: Row, watch: ProgressListener) => Running,
): DayAction => ({
  share,
  describe: (row) => `${text} ${euros(amountOf(row))}${tipSaid(row)}, ${cardOf(row.b)}${cancelled(row)}`,
  play(station, row) {
    station.faults.card = cardOf(row.b);
    return run(station, row, (watch) => begin(station, row, watch));
  },
});

/** The maximum number of cards for one bill. */
const LEGS_MOST = 3;

/** For one bill in three the issuer approves only a part. */
const billOver = (row: Row): number => {
  const amount = amountOf(row);
  return row.a % 3 === 0 ? amount - (amount % 100) + 177 : amount + 100;
};

/** The first card pays what it can, and the others pay the rest. */
const splitBill = async (station: Station, row: Row): Promise<void> => {
  const total = money(billOver(row));
  const bill = { id: station.ids.next(), total };
  const { running } = station.run;
  const books = { ledger: running.ledger, journal: running.journal, config: running.config };
  let left: Money | undefined = total;
  for (let leg = 0; leg < LEGS_MOST && left !== undefined && left.minor > 0n; leg++) {
    const requested = leg === 0 && row.a % 3 !== 0 ? money(Number(left.minor / 2n)) : left;
    station.faults.card = cardOf(row.b + leg);
    const paid: string | undefined = await run(station, row, (watch) =>
      running.till.sell({ amount: requested, partial: true, bill, ...by(station) }, watch),
    );
    const sale = paid === undefined ? undefined : saleOf(station, paid);
    if (sale === undefined) return;
    station.bills.set(bill.id, Number(total.minor));
    left = billOfSale(books, sale)?.left;
  }
};

type Follow = { share: number; operation: FollowUp; of: readonly Operation[]; says(row: Row): string };

/** Follows an earlier payment. */
const following = ({ share, operation, of, says }: Follow, more: (row: Row) => Partial<FollowRequest>): DayAction => ({
  share,
  describe: (row) => `${says(row)}, ${row.b % 4 === 0 ? 'the last' : 'an earlier one'}`,
  play: (station, row) =>
    run(station, row, (watch) => {
      const receipt = earlier(station, row, of);
      if (receipt === undefined) return undefined;
      return station.run.running.till.follow({ receipt, operation, ...more(row), ...by(station) }, watch);
    }),
});

const paid = (station: Station, row: Row) => ({ amount: money(amountOf(row)), ...tipOf(row), ...by(station) });
const tillOf = ({ run }: Station): Till => run.running.till;

export const operations: Readonly<Record<string, DayAction>> = {
  sell: withCard(60, 'sells for', (station, row, watch) =>
    tillOf(station).sell({ ...paid(station, row), partial: row.a % 4 === 0 || undefined }, watch),
  ),
  preauthorise: withCard(9, 'holds', (station, row, watch) => tillOf(station).preauthorise(paid(station, row), watch)),
  credit: withCard(2, 'gives to a card', (station, row, watch) =>
    tillOf(station).credit({ amount: money(amountOf(row)), ...by(station) }, watch),
  ),
  openSale: {
    share: 5,
    describe: (row) => `reads the card first, then enters ${euros(amountOf(row))}, ${cardOf(row.b)}${cancelled(row)}`,
    play(station, row) {
      station.faults.card = cardOf(row.b);
      const { till } = station.run.running;
      return run(station, row, (watch) => {
        const running = till.openSale({ currency: 'EUR', ...by(station) }, watch);
        station.run.clock.after((row.a % 50) * 100, () => {
          attempt(() => unlessUnwritten(() => running.setAmount(money(amountOf(row)))));
        });
        // A sale without an amount waits forever: in the end the cashier cancels it.
        station.run.clock.after(GIVES_UP_MS, () => running.cancel());
        return running;
      });
    },
  },
  splitBill: {
    share: 4,
    describe: (row) => `splits a bill of ${euros(billOver(row))}, ${cardOf(row.b)} first${cancelled(row)}`,
    play: splitBill,
  },
  signIn,
  giftCard: {
    share: 4,
    describe: (row) => `takes a gift card for ${euros(amountOf(row))}${cancelled(row)}`,
    play: (station, row) =>
      run(station, row, (watch) => {
        const card = { number: GIFT_MARK, pin: '4711' };
        const partial = row.b % 2 === 0;
        return station.run.running.till.payByGiftCard(
          { ...card, amount: money(amountOf(row)), partial, ...by(station) },
          watch,
        );
      }),
  },
  refund: following(
    { share: 12, operation: 'refund', of: ['sale', 'completion'], says: (row) => `gives back ${partSaid(row)}` },
    partOf,
  ),
  void: following({ share: 9, operation: 'void', of: ['sale', 'credit'], says: () => 'voids a sale' }, () => ({})),
  increment: following(
    { share: 4, operation: 'increment', of: ['preauthorisation'], says: (row) => `holds ${euros(amountOf(row))} more` },
    (row) => ({ amount: money(amountOf(row)) }),
  ),
  completion: following(
    {
      share: 8,
      operation: 'completion',
      of: ['preauthorisation'],
      says: (row) => `charges ${partSaid(row)} of a hold`,
    },
    (row) => ({ ...partOf(row), ...(row.b % 3 !== 0 && tipOf(row)) }),
  ),
  release: following(
    { share: 4, operation: 'release', of: ['preauthorisation'], says: () => 'releases a hold' },
    () => ({}),
  ),
};

const GIVES_UP_MS = 300_000;
