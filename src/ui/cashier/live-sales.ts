/**
 * Live sales on the screen: which terminals are shown (those at work, and those whose result has not been dismissed),
 * and the words for their phases and operations.
 */
import type { Counter } from '../../api/contract/counters.ts';
import type { LiveSale, SaleRow } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import type { Words } from '../../locales/screens.ts';

/** A counter has one slot for its terminal, and one for operations at the gateway beside it. */
const slotOf = ({ counter, beside }: LiveSale): string => (beside === true ? `${counter} beside` : counter);

/**
 * Updates a sale in the list of live sales; each counter keeps its sale in progress and its last ending. An update of a
 * sale that another one has followed changes nothing.
 */
export const withSale = (live: readonly LiveSale[], sale: LiveSale): LiveSale[] => {
  const others = live.filter(({ id }) => id !== sale.id);
  const previous = live.find(({ id }) => id === sale.id);
  const inSameSlot = others.filter((one) => slotOf(one) === slotOf(sale));
  // A step has no result, so the known one is kept.
  const result = sale.result ?? previous?.result;
  if (result !== undefined && inSameSlot.some(({ startedAt }) => startedAt > sale.startedAt)) return others;
  const updated = { ...sale, ...(result && { result }) };
  return [...others.filter((one) => one.result === undefined || !inSameSlot.includes(one)), updated];
};

/** Whether it is shown even if not begun here; operations without a terminal that somebody else began are not. */
export const isVisibleToAll = ({ result, beside }: LiveSale): boolean => result === undefined && beside !== true;

/** The sales to show, by terminal: `stored` are those seen in progress here and not dismissed. */
export const panelsOf = (live: readonly LiveSale[], stored: ReadonlySet<string>): LiveSale[] => {
  const shown = live.filter((sale) => isVisibleToAll(sale) || stored.has(sale.id));
  const newest = new Map<string, LiveSale>();
  for (const sale of [...shown].sort((a, b) => a.startedAt - b.startedAt)) newest.set(slotOf(sale), sale);
  return [...newest.values()].sort((a, b) => a.counter.localeCompare(b.counter));
};

/** The panel that receives keys: the chosen one, else one in progress, else the first. */
export const currentPanel = (panels: readonly LiveSale[], chosen: string | undefined): LiveSale | undefined =>
  panels.find(({ id }) => id === chosen) ?? panels.find(({ result }) => result === undefined) ?? panels[0];

/** The terminal for the next sale: the wanted one if it is free, else the first free one. */
export const nextCounter = (counters: readonly Counter[], wanted: string | undefined): Counter | undefined => {
  const ready = counters.filter(({ state }) => state === 'ready');
  return ready.find(({ name }) => name === wanted) ?? ready[0];
};

/** Why no terminal is available for the next sale: all are busy, disconnected, or none is paired. */
export const whyNotFree = (counters: readonly Counter[]): 'noTerminalFree' | 'terminalAway' | 'noTerminalPaired' => {
  const hasCounter = (state: Counter['state']): boolean => counters.some((counter) => counter.state === state);
  if (hasCounter('busy')) return 'noTerminalFree';
  return hasCounter('away') ? 'terminalAway' : 'noTerminalPaired';
};

/** The sale has ended, and its terminal waits for the card to be removed. */
export const isCardIn = ({ result, phase }: LiveSale): boolean => result !== undefined && phase === 'removeCard';

/** How full the progress bar is, 0 to 1, after this time in a phase. Undefined when the usual duration is unknown. */
export const progress = (elapsedMs: number, usual: LiveSale['usualMs']): number | undefined =>
  usual === undefined || usual.to <= 0 ? undefined : Math.max(0, Math.min(1, elapsedMs / usual.to));

type CashierWords = Words['cashier'];

/** While a card is awaited, only the accepted ways are named. */
export const phaseWords = (t: CashierWords, { phase, accept }: Pick<LiveSale, 'phase' | 'accept'>): string => {
  const isUsual = ['chip', 'tap', 'swipe'].every((way) => accept.includes(way as 'chip'));
  if (phase !== 'presentCard' || isUsual || accept.length === 0) return t.phases[phase];
  return fill(t.presentWays, { ways: accept.map((way) => t.presentOnly[way]).join(', ') });
};

type NamedSale = Pick<SaleRow, 'operation' | 'asTip'> & { ending?: SaleRow['ending']; result?: { ending: string } };

/** The name of a sale's operation; an attempted tip is called a tip if it did not succeed. */
export const operationWord = (t: Words['cashier'], { operation, asTip, ending, result }: NamedSale): string => {
  const isMade = (result?.ending ?? ending) === 'approved';
  return asTip === true && !isMade ? t.followAmount.tip : t.operations[operation];
};
