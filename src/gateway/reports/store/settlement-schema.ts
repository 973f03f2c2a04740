/** The tables of settlement, as every engine gives and takes them. */

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
