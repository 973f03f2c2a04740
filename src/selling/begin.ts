/** Turns a request of the local API into a sale at a counter. A key begins only one sale, also after a restart. */
import type { BeginRequest } from '../api/contract/sale-requests.ts';
import type { SellingPort } from '../api/ports/selling.ts';
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
import type { ProgressListener } from '../till/running.ts';
import { refuseLikely, type WantedSale } from './likely-sales.ts';
import type { Begun } from './live.ts';
import type { SellingCounter, SellingTill } from './port.ts';

export type FollowUpInput = Parameters<SellingPort['follow']>[0];

export type BeginParts = {
  running: SellingTill;
  ids: Ids;
  isRunning(sale: string): boolean;
};

const standard = ['chip', 'tap', 'swipe'] as const;

/**
 * The id of the sale that this key began before. Undefined for a new key. Throws `request.keyReused` when the key was
 * used for a different request.
 */
export const saleOfRequest = ({ running }: BeginParts, { key, of }: RequestFingerprint): string | undefined => {
  const known = saleByRequestKey(running.journal.sql, key);
  if (known !== undefined && known.of !== of) throw new Fault('request.keyReused');
  return known?.sale;
};

/**
 * The key of a request, and a hash of everything it asks for. Of a gift card's number only the last four digits are
 * hashed. Each program has its own keys: otherwise two programs that number their orders alike would get each other's
 * sales.
 */
export const requestFingerprint = (
  request: BeginRequest | FollowUpInput,
  { key, by }: { key: string; by: Actor },
): RequestFingerprint => {
  const gift = 'giftCard' in request ? request.giftCard?.number.slice(-4) : undefined;
  // An answer to the till's question does not make it another request: a caller that lost the response may repeat it
  // under the same key without the answer.
  return {
    key: by.program === undefined ? key : programKey(by.program, key),
    of: hashOf({ ...request, giftCard: gift, again: undefined }),
  };
};

/** A key in a program's own namespace. A person's key contains no colon. */
export const programKey = (program: string, key: string): string => `${program.toLowerCase()}:${key}`;

type Cashier = { cashier?: string; program?: ProgramKey };

/**
 * The person signed in, or the requesting program with the people responsible for its key, or the person whom the
 * request names. Throws `staff.unknown`, and `staff.notAllowed` for a name that the requester may not use.
 */
const cashierOf = ({ running }: BeginParts, { cashier }: BeginRequest | FollowUpInput, actor: Actor): Cashier => {
  const { name, program, key, role = 'cashier', permissions } = actor;
  if (cashier === undefined && name !== undefined) return { cashier: name };
  if (cashier === undefined) return program === undefined ? {} : { cashier: program, program: key };
  if (program !== undefined) throw new Fault('request.malformed', { why: 'cashier: a program sells in its own name' });
  if (name === undefined) return { cashier };
  const person = running.staff.named(cashier, 'sell');
  if (person.name !== name && !permissions.includes('seeAll'))
    throw new Fault('staff.notAllowed', { name, role, what: 'sell in the name of somebody else' });
  return { cashier: person.name };
};

/** `asked`: the fingerprint of a request with an idempotency key. A command has none, because it is given only once. */
type BeginContext = { by: Actor; fingerprint?: RequestFingerprint };

/**
 * How and where the till begins the sale. Throws `counter.unknown`, `terminal.unpaired`, `terminal.simulated`,
 * `terminal.real`, `sale.likely`, `amount.malformed`, `currency.differs`, `bill.none`, `bill.tooMuch`, `till.notFound`,
 * and as `UnpaidSales.toCharge`.
 */
export const beginningOf = (parts: BeginParts, request: BeginRequest, { by, fingerprint }: BeginContext): Begun => {
  const { operation, accept = standard, partial, storeCard, giftCard, again } = request;
  const { currency } = parts.running.config;
  const counter = counterFor(parts, request.counter);
  const amount = moneyOf(request.amount, currency);
  const bill = billFor(parts, request, amount);
  const tip = request.tip && moneyOf(request.tip, currency);
  const chargesAgain = chargedAgain(parts, request, amount);
  const facts = {
    amount,
    asked: fingerprint,
    ...cashierOf(parts, request, by),
    chargesAgain,
    tip,
    bill,
    partial: partial || undefined,
    storeCard: storeCard || undefined,
  };
  const refuse = (request: WantedSale): number[] =>
    refuseLikely(parts.running, request, { confirmed: again, isRunning: parts.isRunning });
  if (operation === 'giftCard') {
    if (giftCard === undefined) throw new Fault('gift.malformed', { why: 'its number is missing' });
    if (tip !== undefined) throw new Fault('gift.malformed', { why: 'a tip cannot be paid with it' });
    const answered = refuse({ operation: 'sale', amount });
    const start = (onProgress: ProgressListener) =>
      counter.till.payByGiftCard({ ...facts, ...giftCard, again: answered }, onProgress);
    return { counter, accept: [], start };
  }
  if (counter.presence().state === 'unpaired') throw new Fault('terminal.unpaired');
  refuseRefused(counter.presence());
  const answered = refuse({ operation, amount, tip });
  const whole = { ...facts, again: answered, options: { accept } };
  const startFunctions = {
    sale: counter.till.sell,
    preauthorisation: counter.till.preauthorise,
    credit: counter.till.credit,
  };
  return { counter, accept, start: (notify) => startFunctions[operation](whole, notify) };
};

/**
 * Throws as `UnpaidSales.toCharge`. A tip is not part of the missing money, and neither a hold nor a credit can bring
 * it.
 */
const chargedAgain = ({ running }: BeginParts, { chargesAgain, operation, tip }: BeginRequest, amount: Money) => {
  if (chargesAgain === undefined) return undefined;
  if (tip !== undefined || operation !== 'sale')
    throw new Fault('request.malformed', { why: 'chargesAgain: goes with a sale without a tip alone' });
  return running.unpaid.toCharge(chargesAgain, amount);
};

/** Part of an existing bill, or of a new bill that it begins. */
const billFor = ({ running, ids }: BeginParts, request: BeginRequest, amount: Money): BillPart | undefined => {
  const { chargesAgain } = request;
  // A new sale for an unpaid one pays the same part of the bill.
  const unpaid = chargesAgain === undefined ? undefined : running.till.find(chargesAgain).intent;
  const receipt = request.bill ?? (unpaid?.bill && unpaid.receipt);
  if (receipt !== undefined) return partOfBill(running, receipt, amount);
  if (request.billTotal === undefined) return undefined;
  const total = moneyOf(request.billTotal, amount.currency);
  if (compare(amount, total) > 0)
    throw new Fault('bill.tooMuch', { left: printMoney(total), unknown: printMoney(money(0n, total.currency)) });
  return { id: ids.next(), total };
};

/** The counter where this request would begin. Throws `counter.unknown`, `till.notFound`. */
export const counterOfRequest = (parts: BeginParts, request: BeginRequest | FollowUpInput): SellingCounter =>
  'receipt' in request ? followingCounter(parts, request) : counterFor(parts, request.counter);

/** The counter that took the payment; its terminal is needed only if it authorised the payment. */
const followingCounter = (parts: BeginParts, request: FollowUpInput): SellingCounter => {
  const { running } = parts;
  const { intent } = running.till.find(request.receipt);
  if (request.counter !== undefined) return counterFor(parts, request.counter);
  return running.counters.find(({ terminalId }) => terminalId === intent.terminalId) ?? running.counters[0];
};

/**
 * Whether the operation follows a payment that a terminal authorised, so that this terminal must do it. Throws
 * `till.notFound`.
 */
export const isForTerminal = ({ running }: BeginParts, request: FollowUpInput): boolean =>
  running.till.find(request.receipt).intent.by === 'terminal';

/** The first counter if the request names none. A wrong name is refused, so that no other terminal asks for a card. */
const counterFor = ({ running: { counters } }: BeginParts, name: string | undefined): SellingCounter => {
  if (name === undefined) return counters[0];
  const found = counters.find((counter) => counter.name === name);
  if (found !== undefined) return found;
  throw new Fault('counter.unknown', { counter: name, counters: counters.map((one) => one.name).join(', ') });
};

/**
 * How the till begins an operation that follows a payment, at the counter of `counterOfRequest`. Throws as
 * `beginningOf`. Operations that are not allowed are refused when they start.
 */
export const followingOf = (parts: BeginParts, request: FollowUpInput, { by, fingerprint }: BeginContext): Begun => {
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
    asked: fingerprint,
    ...cashierOf(parts, request, by),
    ...wholeOf(running, request, amount),
    tip,
    keepRest: request.keepRest || undefined,
  };
  const { operation } = what;
  // Without an amount the operation takes all that is left, so it cannot repeat an earlier one.
  const repeats =
    what.amount === undefined
      ? []
      : refuseLikely(
          running,
          { operation, amount: what.amount, tip, follows: receipt },
          { confirmed: request.again, isRunning: parts.isRunning },
        );
  return {
    counter,
    accept: [],
    beside: intent.by !== 'terminal',
    start: (notify) => counter.till.follow({ ...what, again: repeats }, notify),
  };
};

/**
 * The increment that must be approved before a tip can be charged, if one is needed. It has no key of its own: the
 * completion has it. Throws as `followingOf`.
 */
export const raisingOf = (parts: BeginParts, request: FollowUpInput, actor: Actor): Begun | undefined => {
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
    start: (notify) => counter.till.follow({ ...what, ...cashierOf(parts, request, actor) }, notify),
  };
};

/** A later tip is a completion of the originally held amount plus the tip. */
const wholeOf = (running: SellingTill, request: FollowUpInput, amount: Money | undefined) => {
  const { operation } = request;
  if (operation !== 'tip') return { operation, amount };
  const { amount: bill } = tipOf(running, request);
  return { operation: 'completion' as const, asTip: true as const, amount: bill };
};

const tipOf = (running: SellingTill, { receipt, tip, amount }: FollowUpInput): TipSteps => {
  const refused = (reason: string) => new Fault('till.cannotFollow', { receipt, operation: 'a tip', why: reason });
  if (tip === undefined) throw refused('the tip is missing');
  const sale = running.till.find(receipt);
  const { currency } = sale.intent.amount;
  const requestedAmounts = { tip: moneyOf(tip, currency), amount: amount && moneyOf(amount, currency) };
  const steps = tipSteps(running, sale, requestedAmounts);
  if (steps === 'raised') throw refused('the hold was raised since: complete it with the bill and the tip');
  return steps;
};

// Tips after a pre-authorisation work the same way from the command line, the screens and programs at the counter.

type TipSteps = {
  /** The amount to charge besides the tip. Absent when the till will refuse anyway. */
  readonly amount?: Money;
  /** How much more must be held first. */
  readonly missing?: Money;
};

/**
 * How a tip on this pre-authorisation is charged. `amount` is the bill; without it, the amount pre-authorised.
 * `raised`: something else has raised the pre-authorisation since, and the request does not say what the bill is.
 */
const tipSteps = (
  books: Parameters<typeof holdOfSale>[0],
  sale: Sale,
  { tip, amount }: { tip: Money; amount?: Money | undefined },
): TipSteps | 'raised' => {
  if (sale.intent.operation !== 'preauthorisation') return amount === undefined ? {} : { amount };
  const { approved, held, left, completed, state } = holdOfSale(books, sale);
  const bill = amount ?? approved;
  // A hold that can no longer be completed is refused when that is tried, so nothing is held for it first.
  if (state !== 'open' || completed.minor > 0n) return { amount: bill };
  const raised = subtract(held, approved);
  // An increment of exactly the tip may come from an earlier unfinished try: it is not repeated.
  if (amount === undefined && raised.minor !== 0n && compare(raised, tip) !== 0) return 'raised';
  const totalWithTip = add(bill, tip);
  return compare(totalWithTip, left) > 0 ? { amount: bill, missing: subtract(totalWithTip, left) } : { amount: bill };
};
