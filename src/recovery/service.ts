/** The recovery service over a running till: the queue, unresolved sales, and the comparison with the gateway. */

import type {
  BookedPayment,
  QueueItem,
  SaleDifference,
  SalesComparison,
  UnresolvedSale,
} from '../api/contract/recovery.ts';
import type { Events } from '../api/ports/events.ts';
import type { RecoveryPort } from '../api/ports/recovery.ts';
import type { Clock } from '../base/clock.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { Money } from '../base/money.ts';
import type { Sql } from '../journal/sql.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { outcomeJson } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import { type UnpaidSales, unpaidViewOf } from '../offline/unpaid-sales.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { CardTries } from '../queue/retry-rules.ts';
import { textOf } from '../till/machine/event-text.ts';
import type { Till } from '../till/till.ts';
import type { AuditRow } from './audit.ts';
import type { OpenCase } from './open-case.ts';
import { queueRows, queueTotals } from './queue-view.ts';
import type { Resolver } from './resolver.ts';

/** What the recovery service needs of a running till. */
type RecoveryTill = {
  readonly till: Till;
  readonly ledger: FullLedger;
  readonly journal: { readonly sql: Sql };
  readonly outbox: Outbox;
  readonly tries: CardTries;
  readonly unpaid: UnpaidSales;
  readonly resolver: Resolver;
  /** `minor`: how much more was given back than was charged. */
  readonly books: { overRefunds(): readonly ({ readonly sale: string; readonly receipt: number } & Money)[] };
  audit(): AsyncGenerator<AuditRow>;
};

export type RecoveryParts = {
  running: RecoveryTill;
  clock: Clock;
  mode: DisplayMode;
  events: Pick<Events, 'tell'>;
};

export const openRecoveryService = ({ running, clock, mode, events }: RecoveryParts): RecoveryPort => {
  const { till, journal, outbox, unpaid, resolver, books } = running;
  const change = (): void => events.tell({ on: 'changed', what: 'openItems' });
  const toUnresolved = (one: OpenCase): UnresolvedSale => unresolvedOf(one, mode);
  return {
    queue() {
      const rows = queueRows({ ...running, sql: journal.sql, clock });
      return {
        items: rows.map((row): QueueItem => {
          const item = { ...row, amount: amountOf(row.amount) };
          return row.state === 'task' ? { ...item, ...unpaidViewOf(unpaid, till.findSale(row.sale)) } : item;
        }),
        totals: queueTotals(rows).map(amountOf),
        overRefunded: books
          .overRefunds()
          .map(({ sale, receipt, ...more }) => ({ sale, receipt, amount: amountOf(more) })),
      };
    },
    retryParked() {
      const resumed = outbox.unpark(clock.now());
      change();
      return { takenUp: resumed };
    },
    compareAll: (notify) => compareAll(running, notify),
    unresolved: () => resolver.open().map(toUnresolved),
    unresolvedSale: (receipt) => toUnresolved(resolver.of(till.find(receipt))),
    async askLate() {
      const late = await resolver.inquireLate();
      change();
      return { receipts: late.map(({ intent }) => intent.receipt) };
    },
  };
};

const compareAll = async (
  { ledger, audit }: Pick<RecoveryTill, 'ledger' | 'audit'>,
  notify: Parameters<RecoveryPort['compareAll']>[0],
): Promise<SalesComparison> => {
  const last = ledger.sales(1)[0]?.intent.receipt ?? 0;
  const compared: SalesComparison = { asked: 0, differences: [] };
  for await (const row of audit()) {
    compared.asked += 1;
    if (!row.agrees) compared.differences.push(differenceOf(row));
    notify({ receipt: row.sale.intent.receipt, last });
  }
  return compared;
};

const differenceOf = ({ sale: { intent }, till, gateway, heldBy, why, evidence }: AuditRow): SaleDifference => ({
  receipt: intent.receipt,
  sale: intent.sale,
  till: amountOf(till),
  gateway: gateway && amountOf(gateway),
  heldBy,
  why,
  booked: evidence.map(({ amount, ...one }): BookedPayment => ({ ...one, amount: amount && amountOf(amount) })),
});

const unresolvedOf = (one: OpenCase, mode: DisplayMode): UnresolvedSale => {
  const { sale, state, known, evidence, next, person, told: messages } = one;
  const { receipt, sale: id, operation, amount, at } = sale.intent;
  return {
    ...{ receipt, sale: id, operation, at, state, known, next, person, told: messages },
    amount: amountOf(amount),
    evidence: evidence.map(({ event, ...line }) => ({ ...line, event: JSON.parse(textOf(event)) })),
    outcome: sale.at === 'ended' ? outcomeJson(sale, mode) : undefined,
  };
};
