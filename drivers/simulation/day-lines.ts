/** The sums of a simulated terminal's own day, as its closing receipt prints them. */
import { printMoney } from '../../src/base/money.ts';

export type DayRow = { kind: 'payment' | 'refund' | 'reversal'; amountMinor: bigint; currency: string };

/** Payments, refunds and reversals, how many and how much, and what is left of it: four lines. */
export const dayLines = (day: readonly DayRow[]): string[] => {
  const currency = day[0]?.currency ?? 'EUR';
  const sumOf = (kind: DayRow['kind']) => {
    const own = day.filter((row) => row.kind === kind);
    return { count: own.length, minor: own.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) };
  };
  const line = (title: string, kind: DayRow['kind']): string => {
    const { count, minor } = sumOf(kind);
    return `${title} ${count}  ${printMoney({ minor, currency })}`;
  };
  return [
    line('PAYMENTS', 'payment'),
    line('REFUNDS', 'refund'),
    line('REVERSALS', 'reversal'),
    `TOTAL ${printMoney({ minor: totalOf(day), currency })}`,
  ];
};

/** What was paid without what went back, minor units. */
export const totalOf = (day: readonly DayRow[]): bigint =>
  day.reduce((sum, { kind, amountMinor }) => (kind === 'payment' ? sum + amountMinor : sum - amountMinor), 0n);
