/** What a cashier waits for, from what the terminal reports and how far the sale is. Pure. */
import type { TerminalEvent } from '../../drivers/terminal.ts';
import type { LiveSale, Phase } from '../api/ports/selling.ts';
import type { Journal } from '../journal/journal.ts';
import { eventIn } from '../till/machine/event-text.ts';
import type { Intent } from '../till/machine/facts.ts';
import { followsPayment } from '../till/machine/operations.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { Progress } from '../till/running.ts';

const byEvent: Readonly<Record<TerminalEvent, Phase | undefined>> = {
  presentCard: 'presentCard',
  cardInserted: 'reading',
  cardTapped: 'reading',
  cardSwiped: 'reading',
  reading: 'reading',
  useChip: 'useChip',
  useStripe: 'useStripe',
  enterPin: 'enterPin',
  pinEntered: 'reading',
  // The sale itself says so, at its own moment; a terminal that authorises by itself has nobody else to say it.
  authorising: undefined,
  removeCard: 'removeCard',
  cardRemoved: undefined,
};

/** The phase that begins with this; undefined where the one before goes on. `at`: where the sale stands. */
export const phaseOf = (progress: Progress, at: Sale['at']): Phase | undefined => {
  if (progress.kind === 'sale') return phaseOfSale(progress.sale);
  if (progress.kind === 'earlier') return undefined;
  const { event } = progress;
  // After the ending only the card is waited for.
  if (at === 'ended') return event === 'removeCard' ? 'removeCard' : undefined;
  if (event === 'authorising') return at === 'paying' ? 'askingBank' : undefined;
  return byEvent[event];
};

const phaseOfSale = (sale: Sale): Phase | undefined => {
  switch (sale.at) {
    case 'awaitingAmount':
      return 'waitingForAmount';
    case 'presenting':
    case 'noting':
      return 'starting';
    case 'authorising':
      return sale.tries > 1 ? 'askingBankAgain' : 'askingBank';
    case 'completing':
      return sale.card.entryMode === 'ICC' ? 'cardFinishing' : undefined;
    case 'goingOffline':
      return 'goingOffline';
    case 'paying':
      return 'terminalPays';
    case 'asking':
      return 'askingTerminal';
    case 'ended':
      // The result is known. A terminal that authorises by itself has seen to its card.
      return sale.card?.entryMode === 'ICC' && sale.intent.by !== 'terminal' ? 'removeCard' : 'terminalFinishing';
  }
};

/** All that may come, in its order; what is out of the ordinary stands in no list. */
const orders = {
  reader: ['starting', 'presentCard', 'reading', 'enterPin', 'askingBank', 'cardFinishing', 'removeCard', 'ended'],
  terminal: ['starting', 'terminalPays', 'ended'],
  gateway: ['starting', 'askingBank', 'ended'],
} as const satisfies Record<string, readonly Phase[]>;

/** Comes in some sales only: shown as ahead where the last ones at this terminal had it. */
const sometimes: ReadonlySet<Phase> = new Set<Phase>(['enterPin', 'cardFinishing', 'removeCard']);

/** Where a phase that stands in no order belongs: what comes after it is what comes after this one. */
const instead: Readonly<Partial<Record<Phase, Phase>>> = {
  waitingForAmount: 'starting',
  useChip: 'presentCard',
  useStripe: 'presentCard',
  askingBankAgain: 'askingBank',
  goingOffline: 'askingBank',
  askingTerminal: 'terminalPays',
};

export type Ahead = Pick<Intent, 'operation' | 'by' | 'giftCard'> & {
  phase: Phase;
  /** Once a card was read. */
  entryMode?: string | undefined;
  /** Whether most of the last sales at this terminal had this phase. */
  isUsual(phase: Phase): boolean;
};

/** What usually comes yet, in order; nothing once it has ended. */
export const aheadOf = ({ phase, entryMode, isUsual, ...intent }: Ahead): Phase[] => {
  if (phase === 'ended' || phase === 'removeCard' || phase === 'terminalFinishing') return [];
  const order: readonly Phase[] = orders[wayOf(intent)];
  const place = instead[phase] ?? phase;
  // A terminal that authorises by itself tells its customer's steps too: its payment goes on meanwhile.
  const at = order.includes(place) ? order.indexOf(place) : order.indexOf('terminalPays');
  const comes = (next: Phase): boolean => {
    if (!sometimes.has(next)) return true;
    const isChip = entryMode === undefined ? isUsual(next) : entryMode === 'ICC';
    return next === 'enterPin' ? isUsual(next) : isChip;
  };
  return order.slice(at + 1).filter(comes);
};

const wayOf = (intent: Pick<Intent, 'operation' | 'by' | 'giftCard'>): keyof typeof orders => {
  if (intent.by === 'terminal') return 'terminal';
  return followsPayment(intent) || intent.giftCard !== undefined ? 'gateway' : 'reader';
};

/** A live sale's phase as it is now. */
export type Phased = Pick<LiveSale, 'phase' | 'phaseAt' | 'usualMs' | 'ahead'>;

// How long each phase took in the last sales at a terminal. Kept in memory; after a start the waits that the journal
// dates, for the bank and for the card's last word, are taken from there, and the others are what they are anywhere.

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
