/** The tables' columns, as every engine returns and accepts them: 64-bit integers are bigint. */
import type { Generated } from 'kysely';

export type Tables = ScheduleTables &
  SettlementTables & {
    payment: PaymentTable;
    claim: ClaimTable;
    registration: RegistrationTable;
    checkout: CheckoutTable;
    checkout_call: CheckoutCallTable;
    notification_call: NotificationCallTable;
    sighting: SightingTable;
    acquirer_memory: DocumentTable;
    store_fact: FactTable;
  };

export type PaymentTable = {
  sequence: Generated<bigint>;
  id: string;
  entity_id: string;
  payment_type: string;
  payment_method: string;
  amount_minor: bigint;
  currency: string;
  at: bigint;
  short_id: string;
  merchant_transaction_id: string | null;
  referenced_id: string | null;
  root_id: string;
  registration_id: string | null;
  state: 'processing' | 'done';
  result_code: string | null;
  facts: string;
};

/** Belongs to a payment, or to an answer without a payment: one of the two is null. */
export type ClaimTable = {
  key: string;
  fingerprint: string;
  payment_id: string | null;
  status: bigint | null;
  body: string | null;
};

export type RegistrationTable = {
  sequence: Generated<bigint>;
  id: string;
  entity_id: string;
  payment_method: string;
  payment_brand: string;
  at: bigint;
  kept_until: bigint;
  state: 'active' | 'deleted';
  key_id: string | null;
  wrapped_key: string | null;
  box: string | null;
  account_hash: string;
  facts: string;
};

export type SightingTable = { entity_id: string; subject: string; at: bigint; minor: bigint };

export type DocumentTable = { key: string; value: string };

export type FactTable = { name: string; value: string };

/** key_id, wrapped_key and box are null once the checkout has ended. */
export type CheckoutTable = {
  id: string;
  entity_id: string;
  kind: 'payment' | 'registration';
  at: bigint;
  key_id: string | null;
  wrapped_key: string | null;
  box: string | null;
  attempts: string;
  fetched_at: bigint | null;
};

export type CheckoutCallTable = {
  checkout_id: string;
  kind: 'result' | 'last' | 'notification';
  url: string;
  due_at: bigint;
  payment_id: string | null;
  claimed_at: bigint | null;
};

export type NotificationCallTable = {
  id: string;
  entity_id: string;
  url: string;
  payment_id: string | null;
  due_at: bigint;
  gives_up_at: bigint;
  attempts: bigint;
};

export type SettlementTables = {
  settlement_channel: { entity_id: string };
  settlement_due: DueTable;
  settlement: SettlementTable;
  settlement_sum: SettlementSumTable;
  settlement_record: SettlementRecordTable;
  chargeback_notice: ChargebackNoticeTable;
  settlement_delivery: SettlementDeliveryTable;
};

/** Payments that moved money and are in no batch yet, for channels in settlement_channel: triggers write this table. */
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

/** Without a line: settled, with nothing to pay. */
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

export type ScheduleTables = { schedule: ScheduleTable; schedule_run: ScheduleRunTable };

export type ScheduleTable = {
  sequence: Generated<bigint>;
  id: string;
  entity_id: string;
  root_id: string;
  registration_id: string;
  payment_type: string;
  amount_minor: bigint;
  currency: string;
  at: bigint;
  state: 'active' | 'ended';
  result_code: string;
  next_at: bigint | null;
  ends_at: bigint | null;
  facts: string;
};

export type ScheduleRunTable = {
  schedule_id: string;
  due_at: bigint;
  root_id: string;
  entity_id: string;
  state: 'claimed' | 'waiting' | 'done' | 'missed';
  look_at: bigint | null;
  attempts: bigint;
  missed: bigint;
  payment_id: string | null;
  result_code: string | null;
  why: string | null;
};
