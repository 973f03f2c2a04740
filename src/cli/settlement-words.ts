/** A settlement batch as people and scripts read it. */
import { dateTime } from '../base/clock.ts';
import { printMoney } from '../base/money.ts';
import type { Settlement } from '../gateway/reports/store/settlement-store.ts';
import type { Store } from '../gateway/store/store.ts';
import { count } from './till-options.ts';

export type BatchSums = {
  readonly id: string;
  readonly date: string;
  readonly madeAt: string;
  readonly closed: boolean;
  readonly sums: readonly {
    readonly currency: string;
    readonly testMode: string;
    readonly records: number;
    readonly paid: string;
    readonly taken: string;
    readonly fees: string;
    readonly net: string;
  }[];
};

/** Amounts for people, in the settlement currency. */
export const batchSums = async (store: Store, { id, day, madeAt, closedAt }: Settlement): Promise<BatchSums> => {
  const sums = await store.settlements.sumsOf(id);
  return {
    id,
    date: day,
    madeAt: dateTime(madeAt),
    closed: closedAt !== undefined,
    sums: sums.map(({ currency, settlementCurrency, testMode, records, paidMinor, takenMinor, feeMinor }) => {
      const shown = (minor: bigint): string => printMoney({ minor, currency: settlementCurrency });
      return {
        ...{ currency, testMode, records },
        ...{ paid: shown(paidMinor), taken: shown(takenMinor), fees: shown(feeMinor) },
        net: shown(paidMinor - takenMinor),
      };
    }),
  };
};

export const batchLines = ({ id, date, closed, sums }: BatchSums): string[] => {
  const state = closed ? '' : '  being made';
  if (sums.length === 0) return [`${date}  ${id}  nothing to pay out${state}`];
  return sums.map(({ currency, testMode, records, net, fees }) => {
    const what = [date, id, `${currency} ${testMode.toLowerCase()}`, count(records, 'record')];
    return `${what.join('  ')}  ${net} net, ${fees} fees${state}`;
  });
};
