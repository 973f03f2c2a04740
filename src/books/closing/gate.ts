/**
 * Coordinates a close with the sales at its terminal. The close waits for those in progress and holds back new ones for
 * the moment that it takes to end the batch: they start in the next batch.
 */
import type { Clock } from '../../base/clock.ts';
import { Fault, isFault } from '../../base/fault.ts';
import type { Money } from '../../base/money.ts';
import type { Operation } from '../../till/machine/facts.ts';
import { followsPayment } from '../../till/machine/operations.ts';
import type { Sale } from '../../till/machine/sale.ts';
import type { Progress, ProgressListener, Running } from '../../till/running.ts';
import type { Till } from '../../till/till.ts';

export type SaleUnderWay = {
  readonly sale: string;
  readonly receipt: number;
  readonly operation: Operation;
  readonly amount: Money;
  /** Wall time, ms. */
  readonly startedAt: number;
};

export type HoldOptions = {
  /** The close needs the terminal itself, which a sale can still occupy after it has ended. */
  needsTerminal: boolean;
  /** Aborted when nobody wants the close any more. */
  signal?: AbortSignal | undefined;
  /** Called with the sales that the close waits for, and with none at the end. */
  onWaiting?: ((waitedFor: readonly SaleUnderWay[]) => void) | undefined;
};

export interface ClosingGate {
  /** The same till, with its sales tracked here. */
  trackSales(till: Till, terminalId: string): Till;
  /** Sales at this terminal's counter that have begun and not ended, oldest first. */
  salesInProgress(terminalId: string): SaleUnderWay[];
  endedCount(terminalId: string): number;
  /**
   * Resolves when the close lets this sale start. Undefined when no close holds it back. `beside`: it needs no
   * terminal.
   */
  waitWhileHeld(terminalId: string, of: { beside: boolean }): Promise<void> | undefined;
  /**
   * Waits until nothing is in progress there, then holds back new sales until the returned function is called. Throws
   * `books.closeWaited`, `books.closeCancelled`, and a fault that is the reason of `signal`.
   */
  waitAndHold(terminalId: string, request: HoldOptions): Promise<() => void>;
}

/** Longer than any payment takes, including the inquiries after a lost one. */
const HOLD_WITHIN_MS = 300_000;

type RunningSale = {
  sale: Sale;
  ended: PromiseWithResolvers<void>;
  finished: PromiseWithResolvers<void>;
  isEnded: boolean;
};
/** `all`: holds back operations without a terminal too. */
type Hold = { terminalId: string; all: boolean; released: PromiseWithResolvers<void> };

export const openClosingGate = (clock: Clock): ClosingGate => {
  const runs = openRuns();
  const holds = new Set<Hold>();
  const release = (hold: Hold): void => {
    holds.delete(hold);
    hold.released.resolve();
  };
  return {
    trackSales: runs.watched,
    salesInProgress: (terminalId) => runs.at(terminalId).filter(isUnderWay).map(saleInProgressOf),
    endedCount: runs.endedCount,
    waitWhileHeld(terminalId, { beside }) {
      const [hold] = [...holds].filter((one) => one.terminalId === terminalId && (one.all || !beside));
      return hold?.released.promise;
    },
    async waitAndHold(terminalId, { needsTerminal, signal, onWaiting = () => {} }) {
      const hold: Hold = { terminalId, all: false, released: Promise.withResolvers() };
      const isWaitedFor = (one: RunningSale): boolean => needsTerminal || !one.isEnded;
      const remaining = (): RunningSale[] => runs.at(terminalId).filter(isWaitedFor);
      const deadlineMs = clock.monotonic() + HOLD_WITHIN_MS;
      let isReported = false;
      holds.add(hold);
      try {
        while (remaining().length > 0) {
          // Operations that need no terminal continue during a customer's payment and are held back only at the last
          // moment.
          const sales = remaining().filter((one) => !isBeside(one.sale));
          hold.all = sales.length === 0;
          const now = hold.all ? remaining() : sales;
          onWaiting(now.map(saleInProgressOf));
          isReported = true;
          await waitForAll(
            now.map((one) => (needsTerminal ? one.finished : one.ended).promise),
            { clock, deadlineMs, signal, now },
          );
        }
        hold.all = true;
        if (isReported) onWaiting([]);
        return () => release(hold);
      } catch (error) {
        release(hold);
        throw error;
      }
    },
  };
};

const isUnderWay = (one: RunningSale): boolean => !one.isEnded;
const isBeside = ({ intent }: Sale): boolean => followsPayment(intent) && intent.by !== 'terminal';

const saleInProgressOf = ({ sale: { intent } }: RunningSale): SaleUnderWay => ({
  sale: intent.sale,
  receipt: intent.receipt,
  operation: intent.operation,
  amount: intent.amount,
  startedAt: intent.at,
});

/** Tracks what is running at each terminal's counter. */
const openRuns = () => {
  const running = new Map<string, Set<RunningSale>>();
  const counts = new Map<string, number>();
  const runsAt = (terminalId: string): Runs => {
    const end = (one: RunningSale): void => {
      if (one.isEnded) return;
      one.isEnded = true;
      one.ended.resolve();
      counts.set(terminalId, (counts.get(terminalId) ?? 0) + 1);
    };
    return {
      ended: end,
      addSale(sale) {
        const one: RunningSale = {
          sale,
          ended: Promise.withResolvers(),
          finished: Promise.withResolvers(),
          isEnded: false,
        };
        running.set(terminalId, (running.get(terminalId) ?? new Set()).add(one));
        return one;
      },
      finishSale(one) {
        end(one);
        running.get(terminalId)?.delete(one);
        one.finished.resolve();
      },
    };
  };
  return {
    at: (terminalId: string): RunningSale[] => [...(running.get(terminalId) ?? [])],
    endedCount: (terminalId: string): number => counts.get(terminalId) ?? 0,
    watched: (till: Till, terminalId: string): Till => watchedTill(till, runsAt(terminalId)),
  };
};

/** The callbacks for one counter. */
type Runs = { addSale(sale: Sale): RunningSale; ended(one: RunningSale): void; finishSale(one: RunningSale): void };

const watchedTill = (till: Till, runs: Runs): Till => ({
  ...till,
  sell: watch(till.sell, runs),
  preauthorise: watch(till.preauthorise, runs),
  credit: watch(till.credit, runs),
  payByGiftCard: watch(till.payByGiftCard, runs),
  openSale: watch(till.openSale, runs),
  follow: watch(till.follow, runs),
  refund: watch(till.refund, runs),
});

const watch =
  <Request, Run extends Running>(begin: (request: Request, notify: ProgressListener) => Run, runs: Runs) =>
  (request: Request, notify: ProgressListener): Run => {
    let one: RunningSale | undefined;
    const follow = (progress: Progress): void => {
      if (progress.kind === 'sale') {
        one ??= runs.addSale(progress.sale);
        one.sale = progress.sale;
        if (progress.sale.at === 'ended') runs.ended(one);
      }
      notify(progress);
    };
    const isOver = (): void => {
      if (one !== undefined) runs.finishSale(one);
    };
    const run = begin(request, follow);
    run.done.then(isOver, isOver);
    return run;
  };

type Bounds = { clock: Clock; deadlineMs: number; signal: AbortSignal | undefined; now: readonly RunningSale[] };

const waitForAll = async (
  done: readonly Promise<void>[],
  { clock, deadlineMs, signal, now }: Bounds,
): Promise<void> => {
  const stopped = Promise.withResolvers<never>();
  const receipts = now.map(({ sale }) => sale.intent.receipt).join(', ');
  const expire = (): void =>
    stopped.reject(new Fault('books.closeWaited', { receipts, minutes: HOLD_WITHIN_MS / 60_000 }));
  const cancel = (): void =>
    stopped.reject(isFault(signal?.reason) ? signal.reason : new Fault('books.closeCancelled', { receipts }));
  const stop = clock.after(Math.max(0, deadlineMs - clock.monotonic()), expire);
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted === true) cancel();
  try {
    await Promise.race([Promise.all(done), stopped.promise]);
  } finally {
    stop();
    signal?.removeEventListener('abort', cancel);
  }
};
