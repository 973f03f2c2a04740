/**
 * The terminal's last payment: from its repeated receipt (0620), and from the totals of its day (0610). Only a repeated
 * receipt with amount and receipt number identifies a payment; without both it could be any payment.
 */
import { type Clock, pause } from '../../../src/base/clock.ts';
import { Fault, isFault } from '../../../src/base/fault.ts';
import type { IntegratedOutcome } from '../../integrated-terminal.ts';
import { commands } from '../protocol/commands.ts';
import { noReceiptNumber, outcomeOf, type ZvtCommandResult } from './outcome.ts';

export type LastPayment = IntegratedOutcome | { kind: 'none' };

/** The queries. `state` resolves with two hex digits, and throws what the driver throws. */
export type LastPaymentQueries = {
  repeat(): Promise<ZvtCommandResult>;
  totals(): Promise<ZvtCommandResult>;
  state(): Promise<string>;
  clock: Clock;
};

/** Codes with which a terminal reports that it has nothing to repeat (assumed, see README). */
const nothingToRepeat: ReadonlySet<string> = new Set(['83']);
/** Please wait, and receiver not ready: a terminal in these states may still be at the payment in question. */
export const busyStates: ReadonlySet<string> = new Set(['9C', 'A0']);

/** For some seconds a terminal shows how a payment ended, and accepts no command meanwhile. */
const AGAIN_MS = 1_000;
const QUERIES_MAX = 6;

/** The reply, or the code with which the terminal reports that it is busy. */
type LastPaymentReply = { facts: ZvtCommandResult } | { busy: string };

/**
 * The outcome of the terminal's last payment. A busy terminal is asked again for five seconds. Throws
 * `terminal.unclear` while it is at a payment or its answer is inconclusive, `terminal.refused` when it does not send
 * its results.
 */
export const askLast = async ({ repeat, state, clock }: LastPaymentQueries): Promise<LastPayment> => {
  const ask = async (): Promise<LastPaymentReply> => {
    const facts = await repeat();
    const busy = await busyCode(facts, state);
    return busy === undefined ? { facts } : { busy };
  };
  return lastOf(await repeatUntilIdle(commands.repeatReceipt.says, { ask, clock }));
};

/**
 * The receipt number of the newest payment in the terminal's turnover, `none` if that is empty; undefined if it does
 * not report it. Closes nothing, and prints nothing at the terminal. A busy terminal is asked again for five seconds.
 * Throws `terminal.unclear` while it is at a payment.
 */
export const askNewest = async ({ totals, state, clock }: LastPaymentQueries): Promise<string | undefined> => {
  const ask = async (): Promise<LastPaymentReply> => {
    const currentState = await state();
    if (busyStates.has(currentState)) return { busy: currentState };
    const facts = await totals();
    const { end } = facts;
    return end.kind !== 'completed' && busyStates.has(end.code) ? { busy: end.code } : { facts };
  };
  const { end, results } = await repeatUntilIdle(commands.totals.says, { ask, clock });
  const result = results.at(-1);
  if (end.kind !== 'completed' || result?.code !== '00') return undefined;
  return result.newest === noReceiptNumber ? 'none' : result.newest;
};

const repeatUntilIdle = async (
  name: string,
  { ask, clock }: { ask(): Promise<LastPaymentReply>; clock: Clock },
): Promise<ZvtCommandResult> => {
  for (let askedCount = 1; ; askedCount += 1) {
    const received = await ask();
    if ('facts' in received) return received.facts;
    if (askedCount >= QUERIES_MAX) throw unclearFault(name, received.busy, MAY_BE_PAYING);
    await pause(clock, AGAIN_MS);
  }
};

/** The code with which it reports that it is busy. If it has nothing to repeat, its state is asked. */
const busyCode = async (facts: ZvtCommandResult, state: LastPaymentQueries['state']): Promise<string | undefined> => {
  const { end, name } = facts;
  if (end.kind !== 'completed' && busyStates.has(end.code)) return end.code;
  if (!hasNothing(facts)) return undefined;
  try {
    const currentState = await state();
    return busyStates.has(currentState) ? currentState : undefined;
  } catch (error) {
    if (!isFault(error, 'terminal.refused')) throw error;
    throw new Fault('terminal.unclear', { command: name, status: '-', why: MAY_BE_PAYING }, error);
  }
};

const MAY_BE_PAYING = 'it may still be at a payment';

const unclearFault = (command: string, status: string, reason: string): Fault =>
  new Fault('terminal.unclear', { command, status, why: reason });

const hasNothing = ({ end, results }: ZvtCommandResult): boolean =>
  results.length === 0 && end.kind !== 'completed' && nothingToRepeat.has(end.code);

const lastOf = (facts: ZvtCommandResult): LastPayment => {
  const { end, results, receipts, name } = facts;
  if (hasNothing(facts)) return { kind: 'none' };
  if (end.kind !== 'completed') throw unclearFault(name, end.code, 'it does not repeat its last payment');
  const result = results.at(-1);
  // The terminal's last action was the end of its day: no payment was made since.
  const closed =
    receipts.administration && result?.receiptNumber === undefined && result?.details.maskedPan === undefined;
  if (closed) return { kind: 'none' };
  if (result === undefined) {
    const reason = 'it repeats its last receipt, but not what became of the payment';
    throw new Fault('terminal.refused', { command: name, status: '-', why: reason });
  }
  if (result.amountMinor === undefined || result.receiptNumber === undefined)
    throw unclearFault(name, '-', 'it does not say which payment it repeats');
  return outcomeOf(facts);
};
