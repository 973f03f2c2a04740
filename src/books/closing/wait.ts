/** What a close waits for, told to all who look at it, and its cancel, which is for all who asked for it. */
import type { ClosingWait, SaleInProgress } from '../../api/ports/books.ts';
import type { Events } from '../../api/ports/events.ts';
import { amountOf } from '../../ledger/wire-money.ts';
import type { BooksTill } from '../port.ts';
import type { SaleUnderWay } from './gate.ts';

export type ClosingWaitTracker = {
  now(): ClosingWait | undefined;
  /** Told by the close of this terminal, and of nothing at its end. */
  waits(terminalId: string, sales: readonly SaleUnderWay[]): void;
  /** Aborted by `cancel`, and once nobody who asked for the close waits for it any more. */
  begin(): AbortSignal;
  /** One more waits for it, until the returned function is called. */
  join(gone: AbortSignal | undefined): () => void;
  cancel(): void;
};

export const openClosingWait = (
  events: Pick<Events, 'tell'>,
  { counters }: Pick<BooksTill, 'counters'>,
): ClosingWaitTracker => {
  let now: ClosingWait | undefined;
  let stop = new AbortController();
  let askers = 0;
  return {
    now: () => now,
    waits(terminalId, sales) {
      if (now === undefined && sales.length === 0) return;
      now = sales.length === 0 ? undefined : { terminalId, sales: sales.map(inProgress(counters, terminalId)) };
      events.tell({ on: 'closing', waits: now });
    },
    begin() {
      stop = new AbortController();
      return stop.signal;
    },
    join(gone) {
      askers += 1;
      let isIn = true;
      const leave = (): void => {
        if (isIn) askers -= 1;
        isIn = false;
      };
      const onGone = (): void => {
        leave();
        if (askers === 0) stop.abort(gone?.reason);
      };
      gone?.addEventListener('abort', onGone, { once: true });
      if (gone?.aborted === true) onGone();
      return () => {
        gone?.removeEventListener('abort', onGone);
        leave();
      };
    },
    cancel: () => stop.abort(),
  };
};

/** As the screens show it. */
export const inProgress = (counters: BooksTill['counters'], terminalId: string) => {
  const counter = counters.find((one) => one.terminalId === terminalId)?.name;
  return ({ receipt, operation, amount, startedAt }: SaleUnderWay): SaleInProgress => ({
    receipt,
    operation,
    amount: amountOf(amount),
    startedAt,
    counter,
  });
};
