/** Converts settlement data to table rows and back. */
import type {
  ChargebackNoticeTable,
  SettlementDeliveryTable,
  SettlementSumTable,
  SettlementTable,
} from '../../store/schema.ts';
import type {
  ChargebackFacts,
  ChargebackNotice,
  Settlement,
  SettlementDelivery,
  SettlementSum,
} from '../../store/settlement-store.ts';

export const settlementRow = ({ id, entityId, day, madeAt, closedAt, records }: Settlement): SettlementTable => ({
  id,
  entity_id: entityId,
  day,
  made_at: BigInt(madeAt),
  closed_at: closedAt === undefined ? null : BigInt(closedAt),
  records: BigInt(records),
});

export const toSettlement = (row: SettlementTable): Settlement => ({
  id: row.id,
  entityId: row.entity_id,
  day: row.day,
  madeAt: Number(row.made_at),
  closedAt: row.closed_at === null ? undefined : Number(row.closed_at),
  records: Number(row.records),
});

export const toSum = (row: SettlementSumTable): SettlementSum => ({
  id: row.id,
  settlementId: row.settlement_id,
  currency: row.currency,
  settlementCurrency: row.settlement_currency,
  testMode: row.test_mode as SettlementSum['testMode'],
  records: Number(row.records),
  paidMinor: row.paid_minor,
  takenMinor: row.taken_minor,
  feeMinor: row.fee_minor,
});

export const noticeRow = ({ entityId, id, at, status, chargebackId, state, facts }: ChargebackNotice) => ({
  entity_id: entityId,
  id,
  at: BigInt(at),
  status,
  chargeback_id: chargebackId ?? null,
  state,
  facts: JSON.stringify(facts),
});

export const toNotice = (row: ChargebackNoticeTable): ChargebackNotice => ({
  entityId: row.entity_id,
  id: row.id,
  at: Number(row.at),
  status: row.status,
  chargebackId: row.chargeback_id ?? undefined,
  state: row.state,
  facts: JSON.parse(row.facts) as ChargebackFacts,
});

export const deliveryRow = (of: SettlementDelivery): SettlementDeliveryTable => ({
  settlement_id: of.settlementId,
  target: of.target,
  tries: BigInt(of.tries),
  next_at: BigInt(of.nextAt),
  done_at: of.doneAt === undefined ? null : BigInt(of.doneAt),
  bytes: of.bytes === undefined ? null : BigInt(of.bytes),
  hash: of.hash ?? null,
  why: of.why ?? null,
});

export const toDelivery = (row: SettlementDeliveryTable): SettlementDelivery => ({
  settlementId: row.settlement_id,
  target: row.target,
  tries: Number(row.tries),
  nextAt: Number(row.next_at),
  doneAt: row.done_at === null ? undefined : Number(row.done_at),
  bytes: row.bytes === null ? undefined : Number(row.bytes),
  hash: row.hash ?? undefined,
  why: row.why ?? undefined,
});
