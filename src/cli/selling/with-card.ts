/** `till credit` and `till preauth`: money to a card without an earlier payment, and an amount held on one. */
import type { Command } from 'commander';
import type { Progress } from '../../ledger/outcome.ts';
import type { Permission } from '../../staff/running.ts';
import { acceptOf, positiveAmount } from '../arguments.ts';
import { type CashierFlags, cashierFor, withCashier } from '../person.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import { type AgainFlags, againOf, notChargedYet, runSale, withAgain } from './run-sale.ts';

type Till = CommandTill['till'];

type Row = {
  /** `preauth <amount>`. */
  command: string;
  says: string;
  operation: 'preauthorisation' | 'credit';
  permission: Permission;
  start: (
    running: CommandTill,
    request: Parameters<Till['credit']>[0],
    hear: (progress: Progress) => void,
  ) => ReturnType<Till['sell']>;
};

export type CardFlags = TillFlags & CashierFlags & AgainFlags & { currency?: string; accept: string };

const addWithCard = (till: Command, { command, says, operation, permission, start }: Row): void => {
  const added = withTillOptions(till.command(command).description(says))
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe');
  const typed = withCashier(added);
  // What is paid out charges nobody twice.
  if (operation === 'preauthorisation') withAgain(typed);
  typed.action(async (text: string, flags: CardFlags) => {
    const accept = acceptOf(flags.accept);
    await withTill(flags, async (running) => {
      const amount = positiveAmount(text, flags.currency ?? running.config.currency);
      const request = {
        amount,
        options: { accept },
        ...(await cashierFor(flags, running, permission)),
        ...notChargedYet(running, { operation, amount }, againOf(flags)),
      };
      // A terminal that cannot be had is nothing begun: it is said before.
      await running.terminalReady();
      await runSale(running, { flags, accept }, (hear) => start(running, request, hear));
    });
  });
};

// `till credit`: money to a card, without an earlier payment. Where a manager is known, one answers for it.

export const addCredit = (till: Command): void =>
  addWithCard(till, {
    command: 'credit <amount>',
    says: 'pay money out to a card without an earlier payment; a manager’s to do, once one is known here',
    operation: 'credit',
    permission: 'credit',
    start: ({ till: open }, request, hear) => open.credit(request, hear),
  });

export const addPreauth = (till: Command): void =>
  addWithCard(till, {
    command: 'preauth <amount>',
    says: 'hold an amount on a card, to be completed or released later',
    operation: 'preauthorisation',
    permission: 'preauthorise',
    start: ({ till: open }, request, hear) => open.preauthorise(request, hear),
  });
