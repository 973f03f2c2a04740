/** Before a terminal takes another payment it is asked about those that it left open: after it, it could not tell. */
import { isFault } from '../../base/fault.ts';
import { safeText } from '../../emv/card-text.ts';
import { noteAsked } from '../gateway/evidence.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { Heard } from '../machine/facts.ts';
import { isUnread, next } from '../machine/sale.ts';
import type { EndedSale } from '../machine/states.ts';
import type { TillParts } from '../ports.ts';
import { askedAnew, type Opened, takenBack } from './ask-terminal.ts';
import { unclear } from './last-payment.ts';

/** Those that wait for the terminal of this counter: it alone was told to make or to take back their payments. */
export const openHere = (parts: TillParts): EndedSale[] =>
  openAtTerminal(parts).filter(({ intent, forPerson }) => intent.terminalId === parts.terminalId && forPerson !== true);

type HeardOf = (sale: EndedSale) => void;

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
export const settleEarlier = async (parts: TillParts, at: Opened, heardOf: HeardOf): Promise<void> => {
  const toAsk = openHere(parts).filter(({ terminal }) => terminal?.device === at.device);
  for (const sale of toAsk) await settle(parts, at, { sale, heardOf });
};

const settle = async (
  parts: TillParts,
  at: Opened,
  { sale, heardOf }: { sale: EndedSale; heardOf: HeardOf },
): Promise<void> => {
  const event = await question(parts, at, sale);
  if (event === undefined) return;
  const step = next(sale, event);
  if (step?.sale.at !== 'ended') {
    // It said something that decides nothing: that it was asked is evidence all the same.
    noteAsked(parts.ledger, sale.intent.sale, { whom: 'terminal', what: 'last', heard: heardFrom(event) });
    return;
  }
  parts.ledger.record(sale.intent.sale, event);
  heardOf(step.sale);
  // An approval that turned up after a cancel is written down: now it goes back.
  if (sale.reversal === undefined && step.sale.reversal === 'due')
    await settle(parts, at, { sale: step.sale, heardOf });
};

const heardFrom = (event: SaleEvent): Heard => ({
  said: event.on,
  ...('code' in event && { code: event.code }),
  ...('why' in event && event.why !== undefined && { words: event.why }),
});

const question = async (parts: TillParts, at: Opened, sale: EndedSale): Promise<SaleEvent | undefined> => {
  const isDue = sale.reversal === 'due';
  try {
    if (!isDue) return await askedAnew(at, sale, () => {});
    const event = await takenBack(at, sale, { parts, hear: () => {} });
    return event && { ...event, again: true };
  } catch (error) {
    // It heard what is asked, and gave an answer that decides nothing: asking for ever would close the till.
    if (!isFault(error, 'terminal.refused')) throw error;
    const why = safeText(error.message, 100);
    return isDue ? { on: 'terminalReversed', how: 'refused', why, again: true } : unclear(why);
  }
};
