/** The commands that follow an earlier payment: each names its receipt, and no card takes part. */
import type { Command } from 'commander';
import type { RunningTill } from '../../app/start-till.ts';
import { systemIds } from '../../base/ids.ts';
import { printAmount } from '../../base/money.ts';
import { amountOf } from '../../ledger/wire-money.ts';
import { followingOf, raisingOf } from '../../selling/begin.ts';
import type { Permission } from '../../staff/running.ts';
import { positiveAmount, receiptNumber, tipOf } from '../arguments.ts';
import { type CashierFlags, cashierFor, withCashier } from '../person.ts';
import { exitCodeOf, tell } from '../terms.ts';
import { printJson, tellMode } from '../till-folder.ts';
import { type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import { type AgainFlags, againOf, conduct, notChargedYet, runSale, saleJson, withAgain } from './run-sale.ts';

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

type FollowFlags = TillFlags & CashierFlags & AgainFlags & { tip?: string; keepRest?: boolean };

const addFollowUp = (till: Command, { command, says, operation, permission, tips, keeps }: Row): void => {
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

type FollowUpCommand = { operation: FollowUp; permission: Permission; receipt: string; amount: string | undefined };

/** Runs it. Throws what `Till.follow` throws; nothing is sent then. */
export const follow = (
  { operation, permission, receipt, amount }: FollowUpCommand,
  flags: FollowFlags,
): Promise<void> =>
  withTill(flags, async (running) => {
    const number = receiptNumber(receipt);
    const { intent } = running.till.find(number);
    const { currency } = intent.amount;
    const given = amount === undefined ? undefined : positiveAmount(amount, currency);
    const tipped = tipOf(flags.tip, currency);
    const request = {
      operation,
      receipt: number,
      amount: given,
      ...tipped,
      keepRest: flags.keepRest || undefined,
      ...(given && notChargedYet(running, { operation, follows: number, amount: given, ...tipped }, againOf(flags))),
      ...(await cashierFor(flags, running, permission)),
    };
    if (intent.by === 'terminal') await running.terminalReady();
    await runSale(running, { flags }, (hear) => running.till.follow(request, hear));
  });

export const addRefund = (till: Command): void =>
  addFollowUp(till, {
    command: 'refund <receipt> [amount]',
    says: 'give money back on an approved sale; all that is left, or an amount',
    operation: 'refund',
    permission: 'refund',
  });

export const addVoid = (till: Command): void =>
  addFollowUp(till, {
    command: 'void <receipt>',
    says: 'take a whole sale or credit back; one that was not sent yet is never sent',
    operation: 'void',
    permission: 'void',
  });

export const addIncrement = (till: Command): void =>
  addFollowUp(till, {
    command: 'increment <receipt> <amount>',
    says: 'hold more on the card of a pre-authorisation',
    operation: 'increment',
    permission: 'preauthorise',
  });

export const addComplete = (till: Command): void =>
  addFollowUp(till, {
    command: 'complete <receipt> [amount]',
    says: 'charge what a pre-authorisation holds; all that is left, or an amount, and the rest goes back to the customer',
    operation: 'completion',
    permission: 'preauthorise',
    tips: true,
    keeps: true,
  });

export const addRelease = (till: Command): void =>
  addFollowUp(till, {
    command: 'release <receipt>',
    says: 'let go of what a pre-authorisation holds; nothing is charged',
    operation: 'release',
    permission: 'void',
  });

/** `till tip`: a pre-authorisation is charged as it was made, with a tip; what is held too little is held first. */
export const addTip = (till: Command): void => {
  const says = 'charge what was pre-authorised, and a tip; where too little is held, the rest is held first';
  const added = withCashier(withTillOptions(till.command('tip <receipt> <tip>').description(says)));
  withAgain(added).action((receipt: string, text: string, flags: FollowFlags) =>
    withTill(flags, async (running) => {
      const number = receiptNumber(receipt);
      const { intent, answer } = running.till.find(number);
      const tip = positiveAmount(text, intent.amount.currency);
      const request = { operation: 'tip', receipt: number, tip: amountOf(tip), again: againOf(flags) } as const;
      const { cashier: name } = await cashierFor(flags, running, 'tip');
      const by = { name, permissions: ['tip'] } as const;
      const parts = { running, ids: systemIds, isRunning: () => false };
      const raising = raisingOf(parts, request, by);
      if (raising !== undefined) {
        if (flags.json !== true) tellMode(running);
        const { ended } = await conduct(running, { flags }, (hear) => raising.start(hear));
        process.exitCode = exitCodeOf(ended);
        if (ended.ending !== 'approved') {
          if (flags.json === true) printJson(running.shown, saleJson(running, ended));
          const held = printAmount(answer?.approved ?? intent.amount);
          tell(`Nothing was charged. Without the tip: npm run till -- complete ${number} ${held}`);
          return;
        }
      }
      const charging = followingOf(parts, request, { by });
      await runSale(running, { flags }, (hear) => charging.start(hear));
    }),
  );
};
