/**
 * What the sales of a span would have been under other limits: the till's own decision over each, with what would have
 * been out by then. The book is the till's own too, in memory. What nobody can know is counted and said.
 */
import type { LimitsReplay } from '../api/ports/books.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import { startOfDay } from '../base/wall-time.ts';
import { openSql } from '../journal/sql.ts';
import { decimal } from '../reconciliation/report.ts';
import type { Instant, OfflineVerdict } from '../till/machine/offline-facts.ts';
import { begin, type EndedSale, type Sale } from '../till/machine/sale.ts';
import type { OfflineLimits } from '../till/offline/limits.ts';
import { offlineVerdict } from '../till/offline/verdict.ts';
import { tellReplay } from '../words/en/messages/books.ts';
import { type OfflineBook, offlineBook } from './book.ts';
import { gatewayAnswerTimes, type LimitsQuestion, limitsQuestionsIn, saidToCard } from './limits-replay-sales.ts';
import type { OfflineTill } from './port.ts';

type Span = { from: number; to: number };
const BEFORE_MS = 3 * 86_400_000;

type Way = 'chip' | 'deferred';
/** `guessed`: the chip was never asked there, and is taken to have approved. */
type Decision = { asked: LimitsQuestion; way: Way | undefined; guessed: boolean };

type Replayed = Pick<OfflineTill, 'journal' | 'ledger' | 'config'>;

export const replayLimits = (running: Replayed, limits: OfflineLimits, span: Span): LimitsReplay => {
  // What was out when the span began counts too.
  const early = limitsQuestionsIn(running, { ...span, from: span.from - BEFORE_MS });
  const decisions = decided(running, limits, early).filter(({ asked: one }) => one.at >= span.from);
  const asked = decisions.map((one) => one.asked);
  const more = decisions.filter(({ asked: one, way }) => one.taken === undefined && way !== undefined);
  const fewer = decisions.filter(({ asked: one, way }) => one.taken !== undefined && way === undefined);
  const taken = decisions.filter(({ way }) => way !== undefined);
  const said = new Map(taken.map(({ asked: one }) => [one, answerOf(running, one)]));
  const failed = taken.filter(({ asked: one }) => said.get(one) === 'declined');
  const unknown = taken.filter(({ asked: one, guessed }) => said.get(one) === undefined || guessed);
  const told = replayMessages({ more, fewer, unknown, asked });
  const sum = (some: readonly Decision[]) => summed(some, limits.currency);
  return {
    ...span,
    asked: asked.length,
    moreTaken: sum(more),
    fewerTaken: sum(fewer.filter(({ asked: one }) => !one.chipFirst)),
    wouldHaveFailed: sum(failed),
    notKnown: sum(unknown),
    says: told.map(({ says }) => says),
    told,
  };
};

const summed = (some: readonly Decision[], currency: string): LimitsReplay['moreTaken'] => ({
  count: some.length,
  total: {
    amount: decimal(
      some.reduce((sum, { asked }) => sum + asked.sale.intent.amount.minor, 0n),
      currency,
    ),
    currency,
  },
});

/** What was stored has its own answer; of what was refused, the next answer to the same card tells. */
const answerOf = (running: Replayed, asked: LimitsQuestion): 'approved' | 'declined' | undefined => {
  if (asked.taken === undefined) return saidToCard(running, asked);
  return asked.sent && (asked.sent.approved ? 'approved' : 'declined');
};

const decided = (running: Replayed, limits: OfflineLimits, all: readonly LimitsQuestion[]): Decision[] => {
  const heard = gatewayAnswerTimes(running, all);
  const timeZone = running.config.businessDay?.timeZone;
  const sql = openSql(':memory:');
  try {
    const book = offlineBook(sql);
    const out: { ends: number; settle(): void }[] = [];
    return all.map((asked) => {
      for (const one of out.splice(0)) {
        if (one.ends <= asked.at) one.settle();
        else out.push(one);
      }
      const verdict = verdictOn(asked, { limits, book, last: heard.before(asked.at), timeZone });
      const decision = { asked, ...wayOf(asked, verdict) };
      if (decision.way !== undefined) {
        const ends = asked.sent?.at ?? (asked.taken === undefined ? heard.after(asked.at) : undefined);
        out.push({ ends: ends ?? Number.POSITIVE_INFINITY, settle: take(book, asked, decision.way) });
      }
      return decision;
    });
  } finally {
    sql.close();
  }
};

/** One clock for all: how long a machine was up then is not known any more. */
const instantOf = (at: number): Instant => ({ at, boot: 'replay', upMs: at });

type ReplayState = { limits: OfflineLimits; book: OfflineBook; last: number | undefined; timeZone: string | undefined };

const verdictOn = (
  { sale, card, at }: LimitsQuestion,
  { limits, book, last, timeZone }: ReplayState,
): OfflineVerdict => {
  const { operation, amount, cashier } = sale.intent;
  const ask = { operation, amount, card, ...(cashier !== undefined && { cashier }) };
  return offlineVerdict(ask, {
    limits,
    exposure: book.exposure(ask, instantOf(at), startOfDay(at, timeZone)),
    moment: {
      sinceAnswer: last === undefined ? { unknown: 'the journal does not tell' } : { ms: at - last },
      // What the disk had left is not known any more: it is taken to have been enough.
      freeBytes: Number.MAX_SAFE_INTEGER,
    },
  });
};

const wayOf = (asked: LimitsQuestion, verdict: OfflineVerdict): Omit<Decision, 'asked'> => {
  const refused = { way: undefined, guessed: false };
  if (asked.otherwise || verdict.kind === 'refused') return refused;
  const { chip, deferred } = verdict;
  if (asked.chipFirst) return chip ? { way: 'chip', guessed: false } : refused;
  if (asked.taken === 'chip') return chip ? { way: 'chip', guessed: false } : deferred ? sure('deferred') : refused;
  // The chip was asked and said no: what is left is an authorisation later.
  if (asked.taken === 'deferred' && (asked.chipAsked || deferred)) return deferred ? sure('deferred') : refused;
  if (chip) return { way: 'chip', guessed: !deferred };
  return deferred ? sure('deferred') : refused;
};

const sure = (way: Way): Omit<Decision, 'asked'> => ({ way, guessed: false });

/** Puts it into the book as the till does, and returns what takes it out of what waits. */
const take = (book: OfflineBook, { sale, card, at }: LimitsQuestion, way: Way): (() => void) => {
  const { intent } = sale;
  const before: Sale = begin(intent).sale;
  const reason = way === 'chip' ? 'approvedOffline' : 'takenOffline';
  const stored: EndedSale = { at: 'ended', intent, card, ending: 'approved', reason, offline: way };
  const offline = { kind: 'allowed', chip: way === 'chip', deferred: way === 'deferred', at: instantOf(at) } as const;
  // Nobody wrote it: it has no entry.
  book.moved({ event: { on: 'hostNotReached', why: '', offline }, entry: 0, at, before, after: stored });
  const answer = { code: '', description: '' };
  const event = { on: 'forwarded', approved: true, answer } as const;
  const after: EndedSale = { ...stored, forwarded: { approved: true, answer } };
  return () => book.moved({ event, entry: 0, at, before: stored, after });
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
