/** The sales of a span that the store's limits were asked about, and what became of each, as the journal tells. */
import { eventIn } from '../till/machine/event-text.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import type { CardFacts } from '../till/machine/facts.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { cardKeyOf } from '../till/offline/card.ts';
import type { OfflineTill } from './port.ts';

export type LimitsQuestion = {
  sale: Sale;
  card: CardFacts;
  /** When the limits were asked, ms. */
  at: number;
  /** How it was taken then; undefined where it was refused. */
  taken: 'chip' | 'deferred' | undefined;
  /** The chip had approved before the gateway was asked: it was taken, or sent, whether or not the line was there. */
  chipFirst: boolean;
  /** Whether the chip was let approve, as far as anybody asked it. */
  chipAsked: boolean;
  /** Refused for what no limit is about: the disk, the clock, a book that could not be read. */
  otherwise: boolean;
  /** When the gateway answered about what was stored, and whether it approved. */
  sent?: { at: number; approved: boolean };
};

type Span = { from: number; to: number };

/** In the order in which the limits were asked. Sales that follow a payment need no card, and are not among them. */
export const limitsQuestionsIn = ({ journal }: Pick<OfflineTill, 'journal'>, { from, to }: Span): LimitsQuestion[] =>
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
  const told = entries.map(({ at, body }): TimedEvent => ({ at, event: eventIn(body) }));
  const sale = replay(told.map(({ event }) => event));
  if (sale?.at !== 'ended' || sale.card === undefined || sale.intent.follows !== undefined) return undefined;
  const read = told.find(({ event }) => event.on === 'cardRead');
  const missed = told.find(({ event }) => event.on === 'hostNotReached');
  const chipFirst = read?.event.on === 'cardRead' && read.event.decision === 'approvedOffline';
  const asked = missed ?? (chipFirst && sale.offline !== undefined ? read : undefined);
  if (asked === undefined || !('offline' in asked.event)) return undefined;
  const { offline: verdict } = asked.event;
  const taken = sale.offline === 'chip' || sale.offline === 'deferred' ? sale.offline : undefined;
  // The card said no by itself, or was pulled: no limit changes that.
  if (taken === undefined && verdict.kind === 'allowed' && !chipFirst) return undefined;
  const sent = told.find(({ event }) => event.on === 'forwarded');
  return {
    sale,
    card: sale.card,
    at: asked.at,
    taken,
    chipFirst,
    chipAsked: chipFirst || (verdict.kind === 'allowed' && verdict.chip),
    otherwise: verdict.kind === 'refused' && ['disk', 'clock', 'uncounted'].includes(verdict.code ?? ''),
    ...(sent?.event.on === 'forwarded' && { sent: { at: sent.at, approved: sent.event.approved } }),
  };
};

const onlineAt = "s.payment <> '' AND NOT EXISTS (SELECT 1 FROM offline_sale o WHERE o.sale = s.sale)";

/** When the gateway is known to have answered: sales that it has a payment of, and what was sent later. */
export const gatewayAnswerTimes = ({ journal }: Pick<OfflineTill, 'journal'>, asked: readonly LimitsQuestion[]) => {
  const sent = asked.flatMap(({ sent: answer }) => answer?.at ?? []).sort((one, other) => one - other);
  const online = (compare: string, order: string, at: number): number | undefined => {
    const row = journal.sql.get(
      `SELECT s.at FROM sale_search s WHERE s.at ${compare} ? AND ${onlineAt} ORDER BY s.at ${order} LIMIT 1`,
      at,
    );
    return row === undefined ? undefined : Number(row['at']);
  };
  const known = (times: readonly (number | undefined)[]): number[] => times.flatMap((time) => time ?? []);
  return {
    before(at: number): number | undefined {
      const times = known([online('<', 'DESC', at), sent.findLast((time) => time < at)]);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    after(at: number): number | undefined {
      const times = known([online('>', 'ASC', at), sent.find((time) => time > at)]);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
};

const SAME_CARD_MS = 86_400_000;

/** What the bank said to the same card within a day after; undefined where it was not asked. */
export const saidToCard = (
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
