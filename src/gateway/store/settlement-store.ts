/** Stored settlement data: daily batches, their records, chargeback notices, deliveries. */
import type { Payment } from './records.ts';

/** One batch: the payout of a channel for one day. Once closed, it never changes. */
export type Settlement = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  /** `YYYY-MM-DD` in the channel's time zone. */
  day: string;
  /** Wall time, ms. */
  madeAt: number;
  closedAt?: number;
  /** The number of lines, plus payments settled without one. */
  records: number;
};

/** The sum of one batch in one currency and test mode: the host API's aggregation. Minor units. */
export type SettlementSum = {
  id: string;
  settlementId: string;
  currency: string;
  settlementCurrency: string;
  /** Where the money went; LIVE is not a test mode of the host API. */
  testMode: 'INTERNAL' | 'EXTERNAL' | 'LIVE';
  records: number;
  paidMinor: bigint;
  takenMinor: bigint;
  feeMinor: bigint;
};

export type RecordType = 'SETTLED' | 'CHARGEBACK' | 'CHARGEBACK REVERSAL' | 'FEE';

/** `key` is unique in the table, across batches. Without `written` the payment is settled without a line. */
export type StoredSettlementRecord = {
  number: number;
  key: string;
  written?: { sumId: string; recordType: RecordType; line: string };
};

export type ChargebackNotice = {
  entityId: string;
  /** The acquirer's id of the notice. */
  id: string;
  at: number;
  status: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';
  /** The gateway's own chargeback, or its reversal. */
  chargebackId?: string;
  /** due: in no batch yet. */
  state: 'due' | 'settled';
  facts: ChargebackFacts;
};

export type ChargebackFacts = {
  recordType: 'CHARGEBACK' | 'CHARGEBACK REVERSAL';
  amount: string;
  currency: string;
  /** Payments that it may belong to. */
  matched: readonly string[];
  paymentId?: string;
  acquirerReference?: string;
  last4?: string;
  brand?: string;
  /** `YYYY-MM-DD`: the day of the disputed payment. */
  presentedOn?: string;
  reasonCode?: string;
  reason?: string;
};

export type DeliveryTarget = 'folder' | 'sftp';

export type SettlementDelivery = {
  settlementId: string;
  target: DeliveryTarget;
  tries: number;
  /** The earliest time of the next attempt, wall time, ms: after a failure, or while another process is at it. */
  nextAt: number;
  doneAt?: number;
  bytes?: number;
  /** SHA-256 of the delivered file, hex. */
  hash?: string;
  why?: string;
};

export type DueQuery = { entityId: string; from: number; before: number; limit: number };

export type RecordPage = {
  sumId: string;
  recordType?: RecordType;
  limit: number;
  offset: number;
  descending: boolean;
};

export interface SettlementReader {
  /** Payments that moved money at or after `from` and before `before`, and are in no batch; oldest first. */
  due(key: DueQuery): Promise<readonly Payment[]>;
  /** The time of the oldest due payment, wall time, ms. */
  oldestDue(entityId: string): Promise<number | undefined>;
  /** Whether the channel is settled at all. */
  isSettling(entityId: string): Promise<boolean>;
  byId(id: string): Promise<Settlement | undefined>;
  ofDay(entityId: string, day: string): Promise<Settlement | undefined>;
  /** The channel's newest batches first, at most `limit`. */
  list(entityId: string, limit: number): Promise<readonly Settlement[]>;
  /** Closed batches not yet delivered to this target, oldest day first. */
  undelivered(key: { entityId: string; target: DeliveryTarget; now: number }): Promise<readonly Settlement[]>;
  /** Sums of closed batches of these days, oldest first. */
  sums(key: { entityId: string; from: string; to: string }): Promise<readonly (SettlementSum & { day: string })[]>;
  sum(id: string): Promise<SettlementSum | undefined>;
  sumsOf(settlementId: string): Promise<readonly SettlementSum[]>;
  recordLines(of: RecordPage): Promise<{ lines: readonly string[]; total: number }>;
  /** Lines of a batch after this number, in order, at most `limit`. */
  recordLinesAfter(key: {
    settlementId: string;
    number: number;
    limit: number;
  }): Promise<readonly { number: number; line: string }[]>;
  notice(entityId: string, id: string): Promise<ChargebackNotice | undefined>;
  notices(key: { entityId: string; limit: number }): Promise<readonly ChargebackNotice[]>;
  /** Notices without a payment of their own, in no batch yet, that came before `before`. */
  dueNotices(key: { entityId: string; before: number; limit: number }): Promise<readonly ChargebackNotice[]>;
  noticeOfChargeback(entityId: string, chargebackId: string): Promise<ChargebackNotice | undefined>;
  deliveries(settlementId: string): Promise<readonly SettlementDelivery[]>;
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Payment>>;
  /** All reversals of these payments, approved or not. */
  reversalsOf(ids: readonly string[]): Promise<readonly Reversal[]>;
  record(key: string): Promise<{ hasLine: boolean } | undefined>;
}

export type Reversal = { of: string; minor: bigint; resultCode: string };

export interface SettlementSession extends SettlementReader {
  /** From here on, payments that move money are due, and so are the earlier ones; a repeated call changes nothing. */
  addChannel(entityId: string): Promise<void>;
  addSettlement(settlement: Settlement): Promise<void>;
  changeSettlement(settlement: Settlement): Promise<void>;
  addRecords(settlementId: string, records: readonly StoredSettlementRecord[]): Promise<void>;
  /** Adds to the sum, creating it if there is none. */
  addToSum(sum: SettlementSum): Promise<void>;
  /** Marks these payments as settled in a batch. */
  removeDue(payments: readonly Payment[]): Promise<void>;
  keepNotice(notice: ChargebackNotice): Promise<void>;
  keepDelivery(delivery: SettlementDelivery): Promise<void>;
}
