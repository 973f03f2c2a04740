/**
 * Batches: what a channel is paid for a day, written in portions, each in one transaction that takes its payments from
 * those that are due. A crash leaves an open batch, which the next process continues; several gateways on one database
 * take turns at it.
 */
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { Payment } from '../store/records.ts';
import type {
  Settlement,
  SettlementSession,
  SettlementSum,
  StoredSettlementRecord,
} from '../store/settlement-store.ts';
import type { Store } from '../store/store.ts';
import { perBatch, perMerchant } from './fee-kinds.ts';
import { settlementLine } from './settlement-csv.ts';
import { dayOf, endOfDay, lastDueDay, nextDay } from './settlement-day.ts';
import { derivedIdOf, feeRecord, keyOf, noticeRecord, type RecordedRow } from './settlement-record.ts';
import { beginSettling, settlePayments } from './settling.ts';
import { calculateFee, type Terms } from './terms.ts';

export type BatchParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly terms: Terms;
  /** Called with the number of records so far. */
  readonly onProgress?: (records: number) => void;
};

/** Payments in one transaction: few enough not to delay payments made meanwhile. */
const PORTION = 250;

/** The day's batch, closed; created if there is none. Throws `settlement.early` for a day that is not over. */
export const makeBatch = async (parts: BatchParts, day: string): Promise<Settlement> => {
  const { store, clock, terms, onProgress } = parts;
  const end = endOfDay(day, terms);
  if (end > clock.now()) throw new Fault('settlement.early', { day });
  await beginSettling(store, terms.entityId);
  for (;;) {
    const batch = await store.transact([`settlement ${terms.entityId}`], ({ settlements }) =>
      portion(settlements, { ...parts, day, end }),
    );
    onProgress?.(batch.records);
    if (batch.closedAt !== undefined) return batch;
  }
};

type Day = BatchParts & { readonly day: string; readonly end: number };

/** Writes the next portion, or closes the batch. */
const portion = async (session: SettlementSession, of: Day): Promise<Settlement> => {
  const { terms, day, end } = of;
  const { entityId } = terms;
  const batch = await openBatch(session, of);
  if (batch.closedAt !== undefined) return batch;
  const writer = records(batch, terms);
  const duePayments = await session.due({ entityId, from: 0, before: end, limit: PORTION });
  const settled = await settlePayments(session, duePayments, { day, terms, paidOut: new Map() });
  for (const { payment, movesMoney: moved, recorded, fees } of settled) {
    if (moved) writer.add(keyOf(payment), recorded, modeOf(payment));
    for (const fee of fees) writer.add(fee.key, fee.recorded, modeOf(payment));
    if (recorded !== undefined) await addFeesOfMerchants(session, writer, { ...of, payment });
  }
  await session.removeDue(settled.map(({ payment }) => payment));
  const notices = duePayments.length > 0 ? [] : await session.dueNotices({ entityId, before: end, limit: PORTION });
  for (const notice of notices) {
    writer.add(`notice ${entityId} ${notice.id}`, noticeRecord(notice, day, terms), terms.live ? 'LIVE' : 'INTERNAL');
    await session.keepNotice({ ...notice, state: 'settled' });
  }
  const isLast = duePayments.length === 0 && notices.length === 0;
  if (isLast) await addFeesOfBatch(session, writer, of);
  await writer.write(session);
  const updatedBatch = { ...batch, records: writer.count(), closedAt: isLast ? of.clock.now() : batch.closedAt };
  await session.changeSettlement(updatedBatch);
  return updatedBatch;
};

const openBatch = async (session: SettlementSession, { terms, day, clock }: Day): Promise<Settlement> => {
  const { entityId } = terms;
  const existing = await session.ofDay(entityId, day);
  if (existing !== undefined) return existing;
  const newBatch = { id: derivedIdOf('batch', `${entityId} ${day}`), entityId, day, madeAt: clock.now(), records: 0 };
  await session.addSettlement(newBatch);
  return newBatch;
};

type TestMode = SettlementSum['testMode'];

const modeOf = ({ facts: { live, echo } }: Payment): TestMode => {
  if (live === true) return 'LIVE';
  return echo['testMode'] === 'EXTERNAL' ? 'EXTERNAL' : 'INTERNAL';
};

/** The records of one transaction, numbered after the earlier ones, and their contribution to the batch's sums. */
const records = (batch: Settlement, { entityId }: Terms) => {
  const added: StoredSettlementRecord[] = [];
  const sums = new Map<string, SettlementSum>();
  const addToSum = ({ row, settled, fee, cashflow }: RecordedRow, testMode: TestMode): string => {
    const currency = row['Currency'] ?? '';
    const id = derivedIdOf('sum', [entityId, batch.day, currency, settled.currency, testMode].join(' '));
    const previous = sums.get(id);
    sums.set(id, {
      id,
      settlementId: batch.id,
      currency,
      settlementCurrency: settled.currency,
      testMode,
      records: (previous?.records ?? 0) + 1,
      paidMinor: (previous?.paidMinor ?? 0n) + (cashflow === 'POS' ? settled.minor : 0n),
      takenMinor: (previous?.takenMinor ?? 0n) + (cashflow === 'NEG' ? settled.minor : 0n),
      feeMinor: (previous?.feeMinor ?? 0n) + fee.minor,
    });
    return id;
  };
  return {
    add(key: string, recorded: RecordedRow | undefined, testMode: TestMode) {
      const number = batch.records + added.length + 1;
      if (recorded === undefined) {
        added.push({ number, key });
        return;
      }
      const { recordType, row } = recorded;
      added.push({
        number,
        key,
        written: { sumId: addToSum(recorded, testMode), recordType, line: settlementLine(row) },
      });
    },
    /** Whether this transaction writes it. */
    has: (key: string) => added.some((each) => each.key === key),
    count: () => batch.records + added.length,
    async write(session: SettlementSession) {
      await session.addRecords(batch.id, added);
      for (const sum of sums.values()) await session.addToSum(sum);
    },
  };
};

/** Monthly fees with the month's first batch, and batch fees with each batch that has records. */
const addFeesOfBatch = async (session: SettlementSession, writer: ReturnType<typeof records>, of: Day) => {
  const { terms, day, end } = of;
  const periods = { BATCH: day, MONTHLY: day.slice(0, 7) };
  for (const type of perBatch) {
    if (type === 'BATCH' && writer.count() === 0) continue;
    // Identified by their position among fees of the type: a line with a new price is not charged twice in its month.
    for (const [at, rule] of terms.fees.filter((each) => each.type === type).entries()) {
      const key = `fee ${type} ${at} ${terms.entityId} ${periods[type]}`;
      const currency = rule.currency ?? terms.currency ?? FEE_CURRENCY;
      const fee = calculateFee(rule, { minor: 0n, currency });
      if (fee.minor === 0n || (await session.record(key)) !== undefined) continue;
      writer.add(key, feeRecord({ key, type, fee, at: end - 1 }, day, terms), terms.live ? 'LIVE' : 'INTERNAL');
    }
  }
};

/** Once in a batch for each sub-merchant that a payment in it names. */
const addFeesOfMerchants = async (
  session: SettlementSession,
  writer: ReturnType<typeof records>,
  { terms, day, payment }: Day & { readonly payment: Payment },
) => {
  for (const [type, parameter] of Object.entries(perMerchant)) {
    const merchant = payment.facts.echo[parameter];
    if (merchant === undefined) continue;
    for (const [at, rule] of terms.fees.filter((each) => each.type === type).entries()) {
      const key = `fee ${type} ${at} ${terms.entityId} ${day} ${merchant}`;
      const fee = calculateFee(rule, {
        minor: 0n,
        currency: rule.currency ?? terms.currency ?? payment.amount.currency,
      });
      if (fee.minor === 0n || writer.has(key) || (await session.record(key)) !== undefined) continue;
      const { row, ...recorded } = feeRecord({ key, type, fee, at: payment.at }, day, terms);
      writer.add(key, { ...recorded, row: { ...row, Descriptor: merchant.slice(0, 128) } }, modeOf(payment));
    }
  }
};

/** For fees without a payment, if neither their line nor the channel names a currency. */
const FEE_CURRENCY = 'EUR';

/**
 * Makes all batches that are due, the oldest first: for each day with due payments, and always for the last day. A
 * payment that ended after its day was closed is in the next batch.
 */
export const hurry = async (parts: BatchParts): Promise<void> => {
  const { store, clock, terms } = parts;
  const { entityId } = terms;
  const lastDay = lastDueDay(clock.now(), terms);
  await beginSettling(store, entityId);
  for (;;) {
    const batches = await store.settlements.list(entityId, 100);
    const open = batches.findLast(({ closedAt }) => closedAt === undefined);
    if (open !== undefined) {
      // A gateway whose clock is ahead started it, and continues it.
      if (endOfDay(open.day, terms) > clock.now()) return;
      await makeBatch(parts, open.day);
      continue;
    }
    const firstDay = batches[0] === undefined ? '' : nextDay(batches[0].day);
    if (firstDay > lastDay) return;
    const oldest = await store.settlements.oldestDue(entityId);
    const day = oldest === undefined ? lastDay : dayOf(oldest, terms);
    await makeBatch(parts, laterOf(firstDay, day < lastDay ? day : lastDay));
  }
};

const laterOf = (left: string, right: string): string => (left > right ? left : right);
