/** Everything that is not finished, one row per sale: waiting to be sent, unresolved, or waiting for a person. */
import type { OpenItem, SendResult } from '../api/contract/books.ts';
import type { Actor } from '../api/ports/session.ts';
import { Malformed } from '../api/problems.ts';
import { Fault, isFault } from '../base/fault.ts';
import { wrongField } from '../base/field-wants.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import { FROM_NEWER } from '../base/open-messages.ts';
import { HANDED_OVER } from '../ledger/handed-over.ts';
import { openItemCount } from '../ledger/open-figures.ts';
import { localizedEnding } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import { tellItem } from '../locales/messages/en/books.ts';
import { tellEvidence } from '../locales/messages/en/sales.ts';
import { SPENT } from '../offline/card-limits.ts';
import { otherCardsOf } from '../offline/unpaid.ts';
import { cacheUnpaid } from '../offline/unpaid-sales.ts';
import type { DrainCounts } from '../queue/forwarder.ts';
import { readTriesOnce } from '../queue/retry-rules.ts';
import type { EvidenceLine } from '../recovery/evidence-words.ts';
import type { OpenCase } from '../recovery/open-case.ts';
import { type QueueRow, queueRows } from '../recovery/queue-view.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { type EndedSale, isUnread, type Sale } from '../till/machine/sale.ts';
import type { BooksTill, ManagerParts } from './port.ts';
import { rowOf, stateOf } from './sale-rows.ts';

type Action = OpenItem['actions'][number];
type Kind = OpenItem['kind'];

/** Most urgent first: of several rows of one sale, the first of these is shown. */
const kinds: readonly Kind[] = [
  'differs',
  'person',
  'parked',
  'overdue',
  'unknown',
  'terminal',
  'waiting',
  'behind',
  'task',
] as const;

type Statement = { reason: string; evidence?: string | undefined };

export type OpenItemsService = {
  items(): OpenItem[];
  /** How many there are, counted without looking for evidence. */
  count(): number;
  act(
    receipt: number,
    request: { action: Action; by: Actor; said?: Statement | undefined },
  ): Promise<OpenItem | undefined>;
  sendAll(): Promise<SendResult>;
};

export const createOpenItemsService = (parts: ManagerParts): OpenItemsService => {
  const { running, clock, report, events } = parts;
  const { till, outbox, forwarder, takenOver, resolver, journal } = running;
  const items = (): OpenItem[] => {
    const tries = readTriesOnce(running.tries);
    const unpaid = cacheUnpaid(running.unpaid, { tries, clock });
    const context = { running: { ...running, tries, unpaid }, caseOf: resolver.caseReader() };
    return mergeItems(context, queueRows({ ...context.running, sql: journal.sql, clock }));
  };
  const itemOf = (receipt: number): OpenItem | undefined => items().find((one) => one.receipt === receipt);

  const send = async (sale: Sale): Promise<void> => {
    const { sale: id, receipt } = sale.intent;
    outbox.unpark(clock.now(), id);
    if (outbox.hurry(id) === 0) throw new Fault('queue.nothingWaits', { receipt });
    await forwarder.drain();
  };

  const carryOut = async (sale: Sale, action: Action, { by, said }: { by: Actor; said: Statement | undefined }) => {
    if (action === 'askNow') return resolver.run(sale);
    if (action === 'sendNow' || action === 'retry') return send(sale);
    if (action === 'settleOtherwise' || action === 'writeOff')
      return void running.unpaid.end(sale.intent.receipt, { how: ends[action], ...unpaidEndBy(by, said) });
    if (action === 'chargeAgain') throw new Fault('request.malformed', { why: 'a sale with chargesAgain does that' });
    return void resolver.force(sale.intent.receipt, { charged: action === 'sayCharged', by: attestationBy(by, said) });
  };

  return {
    items,
    count: () => openItemCount(journal.sql),
    async act(receipt, { action, by, said }) {
      try {
        await carryOut(till.find(receipt), action, { by, said });
      } finally {
        events.tell({ on: 'changed', what: 'openItems' });
      }
      return itemOf(receipt);
    },
    async sendAll() {
      // A terminal that is not connected does not stop the others from sending.
      const terminalResult = await till.settleAtTerminal().catch((error: unknown) => void report(error));
      const ownCounts = await forwarder.drain('all');
      const takenOverCounts = takenOver.sales().some(({ waiting }) => waiting) ? await takenOver.drain() : undefined;
      await resolver.inquireLate().catch(report);
      events.tell({ on: 'changed', what: 'openItems' });
      const sent = sumOf(ownCounts, takenOverCounts);
      return {
        ...sent,
        ofOtherTills: takenOverCounts && sumOf(takenOverCounts),
        asked: terminalResult?.map(terminalAnswerOf),
      };
    },
  };
};

const ends = { settleOtherwise: 'settledOtherwise', writeOff: 'writtenOff' } as const;

const sumOf = (
  ownCounts: DrainCounts,
  takenOverCounts: DrainCounts = { done: 0, later: 0, parked: 0 },
): DrainCounts => ({
  done: ownCounts.done + takenOverCounts.done,
  later: ownCounts.later + takenOverCounts.later,
  parked: ownCounts.parked + takenOverCounts.parked,
});

type TerminalAnswer = NonNullable<SendResult['asked']>[number];

const terminalAnswerOf = (sale: EndedSale): TerminalAnswer => {
  const { receipt, amount } = sale.intent;
  const { says, money } = localizedEnding(sale);
  return { receipt, amount: amountOf(amount), says: says.says, money: money.says };
};

/** Throws `staff.needed` when nobody is signed in, and `request.malformed` without a reason or evidence. */
const attestationBy = (actor: Actor, said: Statement | undefined) => ({
  ...namedOf(actor, 'how a sale ended'),
  reason: requireText('reason', said?.reason),
  evidence: requireText('evidence', said?.evidence),
});

/** Throws as `attestationBy`, but needs no evidence: this makes no statement about what the bank did. */
const unpaidEndBy = (actor: Actor, said: Statement | undefined) => ({
  ...namedOf(actor, 'what became of the money'),
  reason: requireText('reason', said?.reason),
});

const namedOf = ({ name, role }: Actor, what: string) => {
  if (name === undefined || role === undefined) throw new Fault('staff.needed', { what });
  return { who: name, role };
};

const requireText = (what: string, text = ''): string => {
  if (text.trim().length < 3) throw new Malformed([wrongField(what, 'inWords')]);
  return text.trim();
};

/** The till, read once for one look at all open items. */
type ItemContext = Pick<ManagerParts, 'running'> & { caseOf(sale: Sale): OpenCase };
type Found = { sale: Sale; row?: QueueRow };

/** Unpaid sales have a row and no case. Those that need a person most come first, then the oldest. */
const mergeItems = (context: ItemContext, rows: readonly QueueRow[]): OpenItem[] => {
  const { ledger } = context.running;
  const found = new Map<string, Found>();
  // A sale in progress at a counter is not an open item.
  for (const id of ledger.openSales()) {
    const sale = ledger.sale(id);
    if (sale?.at === 'ended') found.set(id, { sale });
  }
  for (const row of rows) {
    const before = found.get(row.sale);
    const sale = before?.sale ?? saleOf(context, row.sale);
    if (sale?.at !== 'ended') continue;
    const isWorse = before?.row === undefined || rank(row.state) < rank(before.row.state);
    found.set(row.sale, { ...before, sale, ...(isWorse ? { row } : {}) });
  }
  return [...found.values()]
    .map((one) => itemOf(context, one))
    .toSorted((one, other) => rank(one.kind) - rank(other.kind) || one.receipt - other.receipt);
};

const rank = (kind: Kind): number => kinds.indexOf(kind);

const saleOf = ({ running }: ItemContext, id: string): Sale | undefined => {
  try {
    return running.till.findSale(id);
  } catch (error) {
    if (isFault(error, 'till.notFound')) return undefined;
    throw error;
  }
};

const itemOf = ({ running, caseOf }: ItemContext, { sale, row }: Found): OpenItem => {
  const open = caseOf(sale);
  const kind = kindOf(sale, row, open);
  const { known: knownMessage } = open.told;
  const next = isUnread(sale) ? open.told.next : nextOf(kind, open);
  const person = isUnread(sale) ? tellItem('newer') : personOf(kind, row);
  const reason = row === undefined ? whyOf(sale) : row.told.why;
  return {
    receipt: sale.intent.receipt,
    sale: rowOf(running, sale),
    kind,
    state: needsPerson(kind) ? 'person' : stateOf(sale),
    known: knownMessage.says,
    next: next.says,
    person: person.says,
    why: row?.why ?? ('why' in sale ? (sale.why ?? '') : ''),
    told: { known: knownMessage, next, person, why: reason },
    tries: row?.tries ?? 0,
    nextAt: row?.nextAt,
    evidence: [...open.evidence, ...(kind === 'task' ? otherCardLines(running, sale) : [])]
      .map(({ at, entry, words, told }) => ({ at, entry, words, told }))
      .toSorted((one, other) => one.entry - other.entry),
    ...unpaidFacts(running, sale, kind),
    actions:
      kind === 'task'
        ? unpaidActions(running, sale)
        : actionsFor(sale, { kind, row, isQueued: running.outbox.holds(sale.intent.sale) }),
  };
};

/** A new charge for it has a case of its own; this line tells that its card is a different one. */
const otherCardLines = ({ unpaid, journal }: BooksTill, sale: Sale): Omit<EvidenceLine, 'event'>[] => {
  const one = unpaid.of(sale);
  const others = one === undefined ? [] : otherCardsOf(one);
  return others.flatMap(({ receipt, before, now }) => {
    const id = one?.tries.find(({ intent }) => intent.receipt === receipt)?.intent.sale ?? '';
    const read = journal.about(id).find(({ body }) => /^(cardRead|terminal)/.test(eventIn(body).on));
    const message = tellEvidence('otherCard', { receipt, before, now });
    return read === undefined ? [] : [{ at: read.at, entry: read.entry, words: message.says, told: message }];
  });
};

const unpaidFacts = ({ unpaid }: BooksTill, sale: Sale, kind: Kind): Pick<OpenItem, 'missing' | 'again'> => {
  const one = kind === 'task' ? unpaid.of(sale) : undefined;
  if (one === undefined) return {};
  const again = one.tries.map(({ intent }) => intent.receipt);
  return { missing: amountOf(one.missing), again: again.length > 0 ? again : undefined };
};

/** A new charge in progress decides first: until then nobody can close the unpaid sale. */
const unpaidActions = ({ unpaid }: BooksTill, sale: Sale): Action[] => {
  const one = unpaid.of(sale);
  if (one?.state !== 'open') return [];
  const mayChargeAgain = unpaid.mayCharge(one).kind === 'now';
  return [...(mayChargeAgain ? (['chargeAgain'] as const) : []), 'settleOtherwise', 'writeOff'];
};

const whyOf = (sale: Sale): LocalizedMessage | undefined =>
  sale.at === 'ended' && sale.why !== undefined ? localizedEnding(sale).says : undefined;

const nextOf = (kind: Kind, { told }: OpenCase): LocalizedMessage => {
  if (kind === 'task') return tellItem('nextTask');
  if (kind === 'parked') return tellItem('nextParked');
  return kind === 'person' ? tellItem('nextPerson') : told.next;
};

const personOf = (kind: Kind, row: QueueRow | undefined): LocalizedMessage => {
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
 * The actions that would not be refused. A person can say how a sale ended only where that is unknown, where two
 * answers differ, or where the queue has given up. Messages that another till sends are left to that till.
 */
const actionsFor = (
  sale: Sale,
  { kind, row, isQueued }: { kind: Kind; row: QueueRow | undefined; isQueued: boolean },
): Action[] => {
  if (sale.at !== 'ended' || isUnread(sale) || row?.why === FROM_NEWER) return [];
  const isElsewhere = row?.why === HANDED_OVER;
  // The scheme's limits for this card allow no further try.
  const mayRetry = kind === 'parked' && !isElsewhere && row?.why !== SPENT;
  const isUnknown = sale.ending === 'unknown' || sale.differs !== undefined;
  const maySayEnding = isUnknown || (kind === 'parked' && !isElsewhere);
  const mayAskNow = kind === 'overdue' || kind === 'terminal' || kind === 'unknown' || (mayRetry && isUnknown);
  return [
    ...(mayAskNow ? (['askNow'] as const) : []),
    ...(kind === 'waiting' && isQueued ? (['sendNow'] as const) : []),
    ...(mayRetry ? (['retry'] as const) : []),
    ...(maySayEnding ? (['sayCharged', 'sayNotCharged'] as const) : []),
  ];
};
