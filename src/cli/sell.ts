/** `till sell`: one sale, a part of a bill, or a bill that is split. */
import type { Command } from 'commander';
import type { RunningTill } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import type { Money } from '../base/money.ts';
import { partOfBill } from '../ledger/bills.ts';
import { type AgainFlags, againOf, notChargedYet, withAgain } from './again.ts';
import { acceptOf, positiveAmount, receiptNumber, tipOf } from './arguments.ts';
import { type CashierFlags, cashierFor, withCashier } from './person.ts';
import { runSale } from './run-sale.ts';
import { sellSplit, splitOf } from './split.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

export type SellFlags = TillFlags &
  CashierFlags &
  AgainFlags & {
    currency?: string;
    accept: string;
    tip?: string;
    acceptPartial?: true;
    storeCard?: true;
    bill?: string;
    split?: string;
  };

const examples = `
  npm run till -- sell 12.50
  npm run till -- sell 50.00 --tip 5.00 --cashier Anna
  npm run till -- sell 60.00 --accept-partial        a card with too little pays what it has
  npm run till -- sell 20.00 --bill 7                the rest of the bill that receipt 7 paid a part of
  npm run till -- sell 100.00 --split 60.00,40.00    two cards
  npm run till -- sell 12.50 --again 7               receipt 7 of 12.50 is unknown, and was another customer’s

Status: 0 approved, 1 declined, 2 refused command, 3 not charged, 4 unknown, 5 fault, 6 approved for a part.`;

export const addSell = (till: Command): void => {
  withAgain(withCashier(withTillOptions(till.command('sell <amount>').description('take a card payment'))))
    .addHelpText('after', examples)
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe')
    .option('--tip <amount>', 'comes to the amount')
    .option('--accept-partial', 'take less when the card has too little; what is left of the bill is named')
    .option('--store-card', 'have the gateway store the card; the result names its registration')
    .option('--bill <receipt>', 'pay a part of the bill that this receipt paid a part of')
    .option('--split <amounts>', 'several cards, one after another: 60.00,40.00')
    .action(async (amount: string, flags: SellFlags) => {
      const accept = acceptOf(flags.accept);
      if (flags.split !== undefined && flags.storeCard)
        throw new Fault('command.malformed', { why: '--split takes several cards: --store-card is for one' });
      if (flags.split !== undefined && (flags.tip !== undefined || flags.bill !== undefined))
        throw new Fault('command.malformed', { why: '--split goes with neither --tip nor --bill' });
      await withTill(flags, async (running) => {
        const currency = flags.currency ?? running.config.currency;
        const wanted = positiveAmount(amount, currency);
        if (flags.split !== undefined) {
          await sellSplit(running, { flags, accept, total: wanted, amounts: splitOf(flags.split, wanted) });
          return;
        }
        const asked = { amount: wanted, ...tipOf(flags.tip, currency), ...(await moreOf(running, flags, wanted)) };
        const request = { ...asked, ...notChargedYet(running, { operation: 'sale', ...asked }, againOf(flags)) };
        // A terminal that cannot be had is no sale: it is said before anything is begun.
        await running.terminalReady();
        await runSale(running, { flags, accept }, (hear) =>
          running.till.sell({ ...request, options: { accept } }, hear),
        );
      });
    });
};

type MoreFlags = CashierFlags & Pick<SellFlags, 'bill' | 'acceptPartial' | 'storeCard'>;

/**
 * The bill that it pays a part of, whether a part of it will do, and who sells. Throws `bill.none`, `bill.tooMuch`, and
 * what `cashierFor` throws.
 */
export const moreOf = async (
  running: RunningTill,
  { bill, acceptPartial, storeCard, ...who }: MoreFlags,
  amount: Money,
) => ({
  ...(bill !== undefined && { bill: partOfBill(running, receiptNumber(bill), amount) }),
  ...(acceptPartial === true && { partial: true as const }),
  ...(storeCard === true && { storeCard: true as const }),
  ...(await cashierFor(who, running, 'sell')),
});
