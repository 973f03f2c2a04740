/**
 * `till sell`: one sale, a part of a bill, or a bill that several cards pay, one after another: each has its own
 * ending, and those that stand stay standing.
 */
import type { Command } from 'commander';
import type { CardInterface } from '../../../drivers/terminal.ts';
import type { RunningTill } from '../../app/start-till.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { systemIds } from '../../base/ids.ts';
import { add, compare, type Money, printMoney } from '../../base/money.ts';
import { billOfSale, partOfBill } from '../../ledger/bills.ts';
import type { Ended } from '../../ledger/outcome.ts';
import { acceptOf, positiveAmount, receiptNumber, tipOf } from '../arguments.ts';
import { askHidden } from '../hidden-input.ts';
import { type CashierFlags, cashierFor, withCashier } from '../person.ts';
import { exitCodeOf, FAULT, faultJson, faultLines, PART, tell } from '../terms.ts';
import { printJson, tellMode } from '../till-folder.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import {
  type AgainFlags,
  againOf,
  billJson,
  billState,
  conduct,
  notChargedYet,
  restLine,
  runSale,
  saleJson,
  withAgain,
} from './run-sale.ts';

export type SellFlags = TillFlags &
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
  withAgain(withCashier(withTillOptions(till.command('sell <amount>').description('take a card payment'))))
    .addHelpText('after', examples)
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe')
    .option('--tip <amount>', 'comes to the amount')
    .option('--accept-partial', 'take less when the card has too little; what is left of the bill is named')
    .option('--store-card', 'have the gateway store the card; the result names its registration')
    .option('--bill <receipt>', 'pay a part of the bill that this receipt paid a part of')
    .option('--split <amounts>', 'several cards, one after another: 60.00,40.00')
    .action(async (amount: string, flags: SellFlags) => {
      const accept = acceptOf(flags.accept);
      if (flags.split !== undefined && flags.storeCard)
        throw new Fault('command.malformed', { why: '--split takes several cards: --store-card is for one' });
      if (flags.split !== undefined && (flags.tip !== undefined || flags.bill !== undefined))
        throw new Fault('command.malformed', { why: '--split goes with neither --tip nor --bill' });
      await withTill(flags, async (running) => {
        const currency = flags.currency ?? running.config.currency;
        const wanted = positiveAmount(amount, currency);
        if (flags.split !== undefined) {
          await sellSplit(running, { flags, accept, total: wanted, amounts: splitOf(flags.split, wanted) });
          return;
        }
        const asked = { amount: wanted, ...tipOf(flags.tip, currency), ...(await moreOf(running, flags, wanted)) };
        const request = { ...asked, ...notChargedYet(running, { operation: 'sale', ...asked }, againOf(flags)) };
        // A terminal that cannot be had is no sale: it is said before anything is begun.
        await running.terminalReady();
        await runSale(running, { flags, accept }, (hear) =>
          running.till.sell({ ...request, options: { accept } }, hear),
        );
      });
    });
};

type MoreFlags = CashierFlags & Pick<SellFlags, 'bill' | 'acceptPartial' | 'storeCard'>;

/**
 * The bill that it pays a part of, whether a part of it will do, and who sells. Throws `bill.none`, `bill.tooMuch`, and
 * what `cashierFor` throws.
 */
const moreOf = async (running: RunningTill, { bill, acceptPartial, storeCard, ...who }: MoreFlags, amount: Money) => ({
  bill: bill === undefined ? undefined : partOfBill(running, receiptNumber(bill), amount),
  partial: acceptPartial || undefined,
  storeCard: storeCard || undefined,
  ...(await cashierFor(who, running, 'sell')),
});

const LEGS_MOST = 20;

/** The parts of the bill. Throws `command.malformed` unless they are the whole, `amount.malformed`. */
const splitOf = (text: string, total: Money): Money[] => {
  const amounts = text.split(',').map((part) => positiveAmount(part.trim(), total.currency));
  if (amounts.length < 2 || amounts.length > LEGS_MOST)
    throw new Fault('command.malformed', { why: `--split takes 2 to ${LEGS_MOST} amounts` });
  const sum = amounts.reduce(add);
  if (compare(sum, total) === 0) return amounts;
  throw new Fault('command.malformed', {
    why: `the parts of --split are ${printMoney(sum)}, and the bill is ${printMoney(total)}`,
  });
};

type Split = { flags: SellFlags; accept: readonly CardInterface[]; total: Money; amounts: readonly Money[] };

/** Runs the legs. A cancel ends the one that runs and begins no other; a leg that fails stops none. */
export const sellSplit = async (running: CommandTill, { flags, accept, total, amounts }: Split): Promise<void> => {
  const id = systemIds.next();
  const shared = { bill: { id, total }, ...(await cashierFor(flags, running, 'sell')), ...partial(flags) };
  const legs: Ended[] = [];
  if (flags.json !== true) tellMode(running);
  let fault: Fault | undefined;
  // The parts of one bill are other cards': one that is unknown asks nothing of the next.
  const notYet = (amount: Money) => {
    const parts = legs.map(({ intent }) => intent.receipt);
    return notChargedYet(running, { operation: 'sale', amount }, [...againOf(flags), ...parts]);
  };
  for (const [at, amount] of amounts.entries()) {
    fault = await faultOf(running);
    if (fault !== undefined) break;
    if (flags.json !== true) tell(`Part ${at + 1} of ${amounts.length}: ${printMoney(amount)}`);
    const leg = await conduct(running, { flags, accept, goesOn: true }, (hear) =>
      running.till.sell({ amount, ...shared, ...notYet(amount), options: { accept: [...accept] } }, hear),
    ).catch(asFault);
    if (leg instanceof Fault) {
      fault = leg;
      break;
    }
    legs.push(leg.ended);
    if (flags.json !== true) tell(stateLine(running, leg.ended));
    if (leg.cancelled) break;
  }
  if (fault !== undefined && legs.length === 0) throw fault;
  conclude(running, { ran: legs, fault, json: flags.json === true });
};

/** A terminal that cannot be had between two parts ends the rest: those before stand. */
const faultOf = (running: CommandTill): Promise<Fault | undefined> =>
  running.terminalReady().then(() => undefined, asFault);

/** So does a part that cannot be written down: what those before it came to is told all the same. */
const asFault = (error: unknown): Fault => {
  if (isFault(error)) return error;
  throw error;
};

const stateLine = (running: CommandTill, leg: Ended): string => {
  const bill = billOfSale(running, leg);
  return bill === undefined ? '' : billState(bill);
};

const partial = ({ acceptPartial }: SellFlags) => (acceptPartial === true ? { partial: true as const } : {});

type Concluding = { ran: readonly Ended[]; fault: Fault | undefined; json: boolean };

/** The first leg that did not come about gives the exit code; a bill that is not paid has one of its own. */
const conclude = (running: CommandTill, { ran, fault, json }: Concluding): void => {
  const legs = ran.map(({ intent }) => running.till.find(intent.receipt)).filter((sale) => sale.at === 'ended');
  const [first] = legs;
  const bill = first && billOfSale(running, first);
  if (first === undefined || bill === undefined) throw new Error('a split bill has legs');
  const failed = legs.map(exitCodeOf).find((code) => code !== 0);
  process.exitCode = fault === undefined ? (failed ?? (bill.left.minor > 0n ? PART : 0)) : FAULT;
  if (json) {
    const told = { bill: billJson(bill, first), legs: legs.map((leg) => saleJson(running, leg)) };
    printJson(running.shown, { ...told, fault: fault && faultJson(fault) });
    return;
  }
  if (fault !== undefined) for (const line of faultLines(fault)) tell(line);
  if (bill.left.minor > 0n) tell(restLine(bill, first));
};

type GiftFlags = Omit<SellFlags, 'accept' | 'tip' | 'split'> & { pin?: true };

/** `till gift`: paid by a gift card, whose number is asked for where nobody else sees it. */
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
        const request = { amount, ...more, number, pin };
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
