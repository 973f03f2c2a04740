/** `till sell`: one sale, a part of a bill, or a bill that is split. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { compare, type Money, printMoney } from '../base/money.ts';
import { billOfSale } from '../runtime/bills.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { acceptOf, cashierOf, positiveAmount, receiptNumber, tipOf } from './arguments.ts';
import { runSale } from './run-sale.ts';
import { sellSplit, splitOf } from './split.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

export type SellFlags = TillFlags & {
  currency?: string;
  accept: string;
  tip?: string;
  acceptPartial?: true;
  bill?: string;
  split?: string;
  cashier?: string;
};

export const addSell = (till: Command): void => {
  withTillOptions(till.command('sell <amount>').description('take a card payment'))
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe')
    .option('--tip <amount>', 'comes to the amount')
    .option('--accept-partial', 'take less when the card has too little; what is left of the bill is named')
    .option('--bill <receipt>', 'pay a part of the bill that this receipt paid a part of')
    .option('--split <amounts>', 'several cards, one after another: 60.00,40.00')
    .option('--cashier <name>', 'who sells; stands on the receipt')
    .action(async (amount: string, flags: SellFlags) => {
      const accept = acceptOf(flags.accept);
      if (flags.split !== undefined && (flags.tip !== undefined || flags.bill !== undefined))
        throw new Fault('command.malformed', { why: '--split goes with neither --tip nor --bill' });
      await withTill(flags, async (running) => {
        const currency = flags.currency ?? running.config.currency;
        const wanted = positiveAmount(amount, currency);
        if (flags.split !== undefined) {
          await sellSplit(running, { flags, accept, total: wanted, amounts: splitOf(flags.split, wanted) });
          return;
        }
        const request = { amount: wanted, ...tipOf(flags.tip, currency), ...moreOf(running, flags, wanted) };
        // A terminal that cannot be had is no sale: it is said before anything is begun.
        await running.terminalReady();
        await runSale(running, { flags, accept }, (hear) =>
          running.till.sell({ ...request, options: { accept } }, hear),
        );
      });
    });
};

type MoreFlags = Pick<SellFlags, 'bill' | 'acceptPartial' | 'cashier'>;

/** The bill that it pays a part of, whether a part of it will do, and who sells. Throws `bill.none`, `bill.tooMuch`. */
export const moreOf = (running: RunningTill, { bill, acceptPartial, cashier }: MoreFlags, amount: Money) => ({
  ...(bill !== undefined && { bill: billPart(running, receiptNumber(bill), amount) }),
  ...(acceptPartial === true && { partial: true as const }),
  ...cashierOf(cashier),
});

const billPart = (running: RunningTill, receipt: number, amount: Money) => {
  const bill = billOfSale(running, running.till.find(receipt));
  if (bill === undefined || bill.total.currency !== amount.currency) throw new Fault('bill.none', { receipt });
  const { id, total, left, unknown } = bill;
  if (compare(amount, left) > 0)
    throw new Fault('bill.tooMuch', { left: printMoney(left), unknown: printMoney(unknown) });
  return { id, total };
};
