/** What is asked of a terminal about a payment it was told to make: what became of it, and to take it back. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { TerminalEvent } from '../../drivers/terminal.ts';
import { printable } from '../base/mask.ts';
import { compare, printMoney } from '../base/money.ts';
import type { SaleEvent } from './events.ts';
import { eventOfLast, eventOfOutcome } from './last-payment.ts';
import type { Sale } from './states.ts';

/** An open terminal, and which device it is. */
export type Opened = { terminal: IntegratedTerminal; device: string };
type TakenBack = Extract<SaleEvent, { on: 'terminalReversed' }>;
type Hear = (event: TerminalEvent) => void;

/** Which device this is: the payments it knows are known to no other. Throws what its driver throws. */
export const opened = async (terminal: IntegratedTerminal): Promise<Opened> => {
  const { model, serial } = await terminal.info();
  return { terminal, device: printable(`${model} ${serial}`, 60) };
};

/**
 * What became of this sale. A reversal is made again: a payment can be taken back once only. Everything else is asked
 * for. The terminal must have been opened since the payment. Throws what its driver throws.
 */
export const askedAnew = async ({ terminal, device }: Opened, now: Sale, hear: Hear): Promise<SaleEvent> => {
  const { intent, terminal: at } = now;
  if (at === undefined || at.device !== device)
    return { on: 'terminalSilent', why: `another terminal answers: ${device}` };
  const { follows } = intent;
  if (follows?.at?.how === 'reverse') return eventOfOutcome(await terminal.reverse(follows.payment, hear));
  return eventOfLast(await terminal.last(), at.before, intent);
};

/** Takes back what it approved; undefined when that is still to be done. Throws what its driver throws. */
export const takenBack = async (
  { terminal, device }: Opened,
  { terminal: at }: Sale,
  hear: Hear,
): Promise<TakenBack | undefined> => {
  if (at?.payment === undefined || at.device !== device) return undefined;
  const { receiptNumber, amount } = at.payment;
  const outcome = await terminal.reverse(receiptNumber, hear);
  if (outcome.kind === 'notBegun') return undefined;
  if (outcome.kind === 'declined' && outcome.already === true) return { on: 'terminalReversed', how: 'reversed' };
  if (outcome.kind === 'declined') return { on: 'terminalReversed', how: 'refused', why: printable(outcome.why, 100) };
  const told = outcome.payment.amount;
  return told.currency === amount.currency && compare(told, amount) === 0
    ? { on: 'terminalReversed', how: 'reversed' }
    : { on: 'terminalReversed', how: 'refused', why: `it took back ${printMoney(told)}` };
};
