/** A request of the local API → a sale at a counter. The same key begins one sale only, also after a restart. */
import type { BeginRequest, SellingPort } from '../api/ports/selling.ts';
import type { Actor } from '../api/ports/session.ts';
import { Fault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import { add, compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import { holdOfSale, partOfBill } from '../ledger/bills.ts';
import { saleByRequestKey } from '../ledger/search-index.ts';
import { moneyOf } from '../ledger/wire-money.ts';
import { hashOf } from '../reconciliation/z-report.ts';
import { refuseRefused } from '../terminals/terminal-mode.ts';
import type { BillPart, ProgramKey, RequestFingerprint } from '../till/machine/facts.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { Tell } from '../till/running.ts';
import { refuseLikely, type WantedSale } from './likely-sales.ts';
import type { Begun } from './live.ts';
import type { SellingCounter, SellingTill } from './port.ts';

export type FollowAsk = Parameters<SellingPort['follow']>[0];

export type BeginParts = {
  running: SellingTill;
  ids: Ids;
  /** Whether this sale, by its id, is under way. */
  isRunning(sale: string): boolean;
};

const standard = ['chip', 'tap', 'swipe'] as const;

/**
 * The sale that this key began before, by its id; undefined for a key that is new. Throws `request.keyReused` when
 * something else was asked for under it.
 */
export const begunBefore = ({ running }: BeginParts, { key, of }: RequestFingerprint): string | undefined => {
  const known = saleByRequestKey(running.journal.sql, key);
  if (known !== undefined && known.of !== of) throw new Fault('request.keyReused');
  return known?.sale;
};

/**
 * The name of a request, and a hash of all that it asks for. Of a gift card only the last four digits go into it. Each
 * program has names of its own: two that number their orders alike would be given each other's sales.
 */
export const requestFingerprint = (
  request: BeginRequest | FollowAsk,
  { key, by }: { key: string; by: Actor },
): RequestFingerprint => {
  const gift = 'giftCard' in request ? request.giftCard?.number.slice(-4) : undefined;
  // An answer to the till's question is no other request: whoever lost it may ask under the same key without it.
  return {
    key: by.program === undefined ? key : ofProgram(by.program, key),
    of: hashOf({ ...request, giftCard: gift, again: undefined }),
  };
};

/** A key of a program's own names. A person's key has no colon. */
export const ofProgram = (program: string, key: string): string => `${program.toLowerCase()}:${key}`;

/** Whoever is signed in, or the program that asks, with those who stand for its key. */
const cashierOf = ({ name, program, key }: Actor): { cashier?: string; program?: ProgramKey } => {
  if (name !== undefined) return { cashier: name };
  return program === undefined ? {} : { cashier: program, program: key };
};

/** `asked`: of a request that its key makes one and the same; a command is given once. */
type BeginContext = { by: Actor; asked?: RequestFingerprint };

/**
 * How the till begins it, and where. Throws `counter.unknown`, `terminal.unpaired`, `terminal.simulated`,
 * `terminal.real`, `sale.likely`, `amount.malformed`, `currency.differs`, `bill.none`, `bill.tooMuch`, `till.notFound`,
 * and as `UnpaidDesk.toCharge`.
 */
export const beginningOf = (parts: BeginParts, request: BeginRequest, { by, asked }: BeginContext): Begun => {
  const { operation, accept = standard, partial, storeCard, giftCard, again } = request;
  const { currency } = parts.running.config;
  const counter = counterFor(parts, request.counter);
  const amount = moneyOf(request.amount, currency);
  const bill = billFor(parts, request, amount);
  const tip = request.tip && moneyOf(request.tip, currency);
  const chargesAgain = chargedAgain(parts, request, amount);
  const facts = {
    amount,
    asked,
    ...cashierOf(by),
    chargesAgain,
    tip,
    bill,
    partial: partial || undefined,
    storeCard: storeCard || undefined,
  };
  const refuse = (wanted: WantedSale): number[] =>
    refuseLikely(parts.running, wanted, { again, isRunning: parts.isRunning });
  if (operation === 'giftCard') {
    if (giftCard === undefined) throw new Fault('gift.malformed', { why: 'its number is missing' });
    if (tip !== undefined) throw new Fault('gift.malformed', { why: 'a tip cannot be paid with it' });
    const answered = refuse({ operation: 'sale', amount });
    const start = (tell: Tell) => counter.till.payByGiftCard({ ...facts, ...giftCard, again: answered }, tell);
    return { counter, accept: [], start };
  }
  if (counter.presence().state === 'unpaired') throw new Fault('terminal.unpaired');
  refuseRefused(counter.presence());
  const answered = refuse({ operation, amount, tip });
  const whole = { ...facts, again: answered, options: { accept } };
  const ways = { sale: counter.till.sell, preauthorisation: counter.till.preauthorise, credit: counter.till.credit };
  return { counter, accept, start: (tell) => ways[operation](whole, tell) };
};

/** Throws as `UnpaidDesk.toCharge`; a tip is none of what is missing, and neither a hold nor a credit brings it. */
const chargedAgain = ({ running }: BeginParts, { chargesAgain, operation, tip }: BeginRequest, amount: Money) => {
  if (chargesAgain === undefined) return undefined;
  if (tip !== undefined || operation !== 'sale')
    throw new Fault('request.malformed', { why: 'chargesAgain: goes with a sale without a tip alone' });
  return running.unpaid.toCharge(chargesAgain, amount);
};

/** A part of a bill, or the first of one that is begun by it. */
const billFor = ({ running, ids }: BeginParts, request: BeginRequest, amount: Money): BillPart | undefined => {
  const { chargesAgain } = request;
  // What an unpaid sale was to pay of a bill, its new sale pays.
  const unpaid = chargesAgain === undefined ? undefined : running.till.find(chargesAgain).intent;
  const receipt = request.bill ?? (unpaid?.bill && unpaid.receipt);
  if (receipt !== undefined) return partOfBill(running, receipt, amount);
  if (request.billTotal === undefined) return undefined;
  const total = moneyOf(request.billTotal, amount.currency);
  if (compare(amount, total) > 0)
    throw new Fault('bill.tooMuch', { left: printMoney(total), unknown: printMoney(money(0n, total.currency)) });
  return { id: ids.next(), total };
};

/** Where this would be begun. Throws `counter.unknown`, `till.notFound`. */
export const counterOfRequest = (parts: BeginParts, request: BeginRequest | FollowAsk): SellingCounter =>
  'receipt' in request ? followingCounter(parts, request) : counterFor(parts, request.counter);

/** At the counter that took the payment: its terminal is wanted only where that authorised it. */
const followingCounter = (parts: BeginParts, request: FollowAsk): SellingCounter => {
  const { running } = parts;
  const { intent } = running.till.find(request.receipt);
  if (request.counter !== undefined) return counterFor(parts, request.counter);
  return running.counters.find(({ terminalId }) => terminalId === intent.terminalId) ?? running.counters[0];
};

/** Follows a payment that a terminal authorised: that terminal does it. Throws `till.notFound`. */
export const isForTerminal = ({ running }: BeginParts, request: FollowAsk): boolean =>
  running.till.find(request.receipt).intent.by === 'terminal';

/** Where nobody says which it is the first: a card must never be asked for at a terminal that nobody named. */
const counterFor = ({ running: { counters } }: BeginParts, name: string | undefined): SellingCounter => {
  if (name === undefined) return counters[0];
  const found = counters.find((counter) => counter.name === name);
  if (found !== undefined) return found;
  throw new Fault('counter.unknown', { counter: name, counters: counters.map((one) => one.name).join(', ') });
};

/**
 * What follows a payment, where `counterOfRequest` says. Throws as `beginningOf`; what may not follow is refused when
 * it is started.
 */
export const followingOf = (parts: BeginParts, request: FollowAsk, { by, asked }: BeginContext): Begun => {
  const { running } = parts;
  const { receipt } = request;
  const { intent } = running.till.find(receipt);
  const { currency } = intent.amount;
  const counter = followingCounter(parts, request);
  if (intent.by === 'terminal') refuseRefused(counter.presence());
  const amount = request.amount && moneyOf(request.amount, currency);
  const tip = request.tip && moneyOf(request.tip, currency);
  const what = {
    receipt,
    asked,
    ...cashierOf(by),
    ...wholeOf(running, request, amount),
    tip,
    keepRest: request.keepRest || undefined,
  };
  const { operation } = what;
  // Without an amount it is all that is left: what may have gone before is no part of that.
  const again =
    what.amount === undefined
      ? []
      : refuseLikely(
          running,
          { operation, amount: what.amount, tip, follows: receipt },
          { again: request.again, isRunning: parts.isRunning },
        );
  return {
    counter,
    accept: [],
    beside: intent.by !== 'terminal',
    start: (tell) => counter.till.follow({ ...what, again }, tell),
  };
};

/**
 * What has to be held before a tip can be charged, where it does; without a key of its own: the completion has it.
 * Throws as `followingOf`.
 */
export const raisingOf = (parts: BeginParts, request: FollowAsk, by: Actor): Begun | undefined => {
  if (request.operation !== 'tip') return undefined;
  const { running } = parts;
  const { missing } = tipOf(running, request);
  if (missing === undefined) return undefined;
  const counter = followingCounter(parts, request);
  const what = { operation: 'increment', asTip: true, receipt: request.receipt, amount: missing } as const;
  return {
    counter,
    accept: [],
    beside: true,
    start: (tell) => counter.till.follow({ ...what, ...cashierOf(by) }, tell),
  };
};

/** A tip afterwards is a completion of what was held, as it was held at first, with the tip. */
const wholeOf = (running: SellingTill, request: FollowAsk, amount: Money | undefined) => {
  const { operation } = request;
  if (operation !== 'tip') return { operation, amount };
  const { amount: bill } = tipOf(running, request);
  return { operation: 'completion' as const, asTip: true as const, amount: bill };
};

const tipOf = (running: SellingTill, { receipt, tip, amount }: FollowAsk): TipSteps => {
  const refused = (why: string) => new Fault('till.cannotFollow', { receipt, operation: 'a tip', why });
  if (tip === undefined) throw refused('the tip is missing');
  const sale = running.till.find(receipt);
  const { currency } = sale.intent.amount;
  const wanted = { tip: moneyOf(tip, currency), amount: amount && moneyOf(amount, currency) };
  const steps = tipSteps(running, sale, wanted);
  if (steps === 'raised') throw refused('it was raised since: complete it with what the bill is, and the tip');
  return steps;
};

// A tip after a pre-authorisation: the same at the command line, at the screens and for programs at the counter.

type TipSteps = {
  /** What is charged beside the tip; left out where the till refuses it anyhow. */
  readonly amount?: Money;
  /** What has to be held first, beyond what is held. */
  readonly missing?: Money;
};

/**
 * How a tip on this pre-authorisation is charged. `amount` is what the bill is; without it, what was pre-authorised.
 * `raised`: the pre-authorisation was raised since by something else, and nobody said what the bill is.
 */
const tipSteps = (
  books: Parameters<typeof holdOfSale>[0],
  sale: Sale,
  { tip, amount }: { tip: Money; amount?: Money | undefined },
): TipSteps | 'raised' => {
  if (sale.intent.operation !== 'preauthorisation') return amount === undefined ? {} : { amount };
  const { approved, held, left, completed, state } = holdOfSale(books, sale);
  const bill = amount ?? approved;
  // What cannot be completed any more is refused by name when that is tried, and nothing is held for it before.
  if (state !== 'open' || completed.minor > 0n) return { amount: bill };
  const raised = subtract(held, approved);
  // An increment of just the tip may be from a try before that went no further: it is not made again.
  if (amount === undefined && raised.minor !== 0n && compare(raised, tip) !== 0) return 'raised';
  const wanted = add(bill, tip);
  return compare(wanted, left) > 0 ? { amount: bill, missing: subtract(wanted, left) } : { amount: bill };
};
