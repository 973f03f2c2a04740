/** `till credit` pays money out to a card without an earlier payment. `till preauth` holds an amount on a card. */
import type { Command } from 'commander';
import { amountOf } from '../../ledger/wire-money.ts';
import { acceptOf } from '../arguments.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { type CashierFlags, cashierIn } from '../person.ts';
import { type AgainFlags, againOf, cardCommand, runSale, withAgain } from './live-sale.ts';
import { amountFor, begin } from './sell.ts';

type Row = {
  /** `preauth <amount>`. */
  command: string;
  says: string;
  operation: 'preauthorisation' | 'credit';
};

type CardFlags = ApiFlags & CashierFlags & AgainFlags & { currency?: string; accept: string };

const addWithCard = (till: Command, { command, says, operation }: Row): void => {
  const typed = cardCommand(till, command, says).option('--currency <code>', 'ISO 4217; default: the till’s currency');
  // A credit cannot charge a customer twice.
  if (operation === 'preauthorisation') withAgain(typed);
  typed.action(async (text: string, flags: CardFlags) => {
    const accept = acceptOf(flags.accept);
    await withTillApi(flags, async (session) => {
      const amount = amountOf(amountFor(session, flags, text));
      const request = { operation, amount, accept, again: againOf(flags), ...cashierIn(flags) };
      await runSale(session, { flags, accept }, (key) => begin(session, request, key));
    });
  });
};

export const addCredit = (till: Command): void =>
  addWithCard(till, {
    command: 'credit <amount>',
    says: 'pay money out to a card without an earlier payment; needs a manager once the till has one',
    operation: 'credit',
  });

export const addPreauth = (till: Command): void =>
  addWithCard(till, {
    command: 'preauth <amount>',
    says: 'hold an amount on a card, to be completed or released later',
    operation: 'preauthorisation',
  });
