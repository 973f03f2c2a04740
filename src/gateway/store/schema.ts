/** The tables' columns, as every engine gives and takes them: whole numbers of 64 bits are bigint. */
import type { Generated } from 'kysely';
import type { SettlementTables } from '../reports/store/settlement-rows.ts';
import type { ScheduleTables } from '../schedules/store/rows.ts';

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

/** Of a payment, or of an answer that no payment stands for: one of the two is null. */
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

/** Null in key_id, wrapped_key and box: its time is over. */
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
