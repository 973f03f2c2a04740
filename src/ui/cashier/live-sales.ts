/**
 * Live sales on the screen: which terminals it mirrors, those at work and those whose result nobody has put away yet;
 * and what their phases and operations are called.
 */
import type { Counter, LiveSale, SaleRow } from '../../api/ports/selling.ts';
import { fill } from '../../base/placeholders.ts';
import type { Words } from '../../locales/screens.ts';

/** A counter has a place for what its terminal does, and one for what the gateway does beside it. */
const placeOf = ({ counter, beside }: LiveSale): string => (beside === true ? `${counter} beside` : counter);

/**
 * Newer news of a sale in the list of all that are live; each counter keeps what is under way and its last ending. News
 * of an older one, which a later sale of its counter has followed, change nothing there.
 */
export const withSale = (live: readonly LiveSale[], sale: LiveSale): LiveSale[] => {
  const others = live.filter(({ id }) => id !== sale.id);
  const before = live.find(({ id }) => id === sale.id);
  const here = others.filter((one) => placeOf(one) === placeOf(sale));
  // A step tells no result: the one that was told stands.
  const result = sale.result ?? before?.result;
  if (result !== undefined && here.some(({ startedAt }) => startedAt > sale.startedAt)) return others;
  const news = { ...sale, ...(result && { result }) };
  return [...others.filter((one) => one.result === undefined || !here.includes(one)), news];
};

/** Whether it is shown without being kept: not what somebody else has begun that needs no terminal. */
export const isSeen = ({ result, beside }: LiveSale): boolean => result === undefined && beside !== true;

/** Sales to show, by terminal: `kept` are those that were seen under way here and not put away. */
export const panelsOf = (live: readonly LiveSale[], kept: ReadonlySet<string>): LiveSale[] => {
  const shown = live.filter((sale) => isSeen(sale) || kept.has(sale.id));
  const newest = new Map<string, LiveSale>();
  for (const sale of [...shown].sort((a, b) => a.startedAt - b.startedAt)) newest.set(placeOf(sale), sale);
  return [...newest.values()].sort((a, b) => a.counter.localeCompare(b.counter));
};

/** The panel that keys go to: the chosen one, else one that is under way, else the first. */
export const current = (panels: readonly LiveSale[], chosen: string | undefined): LiveSale | undefined =>
  panels.find(({ id }) => id === chosen) ?? panels.find(({ result }) => result === undefined) ?? panels[0];

/** The terminal that the next sale goes to: the wished one if it is free, else the first that is. */
export const nextCounter = (counters: readonly Counter[], wished: string | undefined): Counter | undefined => {
  const ready = counters.filter(({ state }) => state === 'ready');
  return ready.find(({ name }) => name === wished) ?? ready[0];
};

/** Why the next sale has no terminal: one that is at a sale is not free, one that is unplugged is not connected. */
export const whyNone = (counters: readonly Counter[]): 'noTerminalFree' | 'terminalAway' | 'noTerminalPaired' => {
  const is = (state: Counter['state']): boolean => counters.some((counter) => counter.state === state);
  if (is('busy')) return 'noTerminalFree';
  return is('away') ? 'terminalAway' : 'noTerminalPaired';
};

/** It has its ending, and its terminal waits until the card is out. */
export const isCardIn = ({ result, phase }: LiveSale): boolean => result !== undefined && phase === 'removeCard';

/** How far the bar stands, 0 to 1, after so long in a phase; undefined where nobody knows how long it takes. */
export const progress = (elapsedMs: number, usual: LiveSale['usualMs']): number | undefined =>
  usual === undefined || usual.to <= 0 ? undefined : Math.max(0, Math.min(1, elapsedMs / usual.to));

type CashierWords = Words['cashier'];

/** Of presenting a card, only the ways that this sale takes. */
export const phaseWords = (t: CashierWords, { phase, accept }: Pick<LiveSale, 'phase' | 'accept'>): string => {
  const usual = ['chip', 'tap', 'swipe'].every((way) => accept.includes(way as 'chip'));
  if (phase !== 'presentCard' || usual || accept.length === 0) return t.phases[phase];
  return fill(t.presentWays, { ways: accept.map((way) => t.presentOnly[way]).join(', ') });
};

type Named = Pick<SaleRow, 'operation' | 'asTip'> & { ending?: SaleRow['ending']; result?: { ending: string } };

/** What a sale is called: by its operation, and a tip that did not come about by what it was asked for as. */
export const operationWord = (t: Words['cashier'], { operation, asTip, ending, result }: Named): string => {
  const isMade = (result?.ending ?? ending) === 'approved';
  return asTip === true && !isMade ? t.followAmount.tip : t.operations[operation];
};
