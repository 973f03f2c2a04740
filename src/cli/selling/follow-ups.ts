/** The commands that follow an earlier payment: each names its receipt, and no card takes part. */
import type { Command } from 'commander';
import type { FollowOperation, LiveSale, SaleRow } from '../../api/contract/sales.ts';
import { printAmount } from '../../base/money.ts';
import { amountOf, moneyOf } from '../../ledger/wire-money.ts';
import { got } from '../api-client.ts';
import { positiveAmount, receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { type CashierFlags, cashierIn, withCashier } from '../person.ts';
import { tell } from '../terms.ts';
import { withTillOptions } from '../till-options.ts';
import { type AgainFlags, againOf, runSale, withAgain } from './live-sale.ts';

type Row = {
  /** `refund <receipt> [amount]`. */
  command: string;
  says: string;
  operation: FollowOperation;
  /** It takes `--tip`. */
  tips?: true;
  /** It takes `--keep-rest`. */
  keeps?: true;
};

type FollowFlags = ApiFlags & CashierFlags & AgainFlags & { tip?: string; keepRest?: boolean };

const addFollowUp = (till: Command, { command, says, operation, tips, keeps }: Row): void => {
  const added = withCashier(withTillOptions(till.command(command).description(says)));
  // What gives back, or lets go, charges nobody twice.
  if (operation === 'completion' || operation === 'increment') withAgain(added);
  if (tips === true) added.option('--tip <amount>', 'comes to the amount');
  if (keeps === true) added.option('--keep-rest', 'more will be charged: what is left over stays held');
  added.action((receipt: string, amount: unknown, flags: FollowFlags | Command) => {
    // Without an amount in its usage the command gives its flags in the amount’s place.
    const [text, options] =
      typeof amount === 'object' ? [undefined, amount as FollowFlags] : [amount, flags as FollowFlags];
    const request = { operation, receipt: receiptNumber(receipt), amount: text as string | undefined };
    return withTillApi(options, async (session) => void (await follow(session, request, options)));
  });
};

type FollowUp = { operation: FollowOperation; receipt: number; amount?: string | undefined };

/** Runs it. Throws what the till refuses it with; nothing is sent then. */
const follow = (session: CommandSession, { operation, receipt, amount }: FollowUp, flags: FollowFlags) => {
  const { currency } = session.state.shop;
  const wished = (text: string | undefined) =>
    text === undefined ? undefined : amountOf(positiveAmount(text, currency));
  const { tip, keepRest } = flags;
  const again = againOf(flags);
  const json = { amount: wished(amount), tip: wished(tip), keepRest, again, ...cashierIn(flags) };
  const param = { receipt: String(receipt), operation };
  const raises = operation === 'tip' ? receipt : undefined;
  return runSale(session, { flags, raises }, (key) =>
    got<LiveSale>(session.api.sales[':receipt'][':operation'].$post({ param, json: json }, key)),
  );
};

export const addRefund = (till: Command): void =>
  addFollowUp(till, {
    command: 'refund <receipt> [amount]',
    says: 'give money back on an approved sale; all that is left, or an amount',
    operation: 'refund',
  });

export const addVoid = (till: Command): void =>
  addFollowUp(till, {
    command: 'void <receipt>',
    says: 'take a whole sale or credit back; one that was not sent yet is never sent',
    operation: 'void',
  });

export const addIncrement = (till: Command): void =>
  addFollowUp(till, {
    command: 'increment <receipt> <amount>',
    says: 'hold more on the card of a pre-authorisation',
    operation: 'increment',
  });

export const addComplete = (till: Command): void =>
  addFollowUp(till, {
    command: 'complete <receipt> [amount]',
    says: 'charge what a pre-authorisation holds; all that is left, or an amount, and the rest goes back to the customer',
    operation: 'completion',
    tips: true,
    keeps: true,
  });

export const addRelease = (till: Command): void =>
  addFollowUp(till, {
    command: 'release <receipt>',
    says: 'let go of what a pre-authorisation holds; nothing is charged',
    operation: 'release',
  });

/** `till tip`: a pre-authorisation is charged as it was made, with a tip; what is held too little is held first. */
export const addTip = (till: Command): void => {
  const says = 'charge what was pre-authorised, and a tip; where too little is held, the rest is held first';
  const added = withCashier(withTillOptions(till.command('tip <receipt> <tip>').description(says)));
  withAgain(added).action((text: string, tip: string, flags: FollowFlags) =>
    withTillApi(flags, async (session) => {
      const receipt = receiptNumber(text);
      const { operation, ending } = await follow(session, { operation: 'tip', receipt }, { ...flags, tip });
      if (operation === 'increment' && ending !== 'approved')
        tell(
          `Nothing was charged. Without the tip: npm run till -- complete ${receipt} ${await held(session, receipt)}`,
        );
    }),
  );
};

const held = async ({ api }: CommandSession, receipt: number): Promise<string> => {
  const sale = await got<SaleRow>(api.sales[':receipt{[0-9]{1,9}}'].$get({ param: { receipt: String(receipt) } }));
  const amount = sale.approved ?? sale.amount;
  return printAmount(moneyOf(amount, amount.currency));
};
