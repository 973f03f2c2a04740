/** What the gateway keeps of settlement: batches of a day, their records, notices of chargebacks, deliveries. */
import type { Payment } from './records.ts';

/** One batch: what a channel is paid out for one day. Closed, it never changes again. */
export type Settlement = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  /** `YYYY-MM-DD` in the channel's time zone. */
  day: string;
  /** Wall time, ms. */
  madeAt: number;
  closedAt?: number;
  /** Lines and what is accounted for without one. */
  records: number;
};

/** All of one batch in one currency and test mode: the host API's aggregation. Minor units. */
export type SettlementSum = {
  id: string;
  settlementId: string;
  currency: string;
  settlementCurrency: string;
  /** Where the money went; LIVE is no test mode on the wire. */
  testMode: 'INTERNAL' | 'EXTERNAL' | 'LIVE';
  records: number;
  paidMinor: bigint;
  takenMinor: bigint;
  feeMinor: bigint;
};

export type RecordType = 'SETTLED' | 'CHARGEBACK' | 'CHARGEBACK REVERSAL' | 'FEE';

/** `key` stands once in the table, whatever batch it is in. Without `written` it is accounted for, and no line. */
export type StoredSettlementRecord = {
  number: number;
  key: string;
  written?: { sumId: string; recordType: RecordType; line: string };
};

export type ChargebackNotice = {
  entityId: string;
  /** The acquirer's name of it. */
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
  /** Payments that it may be of. */
  matched: readonly string[];
  paymentId?: string;
  acquirerReference?: string;
  last4?: string;
  brand?: string;
  /** `YYYY-MM-DD`: of the payment that is charged back. */
  presentedOn?: string;
  reasonCode?: string;
  reason?: string;
};

export type DeliveryTarget = 'folder' | 'sftp';

export type SettlementDelivery = {
  settlementId: string;
  target: DeliveryTarget;
  tries: number;
  /** Wall time, ms, before which nobody tries again: it was tried in vain, or somebody is at it. */
  nextAt: number;
  doneAt?: number;
  bytes?: number;
  /** SHA-256 of what was delivered, hex. */
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
  /** What moved money at or after `from` and before `before`, and is in no batch; oldest first. */
  due(of: DueQuery): Promise<readonly Payment[]>;
  /** Wall time, ms, of the oldest that is due. */
  oldestDue(entityId: string): Promise<number | undefined>;
  /** Whether anything of the channel is ever due. */
  settles(entityId: string): Promise<boolean>;
  byId(id: string): Promise<Settlement | undefined>;
  ofDay(entityId: string, day: string): Promise<Settlement | undefined>;
  /** The channel's newest first, so many. */
  list(entityId: string, limit: number): Promise<readonly Settlement[]>;
  /** Closed batches that are not delivered there, oldest day first. */
  undelivered(of: { entityId: string; target: DeliveryTarget; now: number }): Promise<readonly Settlement[]>;
  /** Sums of closed batches of these days, oldest first. */
  sums(of: { entityId: string; from: string; to: string }): Promise<readonly (SettlementSum & { day: string })[]>;
  sum(id: string): Promise<SettlementSum | undefined>;
  sumsOf(settlementId: string): Promise<readonly SettlementSum[]>;
  lines(of: RecordPage): Promise<{ lines: readonly string[]; total: number }>;
  /** Lines of a batch behind this number, in order, so many. */
  linesAfter(of: {
    settlementId: string;
    number: number;
    limit: number;
  }): Promise<readonly { number: number; line: string }[]>;
  notice(entityId: string, id: string): Promise<ChargebackNotice | undefined>;
  notices(of: { entityId: string; limit: number }): Promise<readonly ChargebackNotice[]>;
  /** Those without a payment of their own, in no batch yet, that came before `before`. */
  dueNotices(of: { entityId: string; before: number; limit: number }): Promise<readonly ChargebackNotice[]>;
  noticeOfChargeback(entityId: string, chargebackId: string): Promise<ChargebackNotice | undefined>;
  deliveries(settlementId: string): Promise<readonly SettlementDelivery[]>;
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Payment>>;
  /** Approved or not: all reversals of these payments. */
  reversalsOf(ids: readonly string[]): Promise<readonly Reversal[]>;
  record(key: string): Promise<{ hasLine: boolean } | undefined>;
}

export type Reversal = { of: string; minor: bigint; resultCode: string };

export interface SettlementSession extends SettlementReader {
  /** From here on what moves money is due, and what moved it before; the same again changes nothing. */
  addChannel(entityId: string): Promise<void>;
  addSettlement(settlement: Settlement): Promise<void>;
  changeSettlement(settlement: Settlement): Promise<void>;
  addRecords(settlementId: string, records: readonly StoredSettlementRecord[]): Promise<void>;
  /** Adds to the sum, and makes it where there is none. */
  addToSum(sum: SettlementSum): Promise<void>;
  /** They are in a batch. */
  notDue(payments: readonly Payment[]): Promise<void>;
  keepNotice(notice: ChargebackNotice): Promise<void>;
  keepDelivery(delivery: SettlementDelivery): Promise<void>;
}
