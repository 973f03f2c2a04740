/**
 * What the sales of a period would have been under other limits: runs the till's own decision on each, against what
 * would have been outstanding by then. The table of offline sales is the till's own one, in memory. What cannot be
 * known is counted and reported.
 */
import type { LimitsReplay } from '../api/contract/limits.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import { startOfDay } from '../base/wall-time.ts';
import { openSql } from '../journal/sql.ts';
import { tellReplay } from '../locales/messages/en/books.ts';
import { decimal } from '../reconciliation/report.ts';
import { eventIn } from '../till/machine/event-text.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import type { CardFacts } from '../till/machine/facts.ts';
import type { Instant, OfflineVerdict } from '../till/machine/offline-facts.ts';
import { begin, type EndedSale, replay, type Sale } from '../till/machine/sale.ts';
import { cardKeyOf } from '../till/offline/card.ts';
import type { OfflineLimits } from '../till/offline/limits.ts';
import { offlineVerdict } from '../till/offline/verdict.ts';
import { type OfflineBook, offlineBook } from './book.ts';
import type { OfflineTill } from './port.ts';

type Span = { from: number; to: number };
const BEFORE_MS = 3 * 86_400_000;

type OfflineKind = 'chip' | 'deferred';
/** `guessed`: the chip was not asked at the time, and is assumed to have approved. */
type Decision = { asked: LimitsQuestion; kind: OfflineKind | undefined; guessed: boolean };

type Replayed = Pick<OfflineTill, 'journal' | 'ledger' | 'config'>;

export const replayLimits = (running: Replayed, limits: OfflineLimits, span: Span): LimitsReplay => {
  // Sales that were already outstanding when the period began count too.
  const earlierQuestions = limitsQuestionsIn(running, { ...span, from: span.from - BEFORE_MS });
  const decisions = decideAll(running, limits, earlierQuestions).filter(({ asked: one }) => one.at >= span.from);
  const question = decisions.map((one) => one.asked);
  const more = decisions.filter(({ asked: one, kind }) => one.taken === undefined && kind !== undefined);
  const fewer = decisions.filter(({ asked: one, kind }) => one.taken !== undefined && kind === undefined);
  const takenDecisions = decisions.filter(({ kind }) => kind !== undefined);
  const answers = new Map(takenDecisions.map(({ asked: one }) => [one, finalAnswerOf(running, one)]));
  const failed = takenDecisions.filter(({ asked: one }) => answers.get(one) === 'declined');
  const unknown = takenDecisions.filter(({ asked: one, guessed }) => answers.get(one) === undefined || guessed);
  const messages = replayMessages({ more, fewer, unknown, asked: question });
  const sum = (group: readonly Decision[]) => sumDecisions(group, limits.currency);
  return {
    ...span,
    asked: question.length,
    moreTaken: sum(more),
    fewerTaken: sum(fewer.filter(({ asked: one }) => !one.chipFirst)),
    wouldHaveFailed: sum(failed),
    notKnown: sum(unknown),
    says: messages.map(({ says }) => says),
    told: messages,
  };
};

const sumDecisions = (group: readonly Decision[], currency: string): LimitsReplay['moreTaken'] => ({
  count: group.length,
  total: {
    amount: decimal(
      group.reduce((sum, { asked }) => sum + asked.sale.intent.amount.minor, 0n),
      currency,
    ),
    currency,
  },
});

/** A stored sale has its own answer. For a refused one, the next answer to the same card decides. */
const finalAnswerOf = (running: Replayed, question: LimitsQuestion): 'approved' | 'declined' | undefined => {
  if (question.taken === undefined) return onlineAnswerFor(running, question);
  return question.sent && (question.sent.approved ? 'approved' : 'declined');
};

const decideAll = (running: Replayed, limits: OfflineLimits, all: readonly LimitsQuestion[]): Decision[] => {
  const received = gatewayAnswerTimes(running, all);
  const timeZone = running.config.businessDay?.timeZone;
  const sql = openSql(':memory:');
  try {
    const book = offlineBook(sql);
    const out: { ends: number; settle(): void }[] = [];
    return all.map((question) => {
      for (const one of out.splice(0)) {
        if (one.ends <= question.at) one.settle();
        else out.push(one);
      }
      const verdict = verdictOn(question, { limits, book, last: received.before(question.at), timeZone });
      const decision = { asked: question, ...wayOf(question, verdict) };
      if (decision.kind !== undefined) {
        const ends = question.sent?.at ?? (question.taken === undefined ? received.after(question.at) : undefined);
        out.push({ ends: ends ?? Number.POSITIVE_INFINITY, settle: take(book, question, decision.kind) });
      }
      return decision;
    });
  } finally {
    sql.close();
  }
};

/** The wall clock is also used as uptime, because the uptime of that time is no longer known. */
const instantOf = (at: number): Instant => ({ at, boot: 'replay', upMs: at });

type ReplayState = { limits: OfflineLimits; book: OfflineBook; last: number | undefined; timeZone: string | undefined };

const verdictOn = (
  { sale, card, at }: LimitsQuestion,
  { limits, book, last, timeZone }: ReplayState,
): OfflineVerdict => {
  const { operation, amount, cashier } = sale.intent;
  const ask = { operation, amount, card, cashier };
  return offlineVerdict(ask, {
    limits,
    exposure: book.exposure(ask, instantOf(at), startOfDay(at, timeZone)),
    moment: {
      sinceAnswer: last === undefined ? { unknown: 'the journal does not tell' } : { ms: at - last },
      // The free disk space of that time is no longer known, so it is assumed to have been enough.
      freeBytes: Number.MAX_SAFE_INTEGER,
    },
  });
};

const wayOf = (question: LimitsQuestion, verdict: OfflineVerdict): Omit<Decision, 'asked'> => {
  const refused = { kind: undefined, guessed: false };
  if (question.otherwise || verdict.kind === 'refused') return refused;
  const { chip, deferred } = verdict;
  if (question.chipFirst) return chip ? { kind: 'chip', guessed: false } : refused;
  if (question.taken === 'chip')
    return chip ? { kind: 'chip', guessed: false } : deferred ? certainDecision('deferred') : refused;
  // The chip was asked and declined: only a later authorisation is left.
  if (question.taken === 'deferred' && (question.chipAsked || deferred))
    return deferred ? certainDecision('deferred') : refused;
  if (chip) return { kind: 'chip', guessed: !deferred };
  return deferred ? certainDecision('deferred') : refused;
};

const certainDecision = (kind: OfflineKind): Omit<Decision, 'asked'> => ({ kind, guessed: false });

/** Puts the sale into the table as the till does, and returns a function that ends its waiting. */
const take = (book: OfflineBook, { sale, card, at }: LimitsQuestion, kind: OfflineKind): (() => void) => {
  const { intent } = sale;
  const before: Sale = begin(intent).sale;
  const reason = kind === 'chip' ? 'approvedOffline' : 'takenOffline';
  const stored: EndedSale = { at: 'ended', intent, card, ending: 'approved', reason, offline: kind };
  const offline = { kind: 'allowed', chip: kind === 'chip', deferred: kind === 'deferred', at: instantOf(at) } as const;
  // This sale was never written, so it has no journal entry.
  book.apply({ event: { on: 'hostNotReached', why: '', offline }, entry: 0, at, before, after: stored });
  const answer = { code: '', description: '' };
  const event = { on: 'forwarded', approved: true, answer } as const;
  const after: EndedSale = { ...stored, forwarded: { approved: true, answer } };
  return () => book.apply({ event, entry: 0, at, before: stored, after });
};

type Found = {
  more: readonly Decision[];
  fewer: readonly Decision[];
  unknown: readonly Decision[];
  asked: readonly LimitsQuestion[];
};

const replayMessages = ({ more, fewer, unknown, asked }: Found): LocalizedMessage[] => [
  ...(asked.length === 0 ? [tellReplay('nothing')] : []),
  ...(more.length > 0 ? [tellReplay('more')] : []),
  ...(fewer.some(({ asked: one }) => one.chipFirst) ? [tellReplay('chipFirst')] : []),
  ...(unknown.length > 0 ? [tellReplay('unknown')] : []),
  ...(asked.some(({ otherwise }) => otherwise) ? [tellReplay('otherwise')] : []),
];

// The sales of a period that were checked against the store's limits, and what became of each according to the journal.

type LimitsQuestion = {
  sale: Sale;
  card: CardFacts;
  /** When the limits were checked, ms. */
  at: number;
  /** How the sale was taken at the time. Undefined when it was refused. */
  taken: 'chip' | 'deferred' | undefined;
  /**
   * The chip had approved before the gateway was asked, so the sale was taken or sent whether or not the line was up.
   */
  chipFirst: boolean;
  /** Whether the chip was allowed to approve, as far as it was asked. */
  chipAsked: boolean;
  /** Refused for a reason that is no limit: the disk, the clock, or a table that could not be read. */
  otherwise: boolean;
  /** When the gateway answered for the stored sale, and whether it approved. */
  sent?: { at: number; approved: boolean };
};

/**
 * In the order in which the limits were checked. Operations that follow a payment need no card and are not included.
 */
const limitsQuestionsIn = ({ journal }: Pick<OfflineTill, 'journal'>, { from, to }: Span): LimitsQuestion[] =>
  journal.sql
    .all(
      `SELECT s.sale FROM sale_search s JOIN conservation c ON c.sale = s.sale
       LEFT JOIN offline_sale o ON o.sale = s.sale
       WHERE s.at >= ? AND s.at < ? AND s.last4 <> '' AND (o.sale IS NOT NULL OR c.place = 'notSent')`,
      from,
      to,
    )
    .flatMap(({ sale }) => limitsQuestionOf(journal.about(String(sale))) ?? [])
    .sort((one, other) => one.at - other.at);

type TimedEvent = { at: number; event: ReadEvent };

const limitsQuestionOf = (entries: readonly { at: number; body: string }[]): LimitsQuestion | undefined => {
  const reports = entries.map(({ at, body }): TimedEvent => ({ at, event: eventIn(body) }));
  const sale = replay(reports.map(({ event }) => event));
  if (sale?.at !== 'ended' || sale.card === undefined || sale.intent.follows !== undefined) return undefined;
  const read = reports.find(({ event }) => event.on === 'cardRead');
  const missed = reports.find(({ event }) => event.on === 'hostNotReached');
  const chipFirst = read?.event.on === 'cardRead' && read.event.decision === 'approvedOffline';
  const request = missed ?? (chipFirst && sale.offline !== undefined ? read : undefined);
  if (request === undefined || !('offline' in request.event)) return undefined;
  const { offline: verdict } = request.event;
  const taken = sale.offline === 'chip' || sale.offline === 'deferred' ? sale.offline : undefined;
  // The card itself declined or was pulled, which no limit changes.
  if (taken === undefined && verdict.kind === 'allowed' && !chipFirst) return undefined;
  const sent = reports.find(({ event }) => event.on === 'forwarded');
  return {
    sale,
    card: sale.card,
    at: request.at,
    taken,
    chipFirst,
    chipAsked: chipFirst || (verdict.kind === 'allowed' && verdict.chip),
    otherwise: verdict.kind === 'refused' && ['disk', 'clock', 'uncounted'].includes(verdict.code ?? ''),
    sent: sent?.event.on === 'forwarded' ? { at: sent.at, approved: sent.event.approved } : undefined,
  };
};

const onlineAt = "s.payment <> '' AND NOT EXISTS (SELECT 1 FROM offline_sale o WHERE o.sale = s.sale)";

/** When the gateway is known to have answered: its answers to payments online, and to sales that were sent later. */
const gatewayAnswerTimes = ({ journal }: Pick<OfflineTill, 'journal'>, requests: readonly LimitsQuestion[]) => {
  const sent = requests.flatMap(({ sent: answer }) => answer?.at ?? []).sort((one, other) => one - other);
  const answerTime = (compare: string, order: string, at: number): number | undefined => {
    const row = journal.sql.get(
      `SELECT s.at FROM sale_search s WHERE s.at ${compare} ? AND ${onlineAt} ORDER BY s.at ${order} LIMIT 1`,
      at,
    );
    return row === undefined ? undefined : Number(row['at']);
  };
  const knownTimes = (times: readonly (number | undefined)[]): number[] => times.flatMap((time) => time ?? []);
  return {
    before(at: number): number | undefined {
      const times = knownTimes([answerTime('<', 'DESC', at), sent.findLast((time) => time < at)]);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    after(at: number): number | undefined {
      const times = knownTimes([answerTime('>', 'ASC', at), sent.find((time) => time > at)]);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
};

const SAME_CARD_MS = 86_400_000;

/** What the bank answered to the same card within the next day. Undefined when it was not asked. */
const onlineAnswerFor = (
  { journal, ledger }: Pick<OfflineTill, 'journal' | 'ledger'>,
  { card, at }: LimitsQuestion,
): 'approved' | 'declined' | undefined => {
  const last4 = /(\d{4})$/.exec(card.maskedPan)?.[1] ?? '';
  const values = [last4, at, at + SAME_CARD_MS];
  const rows = journal.sql.all(
    "SELECT sale FROM sale_search WHERE last4 = ? AND last4 <> '' AND at > ? AND at <= ? ORDER BY at LIMIT 20",
    ...values,
  );
  for (const { sale: id } of rows) {
    const sale = replay(ledger.events(String(id)));
    if (sale?.at !== 'ended' || sale.card === undefined || cardKeyOf(sale.card) !== cardKeyOf(card)) continue;
    const answer = sale.forwarded ?? (sale.answer && { approved: sale.ending === 'approved' });
    if (answer !== undefined) return answer.approved ? 'approved' : 'declined';
  }
  return undefined;
};
