/** What a till does on its start, and after a write that failed: every unfinished sale is brought to an ending. */
import { ifUnanswered } from './machine/operations.ts';
import { isUnread, next, type OutgoingKind, replay, type Sale } from './machine/sale.ts';
import { followFor, repeatFor, reversalFor } from './messages.ts';
import type { LedgerEntry, OutgoingMessage, TillParts } from './ports.ts';

/** So many are ended in one durable step: a start must not wait for the disk once for each. */
const AT_ONCE = 500;

/** The sales that were ended by this; one that runs at another counter is left alone. Throws `journal.unwritable`. */
export const recoverAll = (parts: TillParts): Sale[] => {
  const open = parts.ledger.openSales().filter((id) => parts.underWay?.has(id) !== true);
  const ended: Sale[] = [];
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const recovered = open.slice(from, from + AT_ONCE).flatMap((id) => recoverSale(parts, id));
    if (recovered.length > 0) parts.ledger.recordAll(recovered.map(({ entry }) => entry));
    ended.push(...recovered.flatMap(({ ended: sale }) => sale ?? []));
  }
  return ended;
};

type Recovered = { entry: LedgerEntry; ended?: Sale };

/**
 * A sale that was interrupted is told so. One that has ended and waits for the queue is left to it, unless its message
 * is gone: then it is put again.
 */
const recoverSale = (parts: TillParts, id: string): Recovered[] => {
  const { ledger } = parts;
  const sale = replay(ledger.events(id));
  if (sale === undefined || isUnread(sale) || (sale.at === 'ended' && ledger.isQueued(id))) return [];
  const event = { on: 'restarted' } as const;
  if (sale.at === 'ended') {
    // What the terminal authorised by itself waits for the terminal.
    const lost = sale.intent.by === 'terminal' ? undefined : lostMessage(sale);
    const message = lost && messageAgain(lost, sale, parts);
    return message === undefined ? [] : [{ entry: { sale: id, event, message } }];
  }
  const step = next(sale, event);
  if (step === undefined) return [];
  const message = step.outgoing && messageAgain(step.outgoing, step.sale, parts);
  return [{ entry: { sale: id, event, message }, ended: step.sale }];
};

const messageAgain = (outgoing: OutgoingKind, sale: Sale, { ids, clock }: TillParts): OutgoingMessage | undefined => {
  if (outgoing === 'reverse') return reversalFor(sale, { key: ids.next(), sentAt: clock.monotonic() });
  if (outgoing === 'repeat') return repeatFor(sale, clock.monotonic());
  // What was sealed for forwarding cannot be made again from the journal.
  return outgoing === 'follow' ? followFor(sale) : undefined;
};

const lostMessage = (sale: Extract<Sale, { at: 'ended' }>): OutgoingKind | undefined => {
  if (sale.ending === 'unknown' || sale.forced?.awaited === true) return ifUnanswered(sale.intent);
  if (sale.offline === 'stored' && sale.forwarded === undefined) return 'follow';
  return sale.reversal === 'due' ? 'reverse' : undefined;
};
