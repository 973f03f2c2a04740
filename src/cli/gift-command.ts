/** `till gift`: paid by a gift card, whose number is asked for where nobody else sees it. */
import type { Command } from 'commander';
import { Fault, isFault } from '../base/fault.ts';
import { againOf, notChargedYet, withAgain } from './again.ts';
import { positiveAmount } from './arguments.ts';
import { askHidden } from './hidden-input.ts';
import { withCashier } from './person.ts';
import { runSale } from './run-sale.ts';
import { moreOf, type SellFlags } from './sell.ts';
import { withTill, withTillOptions } from './till-options.ts';

type GiftFlags = Omit<SellFlags, 'accept' | 'tip' | 'split'> & { pin?: true };

export const addGift = (till: Command): void => {
  withAgain(
    withCashier(
      withTillOptions(
        till
          .command('gift <amount>')
          .description('take a payment by gift card; its number is asked for without echo, or read from a pipe'),
      ),
    ),
  )
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--pin', 'the card has a PIN: it is asked for after the number')
    .option('--accept-partial', 'take what is on the card when it is less; what is left of the bill is named')
    .option('--bill <receipt>', 'pay a part of the bill that this receipt paid a part of')
    .action(async (text: string, flags: GiftFlags) => {
      await withTill(flags, async (running) => {
        const amount = positiveAmount(text, flags.currency ?? running.config.currency);
        const asked = notChargedYet(running, { operation: 'sale', amount }, againOf(flags));
        const more = { ...asked, ...(await moreOf(running, flags, amount)) };
        const number = await ask('Number of the gift card: ', 'no number was given');
        const pin = flags.pin === true ? await ask('PIN of the gift card: ', 'no PIN was given') : undefined;
        const request = { amount, ...more, number, ...(pin !== undefined && { pin }) };
        await runSale(running, { flags }, (hear) => running.till.payByGiftCard(request, hear));
      });
    });
};

/** Throws `gift.malformed` when nothing is typed. */
const ask = async (prompt: string, why: string): Promise<string> => {
  try {
    return await askHidden(prompt);
  } catch (error) {
    throw isFault(error, 'staff.pinMissing') ? new Fault('gift.malformed', { why }) : error;
  }
};
