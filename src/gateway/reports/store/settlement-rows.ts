/** What the gateway keeps of settlement as rows of its tables, and back. */
import type {
  ChargebackFacts,
  ChargebackNotice,
  Settlement,
  SettlementDelivery,
  SettlementSum,
} from './settlement-store.ts';

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
  ...(row.closed_at === null ? {} : { closedAt: Number(row.closed_at) }),
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
  ...(row.chargeback_id === null ? {} : { chargebackId: row.chargeback_id }),
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
  ...(row.done_at === null ? {} : { doneAt: Number(row.done_at) }),
  ...(row.bytes === null ? {} : { bytes: Number(row.bytes) }),
  ...(row.hash === null ? {} : { hash: row.hash }),
  ...(row.why === null ? {} : { why: row.why }),
});

// The tables of settlement, as every engine gives and takes them.

export type SettlementTables = {
  settlement_channel: { entity_id: string };
  settlement_due: DueTable;
  settlement: SettlementTable;
  settlement_sum: SettlementSumTable;
  settlement_record: SettlementRecordTable;
  chargeback_notice: ChargebackNoticeTable;
  settlement_delivery: SettlementDeliveryTable;
};

/** What moved money and stands in no batch yet, of channels in settlement_channel: triggers of the tables write it. */
export type DueTable = { entity_id: string; at: bigint; payment_id: string };

export type SettlementTable = {
  id: string;
  entity_id: string;
  day: string;
  made_at: bigint;
  closed_at: bigint | null;
  records: bigint;
};

export type SettlementSumTable = {
  id: string;
  settlement_id: string;
  currency: string;
  settlement_currency: string;
  test_mode: string;
  records: bigint;
  paid_minor: bigint;
  taken_minor: bigint;
  fee_minor: bigint;
};

/** Without a line: accounted for, and nothing to pay. */
export type SettlementRecordTable = {
  settlement_id: string;
  number: bigint;
  key: string;
  sum_id: string | null;
  record_type: string | null;
  line: string | null;
};

export type ChargebackNoticeTable = {
  entity_id: string;
  id: string;
  at: bigint;
  status: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';
  chargeback_id: string | null;
  state: 'due' | 'settled';
  facts: string;
};

export type SettlementDeliveryTable = {
  settlement_id: string;
  target: 'folder' | 'sftp';
  tries: bigint;
  next_at: bigint;
  done_at: bigint | null;
  bytes: bigint | null;
  hash: string | null;
  why: string | null;
};
