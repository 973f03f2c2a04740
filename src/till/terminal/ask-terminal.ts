/** What is asked of a terminal about a payment it was told to make: what became of it, and to take it back. */
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
import { misfitOf, paymentFacts, unprovable } from '../machine/terminal-facts.ts';
import type { Ledger, TillParts } from '../ports.ts';
import { isUsedOnce } from './device-numbers.ts';
import { eventOfLast, eventOfNewest, eventOfOutcome, unclear } from './last-payment.ts';

/** An open terminal, and which device it is. `unnamed`: nothing tells it from another one of its model. */
type Opened = { terminal: IntegratedTerminal; device: string; unnamed?: true };
type TakenBack = Extract<SaleEvent, { on: 'terminalReversed' }>;
type Hear = (event: TerminalEvent) => void;

/** Which device this is: the payments it knows are known to no other. Throws what its driver throws. */
export const opened = async (terminal: IntegratedTerminal): Promise<Opened> => {
  const { model, serial } = await terminal.info();
  return { terminal, device: safeText(`${model} ${serial}`, 60), unnamed: serial.trim() === '' || undefined };
};

/**
 * What became of this sale. A reversal is made again: a payment can be taken back once only. Everything else is asked
 * for. The terminal must have been opened since the payment. Throws what its driver throws.
 */
export const inquireAnew = async ({ terminal, device }: Opened, now: Sale, hear: Hear): Promise<SaleEvent> => {
  const { intent, terminal: at } = now;
  if (at === undefined || at.device !== device)
    return { on: 'terminalSilent', why: `another terminal answers: ${device}` };
  const { follows, amount } = intent;
  if (follows?.at?.how === 'reverse')
    return eventOfOutcome(await terminal.reverse({ receiptNumber: follows.payment, amount }, hear));
  // What it tells now could not be compared with anything.
  const why = unprovable(at.before);
  if (why !== undefined) return unclear(why);
  const last = await terminal.last();
  const event = eventOfLast(last, at, intent);
  if (event.on !== 'terminalUnchanged' || at.before.receiptNumber === undefined || !terminal.newestBooked) return event;
  return eventOfNewest(await terminal.newestBooked(), at, { isDeclined: last.kind === 'declined' });
};

type TerminalInquiry = { parts: { ledger: Ledger; clock: Clock; timeZone?: string | undefined }; hear: Hear };

/**
 * Takes back what it approved; undefined when that is still to be done. Throws what its driver throws. Nothing is asked
 * of a terminal that cannot be told from another, nor under a number that it gave twice today: who knows whose payment
 * would go back.
 */
export const takenBack = async (
  { terminal, device, unnamed }: Opened,
  { terminal: at, intent }: Sale,
  { parts, hear }: TerminalInquiry,
): Promise<TakenBack | undefined> => {
  if (at?.payment === undefined || at.device !== device) return undefined;
  const { receiptNumber, amount } = at.payment;
  const refused = (why: string): TakenBack => ({ on: 'terminalReversed', how: 'refused', why });
  if (unnamed) return refused('it tells no serial number by which it could be known again');
  const place = { device, terminalId: intent.terminalId, number: receiptNumber };
  if (!isUsedOnce(receiptNumber, parts.ledger.ofNumber(place, startOfDay(intent.at, parts.timeZone))))
    return refused(`it gave receipt number ${receiptNumber} more than once today`);
  const outcome = await terminal.reverse({ receiptNumber, amount }, hear);
  if (outcome.kind === 'notBegun') return undefined;
  if (outcome.kind === 'declined')
    return outcome.already === true ? { on: 'terminalReversed', how: 'reversed' } : refused(safeText(outcome.why, 100));
  const told = paymentFacts(outcome.payment);
  const isOther = told.amount.currency !== amount.currency || compare(told.amount, amount) !== 0;
  const misfit = isOther ? `it took back ${printMoney(told.amount)}` : misfitOf(at.payment, told);
  const number = told.receiptNumber;
  return misfit === undefined
    ? { on: 'terminalReversed', how: 'reversed', number }
    : { on: 'terminalReversed', how: 'other', why: misfit, number };
};

// Before a terminal takes another payment it is asked about those that it left open: after it, it could not tell.

/** Those that wait for the terminal of this counter: it alone was told to make or to take back their payments. */
export const openHere = (parts: TillParts): EndedSale[] =>
  openAtTerminal(parts).filter(({ intent, forPerson }) => intent.terminalId === parts.terminalId && forPerson !== true);

type EndedListener = (sale: EndedSale) => void;

/** Sales that wait for a terminal which authorises by itself, or for the person who looks into its journal. */
export const openAtTerminal = ({ ledger }: TillParts): EndedSale[] =>
  ledger
    .openQuestions()
    .map((id) => ledger.sale(id))
    .filter((sale): sale is EndedSale => sale?.at === 'ended' && sale.intent.by === 'terminal' && !isUnread(sale));

/**
 * Asks about each, in order, and writes down what it says. Throws what the driver throws: then no payment may begin.
 * What the terminal will not do now stays open.
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
    // It said something that decides nothing: that it was asked is evidence all the same.
    recordInquiry(parts.ledger, sale.intent.sale, { whom: 'terminal', what: 'last', heard: inquiryAnswerFrom(event) });
    return;
  }
  parts.ledger.record(sale.intent.sale, event);
  heardOf(step.sale);
  // An approval that turned up after a cancel is written down: now it goes back.
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
    if (!isDue) return await inquireAnew(at, sale, () => {});
    const event = await takenBack(at, sale, { parts, hear: () => {} });
    return event && { ...event, again: true };
  } catch (error) {
    // It heard what is asked, and gave an answer that decides nothing: asking for ever would close the till.
    if (!isFault(error, 'terminal.refused')) throw error;
    const why = safeText(error.message, 100);
    return isDue ? { on: 'terminalReversed', how: 'refused', why, again: true } : unclear(why);
  }
};
