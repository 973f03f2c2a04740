/** `till preauths`: what is held on cards, what of it was charged, and until when the banks keep it. */
import type { Command } from 'commander';
import { dateTime, systemClock } from '../base/clock.ts';
import { printAmount, printMoney } from '../base/money.ts';
import { type Hold, openHolds } from '../ledger/bills.ts';
import { printJson, printLines } from './shown-mode.ts';
import { tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

export const addPreauths = (till: Command): void => {
  withTillOptions(
    till.command('preauths').description('open pre-authorisations: held, completed, and when the bank lets go of them'),
  ).action(async (flags: TillFlags) => {
    await withTill(flags, async (running) => {
      const now = systemClock.now();
      const holds = openHolds(running, now);
      if (flags.json === true) printJson(running.shown, { preauths: holds.map((hold) => json(hold, now)) });
      else if (holds.length === 0) tell('Nothing is held. Hold an amount with: npm run till -- preauth 100.00');
      else printLines(running, table(holds, now));
    });
  });
};

const widths = [7, 13, 13, 13, 4, 22] as const;

const table = (holds: readonly Hold[], now: number): string[] => [
  line('RECEIPT', 'HELD', 'COMPLETED', 'LEFT', 'CARD', 'UNTIL'),
  ...holds.map((hold) => {
    const { sale, held, completed, left } = hold;
    const { receipt } = sale.intent;
    return line(
      String(receipt).padStart(6, '0'),
      printMoney(held),
      printMoney(completed),
      printMoney(left),
      sale.card?.maskedPan.slice(-4) ?? '',
      untilWords(hold, now),
    );
  }),
];

const untilWords = ({ until, state }: Hold, now: number): string => {
  const day = dateTime(until).slice(0, 10);
  if (state === 'unknown') return `${day}, a result is missing`;
  return until < now ? `${day}, run out` : day;
};

const line = (...cells: readonly string[]): string =>
  cells
    .map((cell, at) => (at > 0 && at < 4 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join('  ')
    .trimEnd();

const json = ({ sale, held, completed, left, state, until }: Hold, now: number) => ({
  receipt: sale.intent.receipt,
  merchantTransactionId: sale.intent.sale,
  currency: held.currency,
  held: printAmount(held),
  completed: printAmount(completed),
  left: printAmount(left),
  state,
  until: new Date(until).toISOString(),
  expired: until < now,
  ...(sale.card && { card: { maskedPan: sale.card.maskedPan } }),
});
