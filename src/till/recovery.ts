/** What a till does on its start, and after a write that failed: every unfinished sale is brought to an ending. */
import { repeatFor, reversalFor } from './messages.ts';
import type { TillParts } from './ports.ts';
import { next, replay, type Sale } from './sale.ts';

/** The sales that were ended by this. Throws `journal.unwritable`. */
export const recoverAll = (parts: TillParts): Sale[] =>
  parts.ledger.openSales().flatMap((id) => recoverSale(parts, id));

/**
 * A sale that was interrupted is told so. One that has ended and waits for the queue is left to it, unless its message
 * is gone: then it is put again.
 */
const recoverSale = (parts: TillParts, id: string): Sale[] => {
  const { ledger, ids, clock } = parts;
  const sale = replay(ledger.events(id));
  if (sale === undefined) return [];
  const ended = sale.at === 'ended';
  // What the terminal authorised by itself waits for the terminal.
  if (ended && (sale.intent.by === 'terminal' || ledger.isQueued(id))) return [];
  const step = ended ? { sale, outgoing: lostMessage(sale) } : next(sale, { on: 'restarted' });
  if (step === undefined || (ended && step.outgoing === undefined)) return [];
  const reversal = () => reversalFor(step.sale, { key: ids.next(), sentAt: clock.monotonic() });
  const message =
    step.outgoing === 'reverse' ? reversal() : step.outgoing === 'repeat' ? repeatFor(step.sale) : undefined;
  ledger.record(id, { on: 'restarted' }, message);
  return ended ? [] : [step.sale];
};

const lostMessage = (sale: Extract<Sale, { at: 'ended' }>): 'reverse' | 'repeat' | undefined => {
  if (sale.ending === 'unknown') return sale.intent.operation === 'refund' ? 'repeat' : 'reverse';
  return sale.reversal === 'due' ? 'reverse' : undefined;
};
