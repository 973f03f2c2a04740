/** The commands that begin with the customer's card, beside the sale. */
import type { Command } from 'commander';
import type { Progress } from '../ledger/outcome.ts';
import type { Permission } from '../staff/running.ts';
import { type AgainFlags, againOf, notChargedYet, withAgain } from './again.ts';
import { acceptOf, positiveAmount } from './arguments.ts';
import { type CashierFlags, cashierFor, withCashier } from './person.ts';
import { runSale } from './run-sale.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from './till-options.ts';

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

export const addWithCard = (till: Command, { command, says, operation, permission, start }: Row): void => {
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
        ...{ amount, options: { accept } },
        ...(await cashierFor(flags, running, permission)),
        ...notChargedYet(running, { operation, amount }, againOf(flags)),
      };
      // A terminal that cannot be had is nothing begun: it is said before.
      await running.terminalReady();
      await runSale(running, { flags, accept }, (hear) => start(running, request, hear));
    });
  });
};
