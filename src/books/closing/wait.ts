/**
 * What a close is waiting for, for everybody who watches it, and its cancellation, which applies to everybody who asked
 * for it.
 */
import type { ClosingWait, SaleInProgress } from '../../api/contract/books.ts';
import type { Events } from '../../api/ports/events.ts';
import { amountOf } from '../../ledger/wire-money.ts';
import type { BooksTill } from '../port.ts';
import type { SaleUnderWay } from './gate.ts';

export type ClosingWaitTracker = {
  now(): ClosingWait | undefined;
  /** Called by the close of this terminal with the sales it waits for, and with none at the end. */
  setSales(terminalId: string, sales: readonly SaleUnderWay[]): void;
  /** Returns a signal that `cancel` aborts, and that aborts once nobody who asked for the close still waits for it. */
  begin(): AbortSignal;
  /** Adds somebody who waits, until the returned function is called. */
  join(signal: AbortSignal | undefined): () => void;
  cancel(): void;
};

export const openClosingWait = (
  events: Pick<Events, 'tell'>,
  { counters }: Pick<BooksTill, 'counters'>,
): ClosingWaitTracker => {
  let now: ClosingWait | undefined;
  let stop = new AbortController();
  let waiterCount = 0;
  return {
    now: () => now,
    setSales(terminalId, sales) {
      if (now === undefined && sales.length === 0) return;
      now = sales.length === 0 ? undefined : { terminalId, sales: sales.map(saleInProgressFor(counters, terminalId)) };
      events.tell({ on: 'closing', waits: now });
    },
    begin() {
      stop = new AbortController();
      return stop.signal;
    },
    join(signal) {
      waiterCount += 1;
      let hasJoined = true;
      const leave = (): void => {
        if (hasJoined) waiterCount -= 1;
        hasJoined = false;
      };
      const onGone = (): void => {
        leave();
        if (waiterCount === 0) stop.abort(signal?.reason);
      };
      signal?.addEventListener('abort', onGone, { once: true });
      if (signal?.aborted === true) onGone();
      return () => {
        signal?.removeEventListener('abort', onGone);
        leave();
      };
    },
    cancel: () => stop.abort(),
  };
};

/** Converts a sale in progress to the format of the screens. */
export const saleInProgressFor = (counters: BooksTill['counters'], terminalId: string) => {
  const counter = counters.find((one) => one.terminalId === terminalId)?.name;
  return ({ receipt, operation, amount, startedAt }: SaleUnderWay): SaleInProgress => ({
    receipt,
    operation,
    amount: amountOf(amount),
    startedAt,
    counter,
  });
};
