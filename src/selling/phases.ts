/** What the cashier is waiting for, from the terminal's reports and the sale's progress. Pure. */
import type { TerminalEvent } from '../../drivers/terminal.ts';
import type { Phase } from '../api/contract/sales.ts';
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
  // The sale itself reports this at the right moment; for a terminal that authorises by itself nobody else does.
  authorising: undefined,
  removeCard: 'removeCard',
  cardRemoved: undefined,
};

/** The phase that begins with this report. Undefined when the previous one continues. `at`: the sale's state. */
export const phaseOf = (progress: Progress, at: Sale['at']): Phase | undefined => {
  if (progress.kind === 'sale') return phaseOfSale(progress.sale);
  if (progress.kind === 'earlier') return undefined;
  const { event } = progress;
  // After the ending only the removal of the card is awaited.
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
      // The result is known. A terminal that authorises by itself has already dealt with the card.
      return sale.card?.entryMode === 'ICC' && sale.intent.by !== 'terminal' ? 'removeCard' : 'terminalFinishing';
  }
};

/** All phases in their usual order. Exceptional phases are in no list. */
const orders = {
  reader: ['starting', 'presentCard', 'reading', 'enterPin', 'askingBank', 'cardFinishing', 'removeCard', 'ended'],
  terminal: ['starting', 'terminalPays', 'ended'],
  gateway: ['starting', 'askingBank', 'ended'],
} as const satisfies Record<string, readonly Phase[]>;

/** Phases that only some sales have: shown as ahead if recent sales at this terminal had them. */
const sometimes: ReadonlySet<Phase> = new Set<Phase>(['enterPin', 'cardFinishing', 'removeCard']);

/** The listed phase that an exceptional phase replaces: the same phases follow both. */
const instead: Readonly<Partial<Record<Phase, Phase>>> = {
  waitingForAmount: 'starting',
  useChip: 'presentCard',
  useStripe: 'presentCard',
  askingBankAgain: 'askingBank',
  goingOffline: 'askingBank',
  askingTerminal: 'terminalPays',
};

export type AheadContext = Pick<Intent, 'operation' | 'by' | 'giftCard'> & {
  phase: Phase;
  /** Known once a card has been read. */
  entryMode?: string | undefined;
  /** Whether most recent sales at this terminal had this phase. */
  isUsual(phase: Phase): boolean;
};

/** The phases that usually still come, in order; none once the sale has ended. */
export const aheadOf = ({ phase, entryMode, isUsual, ...intent }: AheadContext): Phase[] => {
  if (phase === 'ended' || phase === 'removeCard' || phase === 'terminalFinishing') return [];
  const order: readonly Phase[] = orders[wayOf(intent)];
  const place = instead[phase] ?? phase;
  // A terminal that authorises by itself also reports the customer's steps while its payment continues.
  const i = order.includes(place) ? order.indexOf(place) : order.indexOf('terminalPays');
  const isAhead = (next: Phase): boolean => {
    if (!sometimes.has(next)) return true;
    const isChip = entryMode === undefined ? isUsual(next) : entryMode === 'ICC';
    return next === 'enterPin' ? isUsual(next) : isChip;
  };
  return order.slice(i + 1).filter(isAhead);
};

const wayOf = (intent: Pick<Intent, 'operation' | 'by' | 'giftCard'>): keyof typeof orders => {
  if (intent.by === 'terminal') return 'terminal';
  return followsPayment(intent) || intent.giftCard !== undefined ? 'gateway' : 'reader';
};

// How long each phase took in recent sales at a terminal. Kept in memory. After a restart, the phases that the journal
// can date (the bank's answer and the card's last step) are read from there; the others start with general values.

export type UsualTimes = {
  noteDuration(phase: Phase, ms: number): void;
  /** Records a sale that ended with a card result, and its phases. */
  noteSale(phases: ReadonlySet<Phase>): void;
  /** From the 10th to the 90th percentile. Undefined when unknown. */
  of(phase: Phase): { from: number; to: number } | undefined;
  /** Whether at least half of the recent sales had it. */
  isUsual(phase: Phase): boolean;
};

/** Durations remembered for each phase, and sales read after a restart. */
const KEPT = 50;
/** With fewer durations than this, the general values are used. */
const ENOUGH = 5;

/** General values in ms, until a terminal has its own. */
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
  const noteDuration = (phase: Phase, ms: number): void => {
    times.set(phase, [...(times.get(phase) ?? []), ms].slice(-KEPT));
  };
  for (const [phase, ms] of fromJournal(journal, terminalId)) noteDuration(phase, ms);
  return {
    noteDuration,
    noteSale(phases) {
      sales.push(new Set(phases));
      if (sales.length > KEPT) sales.shift();
    },
    of(phase) {
      const known = times.get(phase) ?? [];
      if (known.length >= ENOUGH) return usualSpan(known);
      const [from, to] = anywhere[phase] ?? [];
      return from === undefined || to === undefined ? undefined : { from, to };
    },
    isUsual: (phase) => sales.length > 0 && sales.filter((one) => one.has(phase)).length * 2 >= sales.length,
  };
};

/** The 10th and the 90th percentile, by rank. */
export const usualSpan = (times: readonly number[]): { from: number; to: number } => {
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
        const phase = before && phaseByWait[`${before.on} ${on}`];
        return before === undefined || phase === undefined ? [] : [[phase, Math.max(0, at - before.at)]];
      });
    });

/** Pairs of entries of one sale between which only this phase was waited for. */
const phaseByWait: Readonly<Record<string, Phase>> = {
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
