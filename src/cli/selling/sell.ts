/**
 * `till sell`: one sale, a part of a bill, or a bill that several cards pay one after another. Each part has its own
 * ending, and a failed part does not undo the others.
 */
import type { Command } from 'commander';
import type { FinishedSale } from '../../api/contract/paper.ts';
import type { LiveSale } from '../../api/contract/sales.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { add, compare, type Money, printMoney } from '../../base/money.ts';
import { amountOf } from '../../ledger/wire-money.ts';
import { type TillApi, unwrap } from '../api-client.ts';
import { acceptOf, malformed, positiveAmount, receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { askHidden } from '../hidden-input.ts';
import { type CashierFlags, cashierIn } from '../person.ts';
import { exitCodeOf, FAULT, faultJson, faultLines, PART, tell } from '../terms.ts';
import { printJson, tellMode } from '../till-folder.ts';
import {
  type AgainFlags,
  againOf,
  billIn,
  billJson,
  billState,
  cardCommand,
  cashierCommand,
  conduct,
  type KeyHeader,
  outcomeOf,
  restLines,
  runSale,
  saleJson,
  withAgain,
} from './live-sale.ts';

export type SellFlags = ApiFlags &
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
  withAgain(cardCommand(till, 'sell <amount>', 'take a card payment'))
    .addHelpText('after', examples)
    .option('--currency <code>', 'ISO 4217; default: the till’s currency')
    .option('--tip <amount>', 'is added to the amount')
    .option('--accept-partial', 'accept less if the card has too little, and name what is left of the bill')
    .option('--store-card', 'have the gateway store the card; the result contains its registration')
    .option('--bill <receipt>', 'pay a part of the bill of this receipt')
    .option('--split <amounts>', 'several cards, one after another: 60.00,40.00')
    .action(async (amount: string, flags: SellFlags) => {
      const accept = acceptOf(flags.accept);
      if (flags.split !== undefined && flags.storeCard)
        throw malformed('--split takes several cards: --store-card is for one');
      if (flags.split !== undefined && (flags.tip !== undefined || flags.bill !== undefined))
        throw malformed('--split goes with neither --tip nor --bill');
      await withTillApi(flags, async (session) => {
        const total = amountFor(session, flags, amount);
        if (flags.split !== undefined) {
          await sellSplit(session, { flags, accept, total, amounts: splitOf(flags.split, total) });
          return;
        }
        const tip = flags.tip === undefined ? undefined : amountOf(amountFor(session, flags, flags.tip));
        const request = { amount: amountOf(total), tip, accept, ...moreOf(flags) };
        await runSale(session, { flags, accept }, (key) => begin(session, request, key));
      });
    });
};

type BeginRequest = Parameters<TillApi['sales']['$post']>[0]['json'];

/** Starts a sale. Throws the fault with which the till refuses it. */
export const begin = ({ api }: Pick<CommandSession, 'api'>, json: BeginRequest, key: KeyHeader): Promise<LiveSale> =>
  unwrap<LiveSale>(api.sales.$post({ json }, key));

/** The amount in the till's currency, or in the one that is named. Throws as `positiveAmount` does. */
const amountFor = (
  { state }: Pick<CommandSession, 'state'>,
  { currency }: { currency?: string },
  text: string,
): Money => positiveAmount(text, currency ?? state.shop.currency);

type MoreFlags = CashierFlags & AgainFlags & Pick<SellFlags, 'bill' | 'acceptPartial' | 'storeCard'>;

/** The parts of the request that the flags give. Throws `command.malformed`. */
const moreOf = (flags: MoreFlags): Partial<BeginRequest> => ({
  bill: flags.bill === undefined ? undefined : receiptNumber(flags.bill),
  partial: flags.acceptPartial,
  storeCard: flags.storeCard,
  again: againOf(flags),
  ...cashierIn(flags),
});

const LEGS_MOST = 20;

/** The parts of the bill. Throws `amount.malformed`, and `command.malformed` if they do not add up to the bill. */
const splitOf = (text: string, total: Money): Money[] => {
  const amounts = text.split(',').map((part) => positiveAmount(part.trim(), total.currency));
  if (amounts.length < 2 || amounts.length > LEGS_MOST) throw malformed(`--split takes 2 to ${LEGS_MOST} amounts`);
  const sum = amounts.reduce(add);
  if (compare(sum, total) === 0) return amounts;
  throw malformed(`the parts of --split are ${printMoney(sum)}, and the bill is ${printMoney(total)}`);
};

type Split = { flags: SellFlags; accept: BeginRequest['accept']; total: Money; amounts: readonly Money[] };

/** Runs the parts. A cancellation ends the current one and starts no other; a declined part does not stop the rest. */
export const sellSplit = async (session: CommandSession, { flags, accept, total, amounts }: Split): Promise<void> => {
  const isQuiet = flags.json === true;
  const legs: FinishedSale[] = [];
  if (!isQuiet) tellMode(session);
  let fault: Fault | undefined;
  for (const [at, amount] of amounts.entries()) {
    if (!isQuiet) tell(`Part ${at + 1} of ${amounts.length}: ${printMoney(amount)}`);
    const [first] = legs;
    // The parts are for different cards, so the till does not ask about an unknown part before the next one.
    const again = [...againOf(flags), ...legs.map(({ receipt }) => receipt)];
    const bill = first === undefined ? { billTotal: amountOf(total) } : { bill: first.receipt };
    const request = { ...moreOf(flags), amount: amountOf(amount), accept, ...bill, again };
    const leg = await conduct(session, { flags, accept, goesOn: true }, (key) => begin(session, request, key)).catch(
      asFault,
    );
    if (leg instanceof Fault) {
      fault = leg;
      break;
    }
    legs.push(leg.outcome);
    if (!isQuiet && leg.outcome.bill !== undefined) tell(billState(billIn(leg.outcome.bill)));
    if (leg.cancelled) break;
  }
  if (fault !== undefined && legs.length === 0) throw fault;
  await conclude(session, { legs, fault, json: isQuiet });
};

/** A part that cannot be started or recorded ends the split. The results of the earlier parts are still printed. */
const asFault = (error: unknown): Fault => {
  if (isFault(error)) return error;
  throw error;
};

type Concluding = { legs: readonly FinishedSale[]; fault: Fault | undefined; json: boolean };

/** The first part that failed gives the exit code. A bill that is only partly paid has its own. */
const conclude = async (session: CommandSession, { legs: ran, fault, json }: Concluding): Promise<void> => {
  const legs: FinishedSale[] = [];
  for (const { receipt } of ran) legs.push(await outcomeOf(session, receipt));
  const [first] = legs;
  if (first?.bill === undefined) throw new Error('a split bill has legs');
  const { bill, receipt } = first;
  const failed = legs.map(exitCodeOf).find((code) => code !== 0);
  process.exitCode = fault === undefined ? (failed ?? (billIn(bill).left.minor > 0n ? PART : 0)) : FAULT;
  if (json) {
    const told = { bill: billJson(bill, receipt), legs: legs.map(saleJson) };
    printJson(session.shown, { ...told, fault: fault && faultJson(fault) });
    return;
  }
  if (fault !== undefined) for (const line of faultLines(fault)) tell(line);
  for (const line of restLines(bill, receipt)) tell(line);
};

type GiftFlags = Omit<SellFlags, 'accept' | 'tip' | 'split'> & { pin?: true };

/** `till gift`: a payment by gift card. Its number is typed without echo. */
export const addGift = (till: Command): void => {
  const says = 'take a payment by gift card; its number is typed without echo, or read from a pipe';
  withAgain(cashierCommand(till, 'gift <amount>', says))
    .option('--currency <code>', 'ISO 4217; default: the till’s currency')
    .option('--pin', 'the card has a PIN: ask for it after the number')
    .option('--accept-partial', 'accept less if the card has too little, and name what is left of the bill')
    .option('--bill <receipt>', 'pay a part of the bill of this receipt')
    .action((text: string, flags: GiftFlags) =>
      withTillApi(flags, async (session) => {
        const amount = amountOf(amountFor(session, flags, text));
        const number = await ask('Number of the gift card: ', 'no number was given');
        const pin = flags.pin === true ? await ask('PIN of the gift card: ', 'no PIN was given') : undefined;
        const request = { operation: 'giftCard', amount, ...moreOf(flags), giftCard: { number, pin } } as const;
        await runSale(session, { flags }, (key) => begin(session, request, key));
      }),
    );
};

/** Throws `gift.malformed` if nothing is typed. */
const ask = async (prompt: string, why: string): Promise<string> => {
  try {
    return await askHidden(prompt);
  } catch (error) {
    throw isFault(error, 'staff.pinMissing') ? new Fault('gift.malformed', { why }) : error;
  }
};

// `till credit` and `till preauth`: one pays money out to a card, the other holds an amount on it.

const withCard = {
  credit: {
    usage: 'credit <amount>',
    says: 'pay money out to a card without an earlier payment; needs a manager once the till has one',
  },
  preauthorisation: {
    usage: 'preauth <amount>',
    says: 'hold an amount on a card, to be completed or released later',
  },
} as const;

export const addWithCard =
  (operation: keyof typeof withCard) =>
  (till: Command): void => {
    const { usage, says } = withCard[operation];
    const added = cardCommand(till, usage, says).option('--currency <code>', 'ISO 4217; default: the till’s currency');
    // A credit cannot charge a customer twice.
    if (operation === 'preauthorisation') withAgain(added);
    added.action(async (text: string, flags: Omit<SellFlags, 'tip' | 'split'>) => {
      const accept = acceptOf(flags.accept);
      await withTillApi(flags, async (session) => {
        const amount = amountOf(amountFor(session, flags, text));
        const request = { operation, amount, accept, again: againOf(flags), ...cashierIn(flags) };
        await runSale(session, { flags, accept }, (key) => begin(session, request, key));
      });
    });
  };
