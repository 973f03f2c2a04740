/** Runs a sale from a command, and follows the till's events from its first step to its receipts. */
import type { Command } from 'commander';
import type { BillFacts, FinishedSale } from '../../api/contract/paper.ts';
import type { LiveSale } from '../../api/contract/sales.ts';
import { systemClock, within } from '../../base/clock.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { systemIds } from '../../base/ids.ts';
import { type Money, parseAmount, printAmount, printMoney } from '../../base/money.ts';
import { systemErrorText } from '../../base/system-error-text.ts';
import { faultIn, unwrap } from '../api-client.ts';
import { receiptNumber } from '../arguments.ts';
import { openSaleEvents, type SaleEvents } from '../event-reader.ts';
import type { CommandSession } from '../front-door.ts';
import { withCashier } from '../person.ts';
import { onSignals } from '../stop-signals.ts';
import { exitCodeOf, print, resultLines, stepWords, tell } from '../terms.ts';
import { printJson, tellMode } from '../till-folder.ts';
import { count, withTillOptions } from '../till-options.ts';

/** Identifies a request that moves money: the same key never starts a second sale. */
export type KeyHeader = { headers: { 'idempotency-key': string } };
type Begin = (key: KeyHeader) => Promise<LiveSale>;

type How = {
  flags: { json?: true };
  accept?: LiveSale['accept'] | undefined;
  /** Another part of the bill follows at once, so how to pay the rest is not printed yet. */
  goesOn?: true;
  /** The receipt of the pre-authorisation for which more may have to be held first. */
  raises?: number;
};

/** Runs the operation, prints its steps, result and receipts, or all of it as JSON, and sets the exit code. */
export const runSale = async (session: CommandSession, how: How, begin: Begin): Promise<FinishedSale> => {
  if (how.flags.json !== true) tellMode(session);
  const { outcome } = await conduct(session, how, begin);
  if (how.flags.json === true) printJson(session.shown, saleJson(outcome));
  process.exitCode = exitCodeOf(outcome);
  return outcome;
};

export type Conducted = { outcome: FinishedSale; cancelled: boolean };

/** The same without exit code and JSON, for one sale of several. A stop signal asks for a cancellation. */
export const conduct = async (session: CommandSession, how: How, begin: Begin): Promise<Conducted> => {
  const events = await openSaleEvents(session.api);
  const teller = openTeller(session, how);
  const stopListening = onSignals(teller.cancel);
  const leave = keepSignedIn(session);
  try {
    const key = { headers: { 'idempotency-key': systemIds.next() } };
    const { receipt } = await followToEnd({ events, begin: () => begin(key), isRaise: teller.isRaise }, teller.hear);
    const first = await teller.outcome(receipt);
    const cancelled = teller.isCancelled();
    if (cancelled && first.ending === 'approved') tellTooLate(first);
    await sendBriefly(session);
    const outcome = await outcomeOf(session, receipt);
    if (how.flags.json !== true) {
      if (outcome.forwarded !== first.forwarded || outcome.ending !== first.ending)
        for (const line of resultLines(outcome)) tell(line);
      show(outcome, how);
    }
    return { outcome, cancelled };
  } finally {
    leave();
    stopListening();
    events.close();
  }
};

/** A finished sale. With `paper`, only that copy of its receipt, marked as a duplicate. */
export const outcomeOf = (
  { api }: Pick<CommandSession, 'api'>,
  receipt: number,
  paper?: { copy: 'customer' | 'merchant'; width: string },
): Promise<FinishedSale> => {
  const query = paper === undefined ? {} : ({ ...paper, duplicate: 'true' } as const);
  return unwrap<FinishedSale>(
    api.sales[':receipt{[0-9]{1,9}}'].outcome.$get({ param: { receipt: String(receipt) }, query }),
  );
};

type Following = { events: SaleEvents; begin: () => Promise<LiveSale>; isRaise(sale: LiveSale): boolean };

/** Calls `hear` with each state of the sale in order. Throws what `begin` throws, and `till.gone`. */
const followToEnd = async (
  { events, begin, isRaise }: Following,
  hear: (sale: LiveSale) => Promise<void>,
): Promise<LiveSale> => {
  const request = begin().catch((error: unknown) => {
    throw isFault(error) ? error : new Fault('till.gone', { why: systemErrorText(error) }, error);
  });
  const next = () => events.next().then((sale) => ({ sale }));
  let event = next();
  // Events that arrived before the answer with the sale's id.
  const early: LiveSale[] = [];
  let mine: LiveSale | undefined;
  for (;;) {
    const answer = mine === undefined ? [request.then((sale) => ({ sale, isAnswer: true }))] : [];
    const { sale, ...more } = await Promise.race([...answer, event]);
    if ('isAnswer' in more) mine = sale;
    else event = next();
    if (sale === undefined) throw new Fault('till.gone', { why: 'its events have ended' });
    if (mine === undefined && !isRaise(sale)) early.push(sale);
    else if (sale.id === mine?.id || isRaise(sale)) {
      const states = 'isAnswer' in more ? [sale, ...early.filter(({ id }) => id === sale.id)] : [sale];
      for (const state of states) {
        await hear(state);
        if (state.id === mine?.id && state.phase === 'ended') return state;
      }
    }
  }
};

/** Prints what each state of a sale adds to the previous one, and asks for a cancellation. */
const openTeller = (session: CommandSession, { flags, accept = [], raises }: How) => {
  const { api } = session;
  const outcomes = new Map<number, Promise<FinishedSale>>();
  /** The number of the last printed step, by the sale's id. */
  const steps = new Map<string, number>();
  let last: LiveSale | undefined;
  let isCancelled = false;
  const askCancel = (sale: LiveSale): void => {
    unwrap(api.live[':id'].cancel.$post({ param: { id: sale.id } })).catch((error) => tell(`${errorText(error)}.`));
  };
  const outcome = (receipt: number): Promise<FinishedSale> => {
    const known = outcomes.get(receipt) ?? outcomeOf(session, receipt);
    outcomes.set(receipt, known);
    return known;
  };
  const isRaise = ({ operation, asTip, followsReceipt }: LiveSale): boolean =>
    operation === 'increment' && asTip === true && followsReceipt === raises;
  return {
    outcome,
    isRaise,
    isCancelled: () => isCancelled,
    cancel() {
      isCancelled = true;
      tell('Cancelling. Please wait for the result.');
      if (last !== undefined) askCancel(last);
    },
    async hear(sale: LiveSale): Promise<void> {
      if (isCancelled && last?.id !== sale.id && sale.result === undefined) askCancel(sale);
      last = sale;
      const from = steps.get(sale.id) ?? 0;
      const fresh = (sale.steps ?? []).filter(({ n }) => n > from);
      steps.set(sale.id, fresh.at(-1)?.n ?? from);
      if (flags.json !== true) for (const step of fresh) tell(stepWords(step, accept));
      if (sale.problem !== undefined) throw faultIn(sale.problem);
      if ((sale.result === undefined && sale.phase !== 'ended') || outcomes.has(sale.receipt)) return;
      const ended = await outcome(sale.receipt);
      if (flags.json === true) return;
      for (const line of resultLines(ended)) tell(line);
      if (isRaise(sale) && ended.ending === 'approved') show(ended, {});
    },
  };
};

/** Keeps the session unlocked: a sale can take longer than the idle time of a session. */
const keepSignedIn = ({ api, state }: CommandSession): (() => void) => {
  const everyMs = (state.signedIn?.lockAfterMs ?? 0) / 3;
  if (everyMs === 0) return () => {};
  let stop = (): void => {};
  const wait = (): void => {
    stop = systemClock.after(everyMs, () => {
      unwrap(api.session.touch.$post()).catch(() => {});
      wait();
    });
  };
  wait();
  return () => stop();
};

const takenBackBy: Readonly<Partial<Record<FinishedSale['operation'], string>>> = {
  sale: 'refund',
  credit: 'void',
  preauthorisation: 'release',
};

const tellTooLate = ({ operation, receipt }: FinishedSale): void => {
  const command = takenBackBy[operation];
  if (command !== undefined) tell(`It was too late to cancel. To take it back: npm run till -- ${command} ${receipt}`);
};

/** The longest that a command waits for stored messages. The next command sends the rest. */
const SEND_WITHIN_MS = 5_000;

/** Sends the messages that are due, if the gateway is quick. A failure does not affect the sale before it. */
const sendBriefly = async ({ sendStored }: CommandSession): Promise<void> => {
  const late = () => new Fault('host.silent', { why: 'it took too long' });
  try {
    const sent = await within(systemClock, SEND_WITHIN_MS, sendStored(), late);
    if (sent === undefined) return;
    const { done, later, parked } = sent;
    if (done > 0) tell(`Sent ${count(done, 'stored message')}.`);
    if (later > 0) tell(`${count(later, 'message')} could not be sent yet; the next command tries again.`);
    if (parked > 0) tell(`${count(parked, 'message')} for a person to look at: npm run till -- queue`);
  } catch (error) {
    tell(`Stored messages could not be sent yet: ${errorText(error)}.`);
  }
};

/** Prints the bill that it belongs to, and its receipts. */
const show = ({ bill, receipt, receiptText }: FinishedSale, { goesOn }: Pick<How, 'goesOn'>): void => {
  if (bill !== undefined && goesOn !== true)
    for (const line of [billState(billIn(bill)), ...restLines(bill, receipt)]) tell(line);
  for (const lines of Object.values(receiptText)) print(['', ...lines].join('\n'));
};

/** A finished sale as JSON, with the command that pays the rest of its bill. */
export const saleJson = ({ bill, ...facts }: FinishedSale): Record<string, unknown> => ({
  ...facts,
  bill: bill && billJson(bill, facts.receipt),
});

/** A command that moves money, with the options of the cashier. */
export const cashierCommand = (till: Command, usage: string, says: string): Command =>
  withCashier(withTillOptions(till.command(usage).description(says)));

/** A command that moves money with a card that is read at the terminal. */
export const cardCommand = (till: Command, usage: string, says: string): Command =>
  cashierCommand(till, usage, says).option(
    '--accept <list>',
    'how a card may be presented: chip, tap, swipe, manual',
    'chip,tap,swipe',
  );

// `--again`: confirms that the sales that the till asks about were another customer's.

export type AgainFlags = { again?: string[] };

export const withAgain = (command: Command): Command =>
  command.option('--again <receipt...>', 'unknown sales of the same amount that were another customer’s');

/** The receipts that `--again` names. Throws `command.malformed`. */
export const againOf = ({ again = [] }: AgainFlags): number[] => again.map(receiptNumber);

// A bill after each of its payments: what is paid, what is left, and the command that pays the rest.

type BillSums = { total: Money; paid: Money; unknown: Money; left: Money };

export const billIn = ({ currency, ...bill }: BillFacts): BillSums => ({
  total: parseAmount(bill.total, currency),
  paid: parseAmount(bill.paid, currency),
  unknown: parseAmount(bill.unknown, currency),
  left: parseAmount(bill.left, currency),
});

/** The command that pays the rest of a bill, which any of its receipts identifies. */
const paysRest = (left: Money, receipt: number): string =>
  `npm run till -- sell ${printAmount(left)} --bill ${receipt}`;

export const billState = ({ total, paid, unknown, left }: BillSums): string =>
  left.minor === 0n && unknown.minor === 0n
    ? `The bill of ${printMoney(total)} is paid.`
    : `Of the bill of ${printMoney(total)}, ${printMoney(paid)} is paid${open(unknown)}; ${printMoney(left)} is left.`;

const open = (unknown: Money): string => (unknown.minor === 0n ? '' : `, ${printMoney(unknown)} waits for its result`);

/** Empty if nothing is left to pay. */
export const restLines = (bill: BillFacts, receipt: number): string[] => {
  const { left } = billIn(bill);
  return left.minor > 0n ? [`To take what is left: ${paysRest(left, receipt)}`] : [];
};

/** `pay` is absent if nothing is left to pay. */
export const billJson = (bill: BillFacts, receipt: number): Record<string, unknown> => {
  const { left } = billIn(bill);
  return { ...bill, pay: left.minor > 0n ? paysRest(left, receipt) : undefined };
};
