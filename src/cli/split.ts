/** A bill that several cards pay, one after another: each has its own ending, and those that stand stay standing. */
import { Fault, isFault } from '../base/fault.ts';
import { systemIds } from '../base/ids.ts';
import { add, compare, type Money, printMoney } from '../base/money.ts';
import { billOfSale } from '../ledger/bills.ts';
import type { Ended } from '../ledger/outcome.ts';
import { againOf, notChargedYet } from './again.ts';
import { type CardInterface, positiveAmount } from './arguments.ts';
import { billJson, billState, restLine } from './bill-words.ts';
import { cashierFor } from './person.ts';
import { conduct, saleJson } from './run-sale.ts';
import type { SellFlags } from './sell.ts';
import { printJson, tellMode } from './shown-mode.ts';
import { exitCodeOf, FAULT, faultJson, faultLines, PART, tell } from './terms.ts';
import type { CommandTill } from './till-options.ts';

const LEGS_MOST = 20;

/** The parts of the bill. Throws `command.malformed` unless they are the whole, `amount.malformed`. */
export const splitOf = (text: string, total: Money): Money[] => {
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
    printJson(running.shown, { ...told, ...(fault && { fault: faultJson(fault) }) });
    return;
  }
  if (fault !== undefined) for (const line of faultLines(fault)) tell(line);
  if (bill.left.minor > 0n) tell(restLine(bill, first));
};
