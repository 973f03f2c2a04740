/**
 * How long each phase took in the last sales at a terminal. Kept in memory; after a start the waits that the journal
 * dates, for the bank and for the card's last word, are taken from there, and the others are what they are anywhere.
 */
import type { Phase } from '../api/ports/selling.ts';
import type { Journal } from '../journal/journal.ts';
import { eventIn } from '../till/machine/event-text.ts';

export type UsualTimes = {
  /** One phase that ended. */
  took(phase: Phase, ms: number): void;
  /** A sale that ended with a result of its card, and the phases that it had. */
  had(phases: ReadonlySet<Phase>): void;
  /** From the first tenth to the last; undefined where nobody can say. */
  of(phase: Phase): { from: number; to: number } | undefined;
  /** Whether at least half of the last sales had it. */
  isUsual(phase: Phase): boolean;
};

/** So many of each are remembered, and so many sales are read after a start. */
const KEPT = 50;
/** Fewer say nothing: what they are anywhere stands till then. */
const ENOUGH = 5;

/** ms, before a terminal has times of its own. */
const anywhere: Readonly<Partial<Record<Phase, readonly [number, number]>>> = {
  starting: [200, 1_500],
  presentCard: [2_000, 15_000],
  reading: [500, 3_000],
  useChip: [2_000, 10_000],
  useStripe: [2_000, 10_000],
  enterPin: [3_000, 15_000],
  askingBank: [500, 4_000],
  askingBankAgain: [2_000, 20_000],
  goingOffline: [500, 3_000],
  cardFinishing: [300, 2_000],
  terminalPays: [5_000, 30_000],
  askingTerminal: [3_000, 15_000],
  removeCard: [1_000, 6_000],
};

export const openUsualTimes = (journal: Journal, terminalId: string): UsualTimes => {
  const times = new Map<Phase, number[]>();
  const sales: ReadonlySet<Phase>[] = [];
  const took = (phase: Phase, ms: number): void => {
    times.set(phase, [...(times.get(phase) ?? []), ms].slice(-KEPT));
  };
  for (const [phase, ms] of fromJournal(journal, terminalId)) took(phase, ms);
  return {
    took,
    had(phases) {
      sales.push(new Set(phases));
      if (sales.length > KEPT) sales.shift();
    },
    of(phase) {
      const known = times.get(phase) ?? [];
      if (known.length >= ENOUGH) return span(known);
      const [from, to] = anywhere[phase] ?? [];
      return from === undefined || to === undefined ? undefined : { from, to };
    },
    isUsual: (phase) => sales.length > 0 && sales.filter((one) => one.has(phase)).length * 2 >= sales.length,
  };
};

/** The tenth and the ninetieth of a hundred, by rank. */
export const span = (times: readonly number[]): { from: number; to: number } => {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): number => Math.round(sorted[Math.round((sorted.length - 1) * share)] ?? 0);
  return { from: at(0.1), to: at(0.9) };
};

const fromJournal = ({ sql, about }: Journal, terminalId: string): [Phase, number][] =>
  sql
    .all('SELECT sale FROM sale WHERE terminal_id = ? ORDER BY sequence DESC LIMIT ?', terminalId, KEPT)
    .reverse()
    .flatMap(({ sale }) => {
      const entries = about(String(sale)).map(({ at, body }) => ({ at, on: eventIn(body).on }));
      return entries.flatMap(({ at, on }, index): [Phase, number][] => {
        const before = entries[index - 1];
        const phase = before && waits[`${before.on} ${on}`];
        return before === undefined || phase === undefined ? [] : [[phase, Math.max(0, at - before.at)]];
      });
    });

/** Between these two entries of one sale nothing else was waited for. */
const waits: Readonly<Record<string, Phase>> = {
  'cardRead hostApproved': 'askingBank',
  'cardRead hostDeclined': 'askingBank',
  'intended hostApproved': 'askingBank',
  'intended hostDeclined': 'askingBank',
  'hostApproved chipApproved': 'cardFinishing',
  'hostApproved chipDeclined': 'cardFinishing',
  'terminalNoted terminalApproved': 'terminalPays',
  'terminalNoted terminalDeclined': 'terminalPays',
  'terminalTook terminalApproved': 'terminalPays',
  'terminalTook terminalDeclined': 'terminalPays',
};
