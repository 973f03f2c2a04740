/** The unanswered offline sales stay within the store's limits: each cap, of each kind, card, cashier and hour. */
import type { EndedSale, Sale } from '../../src/till/machine/sale.ts';
import { saleOf } from './ledger-check.ts';
import { type KindLimits, limitsOf } from './shop-config.ts';
import type { Station } from './station.ts';

type Cap = { readonly total?: bigint; readonly count?: number };

type Stored = EndedSale;

const kinds = ['chip', 'deferred'] as const;

export const checkLimits = (station: Station): void => {
  const limits = limitsOf(station.store.seed);
  const stored = offlineSales(station);
  const sales = stored.filter(({ intent }) => intent.operation !== 'refund');
  checkCap(station, 'offline in all', sales, limits);
  for (const kind of kinds) checkKind(station, { kind, sales, limits: limits[kind] });
};

/** Ended, approved without the gateway, and not answered yet. */
const offlineSales = (station: Station): Stored[] =>
  station.run.running.ledger
    .openSales()
    .flatMap((id) => saleOf(station, id) ?? [])
    .filter((sale) => sale.at === 'ended')
    .filter(({ offline }) => offline === 'chip' || offline === 'deferred');

type Kind = { kind: (typeof kinds)[number]; sales: readonly Stored[]; limits: KindLimits };

const checkKind = (station: Station, { kind, sales, limits }: Kind): void => {
  const offlineOfKind = sales.filter((sale) => sale.offline === kind);
  checkCap(station, `offline by ${kind}`, offlineOfKind, limits);
  for (const { intent } of offlineOfKind)
    if (intent.amount.minor > limits.upTo)
      station.report(`receipt ${intent.receipt} is over the limit of ${limits.upTo} for one by ${kind}`);
  for (const [cashier, cashierSales] of Map.groupBy(offlineOfKind, ({ intent }) => intent.cashier))
    if (cashier !== undefined) checkCap(station, `offline by ${kind} of ${cashier}`, cashierSales, limits.perCashier);
  for (const [card, cardSales] of Map.groupBy(offlineOfKind, (sale) => sale.card?.maskedPan))
    if (card !== undefined) checkCap(station, `offline by ${kind} of the card ${card}`, cardSales, limits.perCard);
  checkHour(station, { kind, sales: offlineOfKind, limits });
};

/** Hours count by the till's own clock, so nothing is checked if that clock was set. */
const checkHour = (station: Station, { kind, sales, limits }: Kind): void => {
  if (station.clockShift.jumpMs !== 0) return;
  const since = station.store.clock.now() - HOUR_MS;
  const recent = sales.filter(({ intent }) => intent.at > since);
  checkCap(station, `offline by ${kind} in the last hour`, recent, limits.perHour);
};

const HOUR_MS = 3_600_000;

const checkCap = (station: Station, capName: string, sales: readonly Sale[], cap: Cap = {}): void => {
  const total = sales.reduce((all, { intent }) => all + intent.amount.minor, 0n);
  if (cap.total !== undefined && total > cap.total)
    station.report(`${total} minor units are ${capName}, ${cap.total} are allowed`);
  if (cap.count !== undefined && sales.length > cap.count)
    station.report(`${sales.length} sales are ${capName}, ${cap.count} are allowed`);
};
