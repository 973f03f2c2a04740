/** What a terminal is asked about a payment that it was told to make: its outcome, and its reversal. */
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import type { TerminalEvent } from '../../../drivers/terminal.ts';
import type { Clock } from '../../base/clock.ts';
import { isFault } from '../../base/fault.ts';
import { compare, printMoney } from '../../base/money.ts';
import { startOfDay } from '../../base/wall-time.ts';
import { safeText } from '../../emv/card-text.ts';
import { recordInquiry } from '../gateway/evidence.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { InquiryAnswer } from '../machine/facts.ts';
import { isUnread, next } from '../machine/sale.ts';
import type { EndedSale, Sale } from '../machine/states.ts';
import { misfitOf, paymentFacts, unprovableReason } from '../machine/terminal-facts.ts';
import type { Ledger, TillParts } from '../ports.ts';
import { isUsedOnce } from './device-numbers.ts';
import { eventOfLast, eventOfNewest, eventOfOutcome, unclearEvent } from './last-payment.ts';

/** An open terminal, and its device. `unnamed`: nothing distinguishes it from another one of its model. */
type Opened = { terminal: IntegratedTerminal; device: string; unnamed?: true };
type ReversedEvent = Extract<SaleEvent, { on: 'terminalReversed' }>;
type EventListener = (event: TerminalEvent) => void;

/** Identifies the device: no other device knows its payments. Throws what its driver throws. */
export const opened = async (terminal: IntegratedTerminal): Promise<Opened> => {
  const { model, serial } = await terminal.info();
  return { terminal, device: safeText(`${model} ${serial}`, 60), unnamed: serial.trim() === '' || undefined };
};

/**
 * The outcome of this sale. A reversal is repeated, because a payment can be reversed only once. Everything else is
 * inquired about. The terminal must have been opened since the payment. Throws what its driver throws.
 */
export const inquireOnceMore = async (
  { terminal, device }: Opened,
  now: Sale,
  handle: EventListener,
): Promise<SaleEvent> => {
  const { intent, terminal: at } = now;
  if (at === undefined || at.device !== device)
    return { on: 'terminalSilent', why: `another terminal answers: ${device}` };
  const { follows, amount } = intent;
  if (follows?.at?.how === 'reverse')
    return eventOfOutcome(await terminal.reverse({ receiptNumber: follows.payment, amount }, handle));
  // There is nothing that the terminal's report could be compared with.
  const reason = unprovableReason(at.before);
  if (reason !== undefined) return unclearEvent(reason);
  const last = await terminal.lastOutcome();
  const event = eventOfLast(last, at, intent);
  if (event.on !== 'terminalUnchanged' || at.before.receiptNumber === undefined || !terminal.newestBooked) return event;
  return eventOfNewest(await terminal.newestBooked(), at, { isDeclined: last.kind === 'declined' });
};

type TerminalInquiry = {
  parts: { ledger: Ledger; clock: Clock; timeZone?: string | undefined };
  handle: EventListener;
};

/**
 * Reverses what the terminal approved; undefined while that is still to be done. Throws what its driver throws. A
 * terminal that cannot be told from another is asked for nothing, and neither is a number that it gave twice today:
 * another customer's payment might be reversed.
 */
export const takenBack = async (
  { terminal, device, unnamed }: Opened,
  { terminal: at, intent }: Sale,
  { parts, handle }: TerminalInquiry,
): Promise<ReversedEvent | undefined> => {
  if (at?.payment === undefined || at.device !== device) return undefined;
  const { receiptNumber, amount } = at.payment;
  const refused = (reason: string): ReversedEvent => ({ on: 'terminalReversed', how: 'refused', why: reason });
  if (unnamed) return refused('it tells no serial number by which it could be known again');
  const place = { device, terminalId: intent.terminalId, number: receiptNumber };
  if (!isUsedOnce(receiptNumber, parts.ledger.salesOfNumber(place, startOfDay(intent.at, parts.timeZone))))
    return refused(`it gave receipt number ${receiptNumber} more than once today`);
  const outcome = await terminal.reverse({ receiptNumber, amount }, handle);
  if (outcome.kind === 'notBegun') return undefined;
  if (outcome.kind === 'declined')
    return outcome.already === true ? { on: 'terminalReversed', how: 'reversed' } : refused(safeText(outcome.why, 100));
  const payment = paymentFacts(outcome.payment);
  const isOther = payment.amount.currency !== amount.currency || compare(payment.amount, amount) !== 0;
  const misfit = isOther ? `it took back ${printMoney(payment.amount)}` : misfitOf(at.payment, payment);
  const number = payment.receiptNumber;
  return misfit === undefined
    ? { on: 'terminalReversed', how: 'reversed', number }
    : { on: 'terminalReversed', how: 'other', why: misfit, number };
};

// Before a terminal takes another payment it is asked about those that it left open: afterwards it could not tell.

/** Sales that wait for this counter's terminal: only that one was told to make or reverse their payments. */
export const openHere = (parts: TillParts): EndedSale[] =>
  openAtTerminal(parts).filter(({ intent, forPerson }) => intent.terminalId === parts.terminalId && forPerson !== true);

type EndedListener = (sale: EndedSale) => void;

/** Sales that wait for a terminal that authorises by itself, or for the person who looks into its journal. */
export const openAtTerminal = ({ ledger }: TillParts): EndedSale[] =>
  ledger
    .openQuestions()
    .map((id) => ledger.sale(id))
    .filter((sale): sale is EndedSale => sale?.at === 'ended' && sale.intent.by === 'terminal' && !isUnread(sale));

/**
 * Asks about each, in order, and records the answers. Throws what the driver throws: then no payment may begin. A
 * reversal that the terminal refuses for now stays open.
 */
export const settleEarlier = async (parts: TillParts, at: Opened, heardOf: EndedListener): Promise<void> => {
  const toAsk = openHere(parts).filter(({ terminal }) => terminal?.device === at.device);
  for (const sale of toAsk) await settle(parts, at, { sale, heardOf });
};

const settle = async (
  parts: TillParts,
  at: Opened,
  { sale, heardOf }: { sale: EndedSale; heardOf: EndedListener },
): Promise<void> => {
  const event = await question(parts, at, sale);
  if (event === undefined) return;
  const step = next(sale, event);
  if (step?.sale.at !== 'ended') {
    // The terminal's answer decides nothing, but the inquiry is recorded as evidence.
    recordInquiry(parts.ledger, sale.intent.sale, { whom: 'terminal', what: 'last', heard: inquiryAnswerFrom(event) });
    return;
  }
  parts.ledger.record(sale.intent.sale, event);
  heardOf(step.sale);
  // An approval after a cancel was recorded: now it is reversed.
  if (sale.reversal === undefined && step.sale.reversal === 'due')
    await settle(parts, at, { sale: step.sale, heardOf });
};

const inquiryAnswerFrom = (event: SaleEvent): InquiryAnswer => ({
  said: event.on,
  code: 'code' in event ? event.code : undefined,
  words: 'why' in event ? event.why : undefined,
});

const question = async (parts: TillParts, at: Opened, sale: EndedSale): Promise<SaleEvent | undefined> => {
  const isDue = sale.reversal === 'due';
  try {
    if (!isDue) return await inquireOnceMore(at, sale, () => {});
    const event = await takenBack(at, sale, { parts, handle: () => {} });
    return event && { ...event, again: true };
  } catch (error) {
    // It received the question and gave an inconclusive answer: asking for ever would block the till.
    if (!isFault(error, 'terminal.refused')) throw error;
    const reason = safeText(error.message, 100);
    return isDue ? { on: 'terminalReversed', how: 'refused', why: reason, again: true } : unclearEvent(reason);
  }
};
