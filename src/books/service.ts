/** The manager's service on a running till: today, batches and their close, reconciliation, open items, limits. */
import type { BooksPort } from '../api/ports/books.ts';
import { openLimitsService } from '../offline/limits.ts';
import { replayLimits } from '../offline/limits-replay.ts';
import { batchReport, batchRows, createXReport, layoutOf } from './batch-rows.ts';
import { openClosingService } from './closing/service.ts';
import { createOpenItemsService } from './open-items.ts';
import type { ManagerParts } from './port.ts';
import { downloads } from './reports/downloads.ts';
import { openReconciliationService } from './settlement-service.ts';
import { businessDays, todayOf } from './today.ts';

const REPLAYED_MS = 30 * 86_400_000;

/** Throws the file system's error when a file left by a crash cannot be deleted. */
export const openBooksService = (parts: ManagerParts): BooksPort => {
  const { running, clock } = parts;
  const days = businessDays(running.books.rule);
  const open = createOpenItemsService(parts);
  const limits = openLimitsService(parts);
  const reconciling = openReconciliationService(parts);
  const closing = openClosingService(parts);
  const closingWait = () => {
    const closeWait = closing.wait.now();
    return closeWait === undefined ? {} : { waits: closeWait };
  };
  const counterOf = (terminalId: string): string =>
    running.counters.find((counter) => counter.terminalId === terminalId)?.name ?? terminalId;
  return {
    today: () => todayOf({ running, clock, days, openItems: open.count, counterOf }),
    batches: (request) => batchRows(running, request),
    batch: async (number, terminalId, request = {}) =>
      batchReport(parts, running.books.batch(number, terminalId), await layoutOf(request, parts)),
    async xReport({ name }, terminalId, request = {}) {
      await running.place.compared();
      return createXReport(parts, { by: name, terminalId, layout: await layoutOf(request, parts) });
    },
    closing: closing.state,
    close: closing.close,
    closingWait,
    cancelClosing() {
      closing.wait.cancel();
      return closingWait();
    },
    reconcile: reconciling.reconcile,
    compareSettlement: reconciling.compare,
    reconciliations: reconciling.rows,
    reconciliation: reconciling.detail,
    resolveDifference: (id, n, ...[how, actor]) => reconciling.resolve(id, n, { ...how, by: actor }),
    openItems: open.items,
    act: (receipt, action, ...[actor, statement]) => open.act(receipt, { action, by: actor, said: statement }),
    sendAll: () => open.sendAll(),
    limits: limits.state,
    limitsReport: limits.report,
    setLimits: limits.change,
    replayLimits(changes) {
      const to = clock.now();
      return replayLimits(running, limits.withChanges(changes), { from: to - REPLAYED_MS, to });
    },
    download: downloads(parts, reconciling.detail),
  };
};
