/**
 * Brings what is unknown to an end, in order: the terminal, the gateway, the reversal, and only then a person. It runs
 * by itself on a till that stays, and at once when somebody asks for it.
 */
import { printable } from '../base/mask.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import type { Outbox } from '../queue/outbox.ts';
import { answerOf, approvedPartOf } from '../till/gateway/answer.ts';
import { findPayment, isNo } from '../till/gateway/inquiry.ts';
import type { SaidBy } from '../till/machine/facts.ts';
import { ifUnanswered } from '../till/machine/operations.ts';
import { type EndedSale, isUnread, next, refuseUnread, replay, type Sale } from '../till/machine/sale.ts';
import { repeatFor, reversalFor } from '../till/messages.ts';
import type { TillParts } from '../till/ports.ts';
import type { Till } from '../till/till.ts';
import { type EvidenceLine, evidenceOf } from './evidence-words.ts';
import { type OpenCase, openCase, type QueuedMessage } from './open-case.ts';

export interface Resolver {
  /** What is not at an end that needs nothing more, oldest first. */
  open(): OpenCase[];
  of(sale: Sale): OpenCase;
  /** The same for several sales, one after the other and without a pause: the queue is read once for all of them. */
  several(): (sale: Sale) => OpenCase;
  /** Asks about this sale now, its parked message too. Throws `sale.newer`, and what a terminal throws. */
  run(sale: Sale): Promise<void>;
  /**
   * A person says how it ended. What they wrote is masked before it is written down: it may hold a card's number.
   * Throws `till.notFound`, `till.nothingOpen`, `sale.newer`, `journal.unwritable`.
   */
  force(receipt: number, said: { charged: boolean; by: SaidBy }): EndedSale;
  /**
   * Asks once more about sales that ended as never sent, when no request of theirs can be under way. An approval that
   * turned up is being taken back; these sales are given. Stops where the gateway cannot be reached, and after some:
   * others want the line too. `all`: every one of them is asked about, those that are asked about again later too.
   */
  late(which?: 'all'): Promise<Sale[]>;
  /** The line is there: looks for late approvals, and nobody waits for it. */
  lateSoon(): void;
  /** The till stays: a terminal that has to be asked is asked if it is there, then late approvals are looked for. */
  wake(): void;
  /** Resolves when nothing of it is under way. */
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
/** So many are asked about before anybody else gets a turn at the gateway. */
const LATE_AT_ONCE = 50;

export const openResolver = (given: ResolverParts): Resolver => {
  const { till, ledger, parts } = given;
  const { report } = parts;
  const show = showing(given);
  let looking: Promise<Sale[]> | undefined;
  let waking: Promise<void> | undefined;
  let stopped = false;

  const late = async (which?: 'all'): Promise<Sale[]> => {
    // What is looked for already may stop before the last one.
    while (which === 'all' && looking !== undefined) await looking.catch(report);
    looking ??= lookForLate(given, () => stopped, which).finally(() => {
      looking = undefined;
    });
    return looking;
  };

  const askAll = async (): Promise<void> => {
    await till.settleAtTerminal().catch(report);
    await late().catch(report);
  };

  return {
    open: () =>
      ledger
        .openSales()
        .flatMap((id) => ledger.sale(id) ?? [])
        .map(show.several()),
    several: show.several,
    of: (sale) => show.caseOf(sale, show.queuedOf(sale)),
    async run(sale) {
      refuseUnread(sale);
      if (sale.intent.by === 'terminal') await till.settleAtTerminal();
      else await askGateway(given, sale, () => show.queuedOf(sale));
      await late();
    },
    force(receipt, { charged, by }) {
      const { who, role, reason, evidence } = by;
      const masked = { who, role, reason: printable(reason, WORDS_MOST), evidence: printable(evidence, WORDS_MOST) };
      return till.personSays(receipt, charged, masked);
    },
    late,
    lateSoon: () => void late().catch(report),
    wake() {
      waking ??= askAll().finally(() => {
        waking = undefined;
      });
    },
    async stop() {
      stopped = true;
      await waking?.catch(report);
      await looking?.catch(report);
    },
  };
};

/** The cases as they stand in journal and queue. */
const showing = ({ journal, outbox, parts }: ResolverParts) => {
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
    several() {
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
    const late = await askLate(parts, id);
    if (late.found === 'unheard') break;
    if (late.found !== 'elsewhere') left -= 1;
    if (late.found === 'clear' && due.has(id)) ledger.lateIsAsked(id);
    // The others behind it get their turn first.
    if (late.found === 'later') ledger.lateIsToAsk(id);
    if (late.found === 'approved') found.push(late.sale);
  }
  if (found.length > 0) await forwarder.drain('unknown');
  return found;
};

/** What was set aside is taken up again, and what waits of this sale is sent now. */
const askGateway = async (
  { parts, outbox, forwarder }: ResolverParts,
  { intent }: Sale,
  queued: () => readonly QueuedMessage[],
): Promise<void> => {
  const now = parts.clock.now();
  outbox.unpark(now, intent.sale);
  outbox.hurry(intent.sale);
  const waits = queued();
  if (waits.length === 0) return;
  const isStored = waits.some(({ kind }) => kind === 'forward' || kind === 'follow');
  await forwarder.drain(isStored ? 'all' : 'unknown');
};

// The evidence of sales that are looked at again and again, kept in memory until the journal has more of them.

/** Of some kilobytes each. Those that were wanted last are kept. */
const KEPT_MOST = 200;

type Kept = { readonly last: number; readonly lines: readonly EvidenceLine[] };

/** By the id of the sale. */
const openEvidence = ({ sql, about }: Pick<Journal, 'sql' | 'about'>): ((sale: string) => readonly EvidenceLine[]) => {
  const kept = new Map<string, Kept>();
  return (sale) => {
    const last = Number(sql.get('SELECT max(entry) AS n FROM entry WHERE subject = ?', sale)?.['n'] ?? 0);
    const known = kept.get(sale);
    const now = known?.last === last ? known : { last, lines: evidenceOf(about(sale)) };
    kept.delete(sale);
    kept.set(sale, now);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MOST && oldest !== undefined) kept.delete(oldest);
    return now.lines;
  };
};

// Asks once more about sales that ended as never sent: a request that nobody saw arrive may have been approved all the
// same. What is found is taken back, and the answer is evidence either way.

/**
 * `approved`: it was, and goes back. `clear`: the gateway has no yes. `later`: it could not tell. `unheard`: it did not
 * answer. `elsewhere`: another gateway would have it, which is not asked.
 */
export type Late =
  | { readonly found: 'approved'; readonly sale: Sale }
  | { readonly found: 'clear' | 'later' | 'unheard' | 'elsewhere' };

/** Throws `journal.unwritable`. */
export const askLate = async (parts: TillParts, id: string): Promise<Late> => {
  const { host, ledger, ids, clock, gateway } = parts;
  const before = replay(ledger.events(id));
  // It is asked about once more by the version that knows it.
  if (before !== undefined && isUnread(before)) return { found: 'elsewhere' };
  if (before?.at !== 'ended' || before.intent.by === 'terminal' || before.ending === 'approved')
    return { found: 'clear' };
  if (before.intent.gateway !== gateway) return { found: 'elsewhere' };
  const reply = await findPayment(host, before.intent);
  if (reply === 'nothing') return { found: 'clear' };
  if (reply.kind !== 'answered') return { found: 'unheard' };
  if (isNo(reply)) return { found: 'clear' };
  // A live channel's approval at a test till moved money: it goes back like any other.
  if (reply.means !== 'approved' && reply.means !== 'liveAnswer') return { found: 'later' };
  // Meanwhile it may have been spoken of elsewhere.
  const now = replay(ledger.events(id));
  const approved = approvedPartOf(reply.body, before.intent);
  const event = { on: 'approvedLate', answer: { ...answerOf(reply), ...(approved && { approved }) } } as const;
  const step = now && next(now, event);
  if (step === undefined) return { found: 'clear' };
  const message =
    step.outgoing === undefined
      ? undefined
      : ifUnanswered(step.sale.intent) === 'reverse'
        ? reversalFor(step.sale, { key: ids.next(), sentAt: clock.monotonic() })
        : repeatFor(step.sale, clock.monotonic());
  ledger.record(id, event, message);
  return { found: 'approved', sale: step.sale };
};
