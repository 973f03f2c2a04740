/** `till credit` and `till preauth`: money to a card without an earlier payment, and an amount held on one. */
import type { Command } from 'commander';
import { amountOf } from '../../ledger/wire-money.ts';
import { acceptOf } from '../arguments.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { type CashierFlags, cashierIn, withCashier } from '../person.ts';
import { withTillOptions } from '../till-options.ts';
import { type AgainFlags, againOf, runSale, withAgain } from './live-sale.ts';
import { amountFor, begin } from './sell.ts';

type Row = {
  /** `preauth <amount>`. */
  command: string;
  says: string;
  operation: 'preauthorisation' | 'credit';
};

type CardFlags = ApiFlags & CashierFlags & AgainFlags & { currency?: string; accept: string };

const addWithCard = (till: Command, { command, says, operation }: Row): void => {
  const added = withTillOptions(till.command(command).description(says))
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe');
  const typed = withCashier(added);
  // What is paid out charges nobody twice.
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

// `till credit`: money to a card, without an earlier payment. Where a manager is known, one answers for it.

export const addCredit = (till: Command): void =>
  addWithCard(till, {
    command: 'credit <amount>',
    says: 'pay money out to a card without an earlier payment; a manager’s to do, once one is known here',
    operation: 'credit',
  });

export const addPreauth = (till: Command): void =>
  addWithCard(till, {
    command: 'preauth <amount>',
    says: 'hold an amount on a card, to be completed or released later',
    operation: 'preauthorisation',
  });
