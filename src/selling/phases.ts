/** What a cashier waits for, from what the terminal reports and how far the sale is. Pure. */
import type { TerminalEvent } from '../../drivers/terminal.ts';
import type { LiveSale, Phase } from '../api/ports/selling.ts';
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
