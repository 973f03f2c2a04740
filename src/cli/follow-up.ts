/** The commands that follow an earlier payment: each names its receipt, and no card takes part. */
import type { Command } from 'commander';
import type { RunningTill } from '../app/start-till.ts';
import type { Permission } from '../staff/running.ts';
import { type AgainFlags, againOf, notChargedYet, withAgain } from './again.ts';
import { positiveAmount, receiptNumber, tipOf } from './arguments.ts';
import { type CashierFlags, cashierFor, withCashier } from './person.ts';
import { runSale } from './run-sale.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

type FollowUp = Parameters<RunningTill['till']['follow']>[0]['operation'];

type Row = {
  /** `refund <receipt> [amount]`. */
  command: string;
  says: string;
  operation: FollowUp;
  permission: Permission;
  /** It takes `--tip`. */
  tips?: true;
  /** It takes `--keep-rest`. */
  keeps?: true;
};

export type FollowFlags = TillFlags & CashierFlags & AgainFlags & { tip?: string; keepRest?: boolean };

export const addFollowUp = (till: Command, { command, says, operation, permission, tips, keeps }: Row): void => {
  const added = withCashier(withTillOptions(till.command(command).description(says)));
  // What gives back, or lets go, charges nobody twice.
  if (operation === 'completion' || operation === 'increment') withAgain(added);
  if (tips === true) added.option('--tip <amount>', 'comes to the amount');
  if (keeps === true) added.option('--keep-rest', 'more will be charged: what is left over stays held');
  added.action(async (receipt: string, amount: unknown, flags: FollowFlags | Command) => {
    // Without an amount in its usage the command gives its flags in the amount’s place.
    const [text, options] =
      typeof amount === 'object' ? [undefined, amount as FollowFlags] : [amount, flags as FollowFlags];
    await follow({ operation, permission, receipt, amount: text as string | undefined }, options);
  });
};

type Asked = { operation: FollowUp; permission: Permission; receipt: string; amount: string | undefined };

/** Runs it. Throws what `Till.follow` throws; nothing is sent then. */
export const follow = ({ operation, permission, receipt, amount }: Asked, flags: FollowFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const number = receiptNumber(receipt);
    const { intent } = running.till.find(number);
    const { currency } = intent.amount;
    const given = amount === undefined ? undefined : positiveAmount(amount, currency);
    const tipped = tipOf(flags.tip, currency);
    const request = {
      operation,
      receipt: number,
      ...(given && { amount: given }),
      ...tipped,
      ...(flags.keepRest === true && { keepRest: true }),
      ...(given && notChargedYet(running, { operation, follows: number, amount: given, ...tipped }, againOf(flags))),
      ...(await cashierFor(flags, running, permission)),
    };
    if (intent.by === 'terminal') await running.terminalReady();
    await runSale(running, { flags }, (hear) => running.till.follow(request, hear));
  });
