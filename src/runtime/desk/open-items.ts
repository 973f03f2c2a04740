/** Everything that is not at its end, one row for each sale: what waits, what is unknown, what is for people. */
import type { OpenItem } from '../../api/ports/books.ts';
import type { Actor } from '../../api/ports/session.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { FROM_NEWER } from '../../base/from-newer.ts';
import type { Told } from '../../base/told.ts';
import { isUnread, type Sale } from '../../till/sale.ts';
import { SPENT } from '../card-limits.ts';
import { HANDED_OVER } from '../handed-over.ts';
import type { OpenCase } from '../open-case.ts';
import { toldOf } from '../outcome.ts';
import { type QueueRow, queueRows } from '../queue-view.ts';
import { type Kind, kinds, tellItem } from './open-items-words.ts';
import type { DeskParts } from './parts.ts';
import { stateOf } from './sale-result.ts';
import { rowOf } from './sale-rows.ts';

type Action = OpenItem['actions'][number];
export type Said = { reason: string; evidence: string };

export type OpenItemsDesk = {
  items(): OpenItem[];
  /** How many there are, tasks left out: counted without looking for evidence. */
  count(): number;
  act(receipt: number, wish: { action: Action; by: Actor; said?: Said | undefined }): Promise<OpenItem | undefined>;
  sendAll(): Promise<{ done: number; later: number; parked: number }>;
};

export const openItemsDesk = (parts: DeskParts): OpenItemsDesk => {
  const { running, clock, report, events } = parts;
  const { till, outbox, forwarder, foreign, resolver, journal } = running;
  const rows = (): QueueRow[] => queueRows({ ...running, sql: journal.sql, clock });
  const items = (): OpenItem[] => merged(parts, rows(), resolver.open());
  const itemOf = (receipt: number): OpenItem | undefined => items().find((one) => one.receipt === receipt);

  const send = async (sale: Sale): Promise<void> => {
    const { sale: id, receipt } = sale.intent;
    outbox.unpark(clock.now(), id);
    if (outbox.hurry(id) === 0) throw new Fault('queue.nothingWaits', { receipt });
    await forwarder.drain();
  };

  const carriedOut = async (sale: Sale, action: Action, { by, said }: { by: Actor; said: Said | undefined }) => {
    if (action === 'askNow') return resolver.run(sale);
    if (action === 'sendNow' || action === 'retry') return send(sale);
    return void resolver.force(sale.intent.receipt, { charged: action === 'sayCharged', by: saidBy(by, said) });
  };

  return {
    items,
    count: () => new Set(rows().flatMap(({ state, sale }) => (state === 'task' ? [] : [sale]))).size,
    async act(receipt, { action, by, said }) {
      try {
        await carriedOut(till.find(receipt), action, { by, said });
      } finally {
        events.tell({ on: 'changed', what: 'openItems' });
      }
      return itemOf(receipt);
    },
    async sendAll() {
      // A terminal that is not there keeps nothing else from being sent.
      await till.settleAtTerminal().catch(report);
      const own = await forwarder.drain('all');
      const theirs = foreign.sales().some(({ waiting }) => waiting) ? await foreign.drain() : nothing;
      await resolver.late().catch(report);
      events.tell({ on: 'changed', what: 'openItems' });
      return {
        done: own.done + theirs.done,
        later: own.later + theirs.later,
        parked: own.parked + theirs.parked,
      };
    },
  };
};

const nothing = { done: 0, later: 0, parked: 0 };

/** Throws `staff.needed` where nobody is signed in, and `request.malformed` without a reason or evidence. */
const saidBy = ({ name, role }: Actor, said: Said | undefined) => {
  if (name === undefined || role === undefined) throw new Fault('staff.needed', { what: 'how a sale ended' });
  const { reason = '', evidence = '' } = said ?? {};
  for (const [what, words] of Object.entries({ reason, evidence }))
    if (words.trim().length < 3) throw new Fault('request.malformed', { why: `${what}: must be given, in words` });
  return { who: name, role, reason: reason.trim(), evidence: evidence.trim() };
};

type Found = { sale: Sale; row?: QueueRow; open?: OpenCase };

/** Tasks are over: they have a row, and no case. What needs a person most stands first, then the oldest. */
const merged = (parts: DeskParts, rows: readonly QueueRow[], cases: readonly OpenCase[]): OpenItem[] => {
  const found = new Map<string, Found>();
  // A sale that runs at a counter now is not left open.
  for (const open of cases) if (open.sale.at === 'ended') found.set(open.sale.intent.sale, { sale: open.sale, open });
  for (const row of rows) {
    const before = found.get(row.sale);
    const sale = before?.sale ?? saleOf(parts, row.sale);
    if (sale?.at !== 'ended') continue;
    const isWorse = before?.row === undefined || rank(row.state) < rank(before.row.state);
    found.set(row.sale, { ...before, sale, ...(isWorse ? { row } : {}) });
  }
  return [...found.values()]
    .map((one) => itemOf(parts, one))
    .toSorted((one, other) => rank(one.kind) - rank(other.kind) || one.receipt - other.receipt);
};

const rank = (kind: Kind): number => kinds.indexOf(kind);

const saleOf = ({ running }: DeskParts, id: string): Sale | undefined => {
  try {
    return running.till.findSale(id);
  } catch (error) {
    if (isFault(error, 'till.notFound')) return undefined;
    throw error;
  }
};

const itemOf = ({ running }: DeskParts, { sale, row, open: known }: Found): OpenItem => {
  const open = known ?? running.resolver.of(sale);
  const kind = kindOf(sale, row, open);
  const { known: evident } = open.told;
  const next = isUnread(sale) ? open.told.next : nextOf(kind, open);
  const person = isUnread(sale) ? tellItem('newer') : personOf(kind, row);
  const why = row === undefined ? whyOf(sale) : row.told.why;
  return {
    receipt: sale.intent.receipt,
    sale: rowOf(running, sale),
    kind,
    state: needsPerson(kind) ? 'person' : stateOf(sale),
    known: evident.says,
    next: next.says,
    person: person.says,
    why: row?.why ?? ('why' in sale ? (sale.why ?? '') : ''),
    told: { known: evident, next, person, ...(why && { why }) },
    tries: row?.tries ?? 0,
    ...(row?.nextAt !== undefined && { nextAt: row.nextAt }),
    evidence: open.evidence.map(({ at, entry, words, told }) => ({ at, entry, words, told })),
    actions: actionsFor(sale, { kind, row, isQueued: running.outbox.holds(sale.intent.sale) }),
  };
};

const whyOf = (sale: Sale): Told | undefined =>
  sale.at === 'ended' && sale.why !== undefined ? toldOf(sale).says : undefined;

const nextOf = (kind: Kind, { told }: OpenCase): Told => {
  if (kind === 'task') return tellItem('nextTask');
  if (kind === 'parked') return tellItem('nextParked');
  return kind === 'person' ? tellItem('nextPerson') : told.next;
};

const personOf = (kind: Kind, row: QueueRow | undefined): Told => {
  if (row?.why === HANDED_OVER) return tellItem('handedOver');
  const toDo = row?.told.toDo;
  return toDo !== undefined && (kind === 'task' || kind === 'parked') ? tellItem('toDo', { toDo }) : tellItem(kind);
};

const needsPerson = (kind: Kind): boolean => ['differs', 'person', 'parked', 'overdue', 'task'].includes(kind);

const kindOf = (sale: Sale, row: QueueRow | undefined, open: OpenCase): Kind => {
  if (sale.at === 'ended' && sale.differs !== undefined) return 'differs';
  if (row === undefined) return open.state === 'person' ? 'person' : 'unknown';
  const isUnknown = sale.at === 'ended' && sale.ending === 'unknown' && row.kind !== 'inquiry';
  return isUnknown && (row.state === 'waiting' || row.state === 'behind') ? 'unknown' : row.state;
};

/**
 * What would not be refused: a person may say how it ended only where nobody knows, where two say otherwise, or where
 * the queue has given up. What another till sends is for that till.
 */
const actionsFor = (
  sale: Sale,
  { kind, row, isQueued }: { kind: Kind; row: QueueRow | undefined; isQueued: boolean },
): Action[] => {
  if (kind === 'task' || sale.at !== 'ended' || isUnread(sale) || row?.why === FROM_NEWER) return [];
  const isElsewhere = row?.why === HANDED_OVER;
  // No card's limits let it be asked again.
  const mayRetry = kind === 'parked' && !isElsewhere && row?.why !== SPENT;
  const isUnknown = sale.ending === 'unknown' || sale.differs !== undefined;
  const maySay = isUnknown || (kind === 'parked' && !isElsewhere);
  const asks = kind === 'overdue' || kind === 'terminal' || kind === 'unknown' || (mayRetry && isUnknown);
  return [
    ...(asks ? (['askNow'] as const) : []),
    ...(kind === 'waiting' && isQueued ? (['sendNow'] as const) : []),
    ...(mayRetry ? (['retry'] as const) : []),
    ...(maySay ? (['sayCharged', 'sayNotCharged'] as const) : []),
  ];
};
