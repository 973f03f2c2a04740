/** The commands that follow an earlier payment. Each names its receipt and needs no card. */
import type { Command } from 'commander';
import type { FollowOperation, LiveSale, SaleRow } from '../../api/contract/sales.ts';
import { printAmount } from '../../base/money.ts';
import { amountOf, moneyOf } from '../../ledger/wire-money.ts';
import { unwrap } from '../api-client.ts';
import { positiveAmount, receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { type CashierFlags, cashierIn } from '../person.ts';
import { tell } from '../terms.ts';
import { type AgainFlags, againOf, cashierCommand, runSale, withAgain } from './live-sale.ts';

/** Which options it has: `--again` if it charges, `--tip`, `--keep-rest`. */
type Row = { usage: string; says: string; again?: true; tips?: true; keeps?: true };

const rows = {
  refund: {
    usage: 'refund <receipt> [amount]',
    says: 'refund an approved sale: the rest of it, or an amount',
  },
  void: {
    usage: 'void <receipt>',
    says: 'cancel a whole sale or credit; one that was not sent yet is never sent',
  },
  increment: {
    usage: 'increment <receipt> <amount>',
    says: 'hold more on the card of a pre-authorisation',
    again: true,
  },
  completion: {
    usage: 'complete <receipt> [amount]',
    says: 'charge what a pre-authorisation holds: the rest of it, or an amount, and the rest is released',
    again: true,
    tips: true,
    keeps: true,
  },
  release: {
    usage: 'release <receipt>',
    says: 'release what a pre-authorisation holds; nothing is charged',
  },
} as const satisfies Partial<Record<FollowOperation, Row>>;

type FollowFlags = ApiFlags & CashierFlags & AgainFlags & { tip?: string; keepRest?: boolean };

export const addFollowUp =
  (operation: keyof typeof rows) =>
  (till: Command): void => {
    const { usage, says, again, tips, keeps }: Row = rows[operation];
    const added = cashierCommand(till, usage, says);
    if (again === true) withAgain(added);
    if (tips === true) added.option('--tip <amount>', 'is added to the amount');
    if (keeps === true) added.option('--keep-rest', 'keep holding the rest: more will be charged');
    added.action((receipt: string, amount: unknown, flags: FollowFlags | Command) => {
      // For a usage without an amount, commander passes the flags in its place.
      const [text, options] =
        typeof amount === 'object' ? [undefined, amount as FollowFlags] : [amount, flags as FollowFlags];
      const request = { operation, receipt: receiptNumber(receipt), amount: text as string | undefined };
      return withTillApi(options, async (session) => void (await follow(session, request, options)));
    });
  };

type FollowUp = { operation: FollowOperation; receipt: number; amount?: string | undefined };

/** Runs the operation. If the till refuses it, throws the fault, and nothing is sent. */
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
    unwrap<LiveSale>(session.api.sales[':receipt'][':operation'].$post({ param, json: json }, key)),
  );
};

/** `till tip`: charges a pre-authorisation with a tip. If too little is held, the till first holds the rest. */
export const addTip = (till: Command): void => {
  const says = 'charge what was pre-authorised, and a tip; if too little is held, hold more first';
  withAgain(cashierCommand(till, 'tip <receipt> <tip>', says)).action((text: string, tip: string, flags: FollowFlags) =>
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
  const sale = await unwrap<SaleRow>(api.sales[':receipt{[0-9]{1,9}}'].$get({ param: { receipt: String(receipt) } }));
  const amount = sale.approved ?? sale.amount;
  return printAmount(moneyOf(amount, amount.currency));
};
