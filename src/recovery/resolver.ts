/**
 * Brings unresolved sales to an end by asking, in this order, the terminal, the gateway, for the reversal, and only
 * then a person. It runs automatically on a running till, and at once on request.
 */
import { printable } from '../base/mask.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import type { Outbox } from '../queue/outbox.ts';
import { answerOf, approvedPartOf } from '../till/gateway/answer.ts';
import { findPayment, isRefusal } from '../till/gateway/inquiry.ts';
import type { Attestation } from '../till/machine/facts.ts';
import { unansweredAction } from '../till/machine/operations.ts';
import { type EndedSale, isUnread, next, refuseUnread, replay, type Sale } from '../till/machine/sale.ts';
import { repeatFor, reversalFor } from '../till/messages.ts';
import type { TillParts } from '../till/ports.ts';
import type { Till } from '../till/till.ts';
import { type EvidenceLine, evidenceOf } from './evidence-words.ts';
import { type OpenCase, openCase, type QueuedMessage } from './open-case.ts';

export interface Resolver {
  /** Sales that are not finished, oldest first. */
  open(): OpenCase[];
  of(sale: Sale): OpenCase;
  /** The same for several sales in immediate succession: the queue is read once for all of them. */
  caseReader(): (sale: Sale) => OpenCase;
  /** Inquires about this sale now, including its parked message. Throws `sale.newer`, and the terminal's own faults. */
  run(sale: Sale): Promise<void>;
  /**
   * Records how a person says the sale ended. Their text is masked before it is stored, because it may contain a card
   * number. Throws `till.notFound`, `till.nothingOpen`, `sale.newer`, `journal.unwritable`.
   */
  force(receipt: number, statement: { charged: boolean; by: Attestation }): EndedSale;
  /**
   * Inquires once more about sales that ended as never sent, when none of their requests can still be in progress.
   * Returns the sales with a late approval, which is being reversed. Stops when the gateway cannot be reached, and
   * after a number of sales, since others need the line too. `all`: inquires about every one of them, including those
   * that are due later.
   */
  inquireLate(which?: 'all'): Promise<Sale[]>;
  /** Call it when the line is up: looks for late approvals in the background. */
  inquireLateSoon(): void;
  /** For a running till: asks a terminal that must be asked, if it is connected, then looks for late approvals. */
  wake(): void;
  /** Resolves when none of its work is in progress. */
  stop(): Promise<void>;
}

export type ResolverParts = {
  journal: Journal;
  parts: TillParts;
  till: Till;
  ledger: FullLedger;
  outbox: Outbox;
  forwarder: Pick<Forwarder, 'drain'>;
};

const WORDS_MOST = 500;
/** The most inquiries before others get a turn at the gateway. */
const LATE_AT_ONCE = 50;

export const openResolver = (input: ResolverParts): Resolver => {
  const { till, ledger, parts } = input;
  const { report } = parts;
  const show = createCaseReader(input);
  let inquiriesInProgress: Promise<Sale[]> | undefined;
  let wakePromise: Promise<void> | undefined;
  let stopped = false;

  const inquireLate = async (which?: 'all'): Promise<Sale[]> => {
    // A search in progress can stop before the last sale.
    while (which === 'all' && inquiriesInProgress !== undefined) await inquiriesInProgress.catch(report);
    inquiriesInProgress ??= lookForLate(input, () => stopped, which).finally(() => {
      inquiriesInProgress = undefined;
    });
    return inquiriesInProgress;
  };

  const askAll = async (): Promise<void> => {
    await till.settleAtTerminal().catch(report);
    await inquireLate().catch(report);
  };

  return {
    open: () =>
      ledger
        .openSales()
        .flatMap((id) => ledger.sale(id) ?? [])
        .map(show.caseReader()),
    caseReader: show.caseReader,
    of: (sale) => show.caseOf(sale, show.queuedOf(sale)),
    async run(sale) {
      refuseUnread(sale);
      if (sale.intent.by === 'terminal') await till.settleAtTerminal();
      else await askGateway(input, sale, () => show.queuedOf(sale));
      await inquireLate();
    },
    force(receipt, { charged, by }) {
      const { who, role, reason, evidence } = by;
      const masked = { who, role, reason: printable(reason, WORDS_MOST), evidence: printable(evidence, WORDS_MOST) };
      return till.forceEnding(receipt, charged, masked);
    },
    inquireLate,
    inquireLateSoon: () => void inquireLate().catch(report),
    wake() {
      wakePromise ??= askAll().finally(() => {
        wakePromise = undefined;
      });
    },
    async stop() {
      stopped = true;
      await wakePromise?.catch(report);
      await inquiriesInProgress?.catch(report);
    },
  };
};

/** The cases in their present state in journal and queue. */
const createCaseReader = ({ journal, outbox, parts }: ResolverParts) => {
  const evidence = openEvidence(journal);
  const queued = (sale?: string): QueuedMessage[] => [
    ...outbox.waiting(sale),
    ...outbox.parked(sale).map((message) => ({ ...message, parked: true as const })),
  ];
  const caseOf = (sale: Sale, messages: readonly QueuedMessage[]): OpenCase =>
    openCase(sale, { messages, evidence: evidence(sale.intent.sale), now: parts.clock.now() });
  return {
    queuedOf: ({ intent }: Sale): QueuedMessage[] => queued(intent.sale),
    caseOf,
    caseReader() {
      const bySale = Map.groupBy(queued(), ({ sale }) => sale);
      return (sale: Sale): OpenCase => caseOf(sale, bySale.get(sale.intent.sale) ?? []);
    },
  };
};

const lookForLate = async (
  { parts, ledger, forwarder }: ResolverParts,
  stopped: () => boolean,
  which?: 'all',
): Promise<Sale[]> => {
  const found: Sale[] = [];
  const due = new Set(ledger.late());
  let left = which === 'all' ? Number.POSITIVE_INFINITY : LATE_AT_ONCE;
  for (const id of ledger.late(which)) {
    if (stopped() || left === 0) break;
    const inquireLate = await askLate(parts, id);
    if (inquireLate.found === 'unheard') break;
    if (inquireLate.found !== 'elsewhere') left -= 1;
    if (inquireLate.found === 'clear' && due.has(id)) ledger.noteLateAsked(id);
    // The sales that wait behind this one get their turn first.
    if (inquireLate.found === 'later') ledger.requeueLate(id);
    if (inquireLate.found === 'approved') found.push(inquireLate.sale);
  }
  if (found.length > 0) await forwarder.drain('unknown');
  return found;
};

/** Makes the sale's parked messages due again, and sends its waiting messages now. */
const askGateway = async (
  { parts, outbox, forwarder }: ResolverParts,
  { intent }: Sale,
  queued: () => readonly QueuedMessage[],
): Promise<void> => {
  const now = parts.clock.now();
  outbox.unpark(now, intent.sale);
  outbox.hurry(intent.sale);
  const queuedMessages = queued();
  if (queuedMessages.length === 0) return;
  const isStored = queuedMessages.some(({ kind }) => kind === 'forward' || kind === 'follow');
  await forwarder.drain(isStored ? 'all' : 'unknown');
};

// Caches the evidence of sales that are shown repeatedly, until the journal has more about them.

/** A few kilobytes each. The most recently used are kept. */
const KEPT_MOST = 200;

type CachedEvidence = { readonly last: number; readonly lines: readonly EvidenceLine[] };

/** Keyed by the sale's id. */
const openEvidence = ({ sql, about }: Pick<Journal, 'sql' | 'about'>): ((sale: string) => readonly EvidenceLine[]) => {
  const stored = new Map<string, CachedEvidence>();
  return (sale) => {
    const last = Number(sql.get('SELECT max(entry) AS n FROM entry WHERE subject = ?', sale)?.['n'] ?? 0);
    const known = stored.get(sale);
    const now = known?.last === last ? known : { last, lines: evidenceOf(about(sale)) };
    stored.delete(sale);
    stored.set(sale, now);
    const [oldest] = stored.keys();
    if (stored.size > KEPT_MOST && oldest !== undefined) stored.delete(oldest);
    return now.lines;
  };
};

// Inquires once more about sales that ended as never sent: a request may have been approved although its arrival was
// not noticed. A late approval is reversed, and the answer is evidence either way.

/**
 * `approved`: it was approved and is being reversed. `clear`: the gateway has no approval. `later`: the gateway could
 * not tell. `unheard`: no answer. `elsewhere`: only another gateway, which is not asked, can have it.
 */
export type Late =
  | { readonly found: 'approved'; readonly sale: Sale }
  | { readonly found: 'clear' | 'later' | 'unheard' | 'elsewhere' };

/** Throws `journal.unwritable`. */
export const askLate = async (parts: TillParts, id: string): Promise<Late> => {
  const { host, ledger, ids, clock, gateway } = parts;
  const before = replay(ledger.events(id));
  // Only a version that understands this sale inquires about it.
  if (before !== undefined && isUnread(before)) return { found: 'elsewhere' };
  if (before?.at !== 'ended' || before.intent.by === 'terminal' || before.ending === 'approved')
    return { found: 'clear' };
  if (before.intent.gateway !== gateway) return { found: 'elsewhere' };
  const reply = await findPayment(host, before.intent);
  if (reply === 'nothing') return { found: 'clear' };
  if (reply.kind !== 'answered') return { found: 'unheard' };
  if (isRefusal(reply)) return { found: 'clear' };
  // A live channel's approval at a test till moved money, so it is reversed like any other.
  if (reply.means !== 'approved' && reply.means !== 'liveAnswer') return { found: 'later' };
  // Another answer about it may have arrived in the meantime.
  const now = replay(ledger.events(id));
  const approved = approvedPartOf(reply.body, before.intent);
  const event = { on: 'approvedLate', answer: { ...answerOf(reply), ...(approved && { approved }) } } as const;
  const step = now && next(now, event);
  if (step === undefined) return { found: 'clear' };
  const message =
    step.outgoing === undefined
      ? undefined
      : unansweredAction(step.sale.intent) === 'reverse'
        ? reversalFor(step.sale, { key: ids.next(), sentAt: clock.monotonic() })
        : repeatFor(step.sale, clock.monotonic());
  ledger.record(id, event, message);
  return { found: 'approved', sale: step.sale };
};
