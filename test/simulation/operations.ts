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
  start: (notify: ProgressListener) => Running | undefined,
): Promise<string | undefined> => {
  const operation = attempt(() => start(watcher(row)));
  if (operation === undefined) return undefined;
  const ms = cancelAfterMs(row);
  if (ms !== undefined) station.run.clock.after(ms, () => operation.cancel());
  const sale = await operation.done;
  station.onEnded(operation.sale, sale);
  // The next customer.
  await station.wait(1_000 + (row.b % 20) * 1_000);
  return operation.sale;
};

/** The cashier who is signed in. */
const cashierOf = ({ cashier }: Station) => (cashier === undefined ? {} : { cashier });

/** Undefined if the till refuses an impossible operation: not every row fits every day. */
const attempt = <T>(start: () => T): T | undefined => {
  try {
    return start();
  } catch (error) {
    if (isFault(error, 'terminal.cannot')) return undefined;
    if (isFault(error) && error.code.startsWith('till.') && error.code !== 'till.unresolved') return undefined;
    throw error;
  }
};

/** Ignores a disk that fails at that moment: the ending of the sale reports it too. */
const ignoreUnwritten = (work: () => void): void => {
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
const receiptOf = ({ run }: Station, { b }: Row, kinds: readonly Operation[]): number | undefined => {
  const candidates = run.running.ledger
    .sales(LOOKS_BACK)
    .filter((sale) => sale.at === 'ended' && sale.ending === 'approved' && kinds.includes(sale.intent.operation));
  return candidates[b % Math.max(1, Math.min(4, candidates.length))]?.intent.receipt;
};

const LOOKS_BACK = 16;

const partOf = ({ a, b }: Row) => (b % 3 === 0 ? {} : { amount: money((a % 500) + 1) });
const partText = (row: Row): string => {
  const { amount } = partOf(row);
  return amount === undefined ? 'all' : euros(Number(amount.minor));
};
/** One sale in five has a tip. */
const tipOf = ({ a, b }: Row) => (b % 5 === 0 ? { tip: money((a % 300) + 1) } : {});
const tipText = (row: Row): string => (row.b % 5 === 0 ? ` with a tip of ${euros((row.a % 300) + 1)}` : '');

/** An action that starts with a customer's card. */
const withCard = (
  share: number,
  text: string,
  start: (station: Station, row: Row, notify: ProgressListener) => Running,
): DayAction => ({
  share,
  describe: (row) => `${text} ${euros(amountOf(row))}${tipText(row)}, ${cardOf(row.b)}${cancelled(row)}`,
  play(station, row) {
    station.faults.card = cardOf(row.b);
    return run(station, row, (notify) => start(station, row, notify));
  },
});

/** The maximum number of cards for one bill. */
const LEGS_MOST = 3;

/** For one bill in three the issuer approves only a part. */
const billTotal = (row: Row): number => {
  const amount = amountOf(row);
  return row.a % 3 === 0 ? amount - (amount % 100) + 177 : amount + 100;
};

/** The first card pays what it can, and the others pay the rest. */
const splitBill = async (station: Station, row: Row): Promise<void> => {
  const total = money(billTotal(row));
  const bill = { id: station.ids.next(), total };
  const { running } = station.run;
  const books = { ledger: running.ledger, journal: running.journal, config: running.config };
  let remaining: Money | undefined = total;
  for (let leg = 0; leg < LEGS_MOST && remaining !== undefined && remaining.minor > 0n; leg++) {
    const requested = leg === 0 && row.a % 3 !== 0 ? money(Number(remaining.minor / 2n)) : remaining;
    station.faults.card = cardOf(row.b + leg);
    const paidSale: string | undefined = await run(station, row, (notify) =>
      running.till.sell({ amount: requested, partial: true, bill, ...cashierOf(station) }, notify),
    );
    const sale = paidSale === undefined ? undefined : saleOf(station, paidSale);
    if (sale === undefined) return;
    station.bills.set(bill.id, Number(total.minor));
    remaining = billOfSale(books, sale)?.left;
  }
};

type Follow = { share: number; operation: FollowUp; follows: readonly Operation[]; text(row: Row): string };

/** An action that follows an earlier payment. */
const followUp = (
  { share, operation, follows, text }: Follow,
  extra: (row: Row) => Partial<FollowRequest>,
): DayAction => ({
  share,
  describe: (row) => `${text(row)}, ${row.b % 4 === 0 ? 'the last' : 'an earlier one'}`,
  play: (station, row) =>
    run(station, row, (notify) => {
      const receipt = receiptOf(station, row, follows);
      if (receipt === undefined) return undefined;
      return station.run.running.till.follow({ receipt, operation, ...extra(row), ...cashierOf(station) }, notify);
    }),
});

const saleInput = (station: Station, row: Row) => ({
  amount: money(amountOf(row)),
  ...tipOf(row),
  ...cashierOf(station),
});
const tillOf = ({ run }: Station): Till => run.running.till;

export const operations: Readonly<Record<string, DayAction>> = {
  sell: withCard(60, 'sells for', (station, row, notify) =>
    tillOf(station).sell({ ...saleInput(station, row), partial: row.a % 4 === 0 || undefined }, notify),
  ),
  preauthorise: withCard(9, 'holds', (station, row, notify) =>
    tillOf(station).preauthorise(saleInput(station, row), notify),
  ),
  credit: withCard(2, 'gives to a card', (station, row, notify) =>
    tillOf(station).credit({ amount: money(amountOf(row)), ...cashierOf(station) }, notify),
  ),
  openSale: {
    share: 5,
    describe: (row) => `reads the card first, then enters ${euros(amountOf(row))}, ${cardOf(row.b)}${cancelled(row)}`,
    play(station, row) {
      station.faults.card = cardOf(row.b);
      const { till } = station.run.running;
      return run(station, row, (notify) => {
        const runningSale = till.openSale({ currency: 'EUR', ...cashierOf(station) }, notify);
        station.run.clock.after((row.a % 50) * 100, () => {
          attempt(() => ignoreUnwritten(() => runningSale.setAmount(money(amountOf(row)))));
        });
        // A sale without an amount waits forever: in the end the cashier cancels it.
        station.run.clock.after(GIVES_UP_MS, () => runningSale.cancel());
        return runningSale;
      });
    },
  },
  splitBill: {
    share: 4,
    describe: (row) => `splits a bill of ${euros(billTotal(row))}, ${cardOf(row.b)} first${cancelled(row)}`,
    play: splitBill,
  },
  signIn,
  giftCard: {
    share: 4,
    describe: (row) => `takes a gift card for ${euros(amountOf(row))}${cancelled(row)}`,
    play: (station, row) =>
      run(station, row, (notify) => {
        const card = { number: GIFT_MARK, pin: '4711' };
        const partial = row.b % 2 === 0;
        return station.run.running.till.payByGiftCard(
          { ...card, amount: money(amountOf(row)), partial, ...cashierOf(station) },
          notify,
        );
      }),
  },
  refund: followUp(
    { share: 12, operation: 'refund', follows: ['sale', 'completion'], text: (row) => `gives back ${partText(row)}` },
    partOf,
  ),
  void: followUp({ share: 9, operation: 'void', follows: ['sale', 'credit'], text: () => 'voids a sale' }, () => ({})),
  increment: followUp(
    {
      share: 4,
      operation: 'increment',
      follows: ['preauthorisation'],
      text: (row) => `holds ${euros(amountOf(row))} more`,
    },
    (row) => ({ amount: money(amountOf(row)) }),
  ),
  completion: followUp(
    {
      share: 8,
      operation: 'completion',
      follows: ['preauthorisation'],
      text: (row) => `charges ${partText(row)} of a hold`,
    },
    (row) => ({ ...partOf(row), ...(row.b % 3 !== 0 && tipOf(row)) }),
  ),
  release: followUp(
    { share: 4, operation: 'release', follows: ['preauthorisation'], text: () => 'releases a hold' },
    () => ({}),
  ),
};

const GIVES_UP_MS = 300_000;
