/**
 * A sale at a ZVT terminal that speaks a dialect, with the line cut at one of its messages: what the till reports, and
 * the total of the terminal's own end of day. The till is the real one, including its journal; the line and the clock
 * are the test's.
 */
import { zvtDialects } from '../../../drivers/zvt/protocol/dialects.ts';
import { parseAmount } from '../../../src/base/money.ts';
import type { Sale } from '../../../src/till/machine/sale.ts';
import { tapCard, tillRig } from '../till/till-rig.ts';
import { zvtTerminal } from '../till/zvt-counter.ts';
import { virtualClock } from '../time/virtual-clock.ts';

/** Without a dialect, and then each of them; a locked terminal sells nothing. */
export const cutDialects: readonly (string | undefined)[] = [
  undefined,
  ...Object.entries(zvtDialects).flatMap(([name, { about: isBreakable }]) => (isBreakable === 'lock' ? [] : [name])),
];

export type Cut = {
  /** The message that was lost, by its first bytes, and its sender; absent if the sale had no message that late. */
  lost?: string;
  /** Ending and reason of the sale. */
  output: string;
  isUnresolved: boolean;
  /** The payment that the till recorded for this sale had already been recorded for an earlier one. */
  isAnothers: boolean;
  /** Minor units: what was charged according to the till, and the terminal’s turnover on its own report. */
  till: bigint;
  terminal: bigint | undefined;
};

/** All sales have the same amount: only the terminal’s numbers distinguish them. */
const SOLD = 1_250n;
/** Two sales before it, so that a terminal reporting the payment before its last one reports a sale. */
const BEFORE = [SOLD, SOLD];
const SUM_BEFORE = BEFORE.reduce((sum, each) => sum + each, 0n);
const DOWN_MS = 1_000;

/** The nth message of the sale, counted from 0 and in either direction, is lost together with the line. */
export const cutSale = async (dialect: string | undefined, nth: number): Promise<Cut> => {
  const clock = virtualClock();
  const terminal = zvtTerminal(clock, {}, dialect === undefined ? [] : [dialect]);
  const rig = tillRig(tapCard, 'test', clock);
  const line = terminal.line();
  const terminals = line.keep();
  const run = rig.open({ parts: { integrated: terminals } });
  try {
    // The till has seen this terminal before: without a number to continue from, every loss needs a person.
    const numbers: (string | undefined)[] = [];
    for (const amount of BEFORE) {
      const { intent } = await clock.until(run.sell(amount).done);
      numbers.push(numberOf(run.till.findSale(intent.sale)));
    }
    line.breaks.push({ lost: '', goBy: nth, downMs: DOWN_MS });
    const { intent } = await clock.until(run.sell(SOLD).done);
    await clock.advance(DOWN_MS);
    line.breaks.length = 0;
    await clock.until(run.till.settleAtTerminal());
    const sale = run.till.findSale(intent.sale);
    const isCharged = sale.at === 'ended' && sale.ending === 'approved';
    const [lost] = line.lost;
    // The terminal's day is closed over another connection; some terminals accept it only if no other is open.
    await clock.until(terminals.drop());
    return {
      lost: lost?.slice(0, 4),
      output: sale.at === 'ended' ? `${sale.ending}, ${sale.reason}` : sale.at,
      isUnresolved: sale.at !== 'ended' || sale.ending === 'unknown',
      isAnothers: isCharged && numbers.includes(numberOf(sale)),
      till: SUM_BEFORE + (isCharged ? SOLD : 0n),
      terminal: await turnover(terminal.line(), clock),
    };
  } finally {
    run.close();
    rig.remove();
  }
};

const numberOf = ({ terminal }: Sale): string | undefined => terminal?.payment?.receiptNumber;

type Line = ReturnType<ReturnType<typeof zvtTerminal>['line']>;

const turnover = async (line: Line, clock: ReturnType<typeof virtualClock>): Promise<bigint | undefined> => {
  const terminal = await clock.until(line.keep().get());
  const { lines } = await clock.until(terminal.endOfDay());
  const total = /\bTOTAL +(\d+\.\d\d) EUR/.exec(lines.join('\n'))?.[1];
  return total === undefined ? undefined : parseAmount(total, 'EUR').minor;
};

/** Whether till and terminal agree about this sale, or the till says that it does not know. */
export const isHonest = ({ isUnresolved, isAnothers, till, terminal }: Cut): boolean =>
  terminal !== undefined && (isUnresolved || (till === terminal && !isAnothers));

/** Cuts the sale at its messages `from`, `from + every` and so on, until one sale is not interrupted. */
export const cutEverywhere = async (
  dialect: string | undefined,
  { from, every }: { from: number; every: number },
): Promise<Cut[]> => {
  const cuts: Cut[] = [];
  for (let nth = from; ; nth += every) {
    const cut = await cutSale(dialect, nth);
    cuts.push(cut);
    if (cut.lost === undefined) return cuts;
  }
};

/** How the cuts of one sale ended, for a table. */
export type CutSums = { dialect: string; messages: number; charged: number; not: number; open: number; wrong: Cut[] };

/** The sums of these cuts; the one that cut nothing does not count as a message. */
export const cutSumsOf = (dialect: string | undefined, cuts: readonly Cut[]): CutSums => {
  const reached = cuts.filter((one) => one.lost !== undefined);
  const ended = reached.filter(({ isUnresolved }) => !isUnresolved);
  return {
    dialect: dialect ?? 'strictest',
    messages: reached.length,
    charged: ended.filter(({ till }) => till > SUM_BEFORE).length,
    not: ended.filter(({ till }) => till === SUM_BEFORE).length,
    open: reached.length - ended.length,
    wrong: cuts.filter((one) => !isHonest(one)),
  };
};
