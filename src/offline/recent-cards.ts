/**
 * Whether a till would sell without its gateway, judged by its limits and by the cards read at it in the last weeks.
 * The manager's page, the cashier's status strip and `till limits` share this judgement.
 */
import type { CardFacts } from '../till/machine/facts.ts';
import type { Objection } from '../till/offline/card.ts';
import { offlineVerdict } from '../till/offline/verdict.ts';
import type { OfflineReadiness } from './decision.ts';
import type { OfflineTill } from './port.ts';

const WEEKS_MS = 28 * 86_400_000;
/** The most recent ones say enough about the terminal that is connected now. */
const CARDS_MOST = 50;

type Read = Pick<OfflineTill, 'journal' | 'till' | 'counters'>;

/** Newest first, without the cards of a terminal that asks its bank itself: the till's limits do not apply to it. */
export const recentCards = ({ journal, till, counters }: Read, now: number): CardFacts[] => {
  const ownTerminals = new Set(counters.map(({ terminalId }) => terminalId));
  return journal.sql
    .all(
      "SELECT sale FROM sale_search WHERE at >= ? AND last4 <> '' ORDER BY at DESC LIMIT ?",
      now - WEEKS_MS,
      CARDS_MOST,
    )
    .flatMap(({ sale: id }) => {
      const { intent, card } = till.findSale(String(id));
      const isReader = intent.by !== 'terminal' && intent.follows === undefined && ownTerminals.has(intent.terminalId);
      return isReader && card !== undefined ? [card] : [];
    });
};

export type CardsTaken = {
  seen: number;
  taken: number;
  /** The most frequent reason for refusing them. */
  why?: Objection;
  /** The single limit whose change lets the till take the most cards, and how many. Absent if no change helps. */
  cure?: { key: 'withoutDataAuthentication'; value: 'yes'; taken: number };
};

export type Judgement = {
  ready: boolean;
  /** Why no sale would be taken. */
  why?: Objection;
  /** Absent when the reason applies to every card. */
  cards?: CardsTaken;
};

/** A till whose limits fit no card that was read at it is not ready, however generous they are. */
export const judge = (cards: readonly CardFacts[], readiness: OfflineReadiness): Judgement => {
  if (readiness.objection !== undefined) return { ready: false, why: readiness.objection };
  const found = cardsTaken(cards, readiness);
  const reason = found.taken === 0 ? found.why : undefined;
  return { ready: reason === undefined, why: reason, cards: found };
};

/** Judges each card as if it were presented now, for the smallest amount. */
const cardsTaken = (cards: readonly CardFacts[], readiness: OfflineReadiness): CardsTaken => {
  const { limits } = readiness;
  const refused = objections(cards, readiness);
  const takenCount = cards.length - refused.length;
  const others = { ...readiness, limits: { ...limits, withoutDataAuthentication: true } };
  const unauthenticated = cards.length - objections(cards, others).length;
  const reason = mostOf(refused);
  const cure = { key: 'withoutDataAuthentication', value: 'yes', taken: unauthenticated } as const;
  return { seen: cards.length, taken: takenCount, why: reason, cure: unauthenticated > takenCount ? cure : undefined };
};

const objections = (cards: readonly CardFacts[], { limits, exposure, moment }: OfflineReadiness): Objection[] =>
  cards.flatMap((card) => {
    const request = { operation: 'sale', amount: { minor: 1n, currency: limits.currency }, card } as const;
    const verdict = offlineVerdict(request, { limits, exposure, moment });
    return verdict.kind === 'refused' ? [{ code: verdict.code ?? 'off', why: verdict.why }] : [];
  });

const mostOf = (refused: readonly Objection[]): Objection | undefined => {
  const counts = new Map<string, number>();
  for (const { code } of refused) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return refused.find(({ code }) => code === most?.[0]);
};
