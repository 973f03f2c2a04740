/** Turns due payments into their records, using the payments of their chains. Writes nothing. */
import { withoutUndefined } from '../../base/present.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import type { SettlementReader } from '../store/settlement-store.ts';
import type { Store } from '../store/store.ts';
import {
  brandOf,
  feeRecord,
  isApproved,
  keyOf,
  kindOf,
  type PaymentChain,
  type RecordedRow,
  recordOf,
} from './settlement-record.ts';
import { exchange, feesFor, type Terms } from './terms.ts';

type SettlementRun = {
  readonly day: string;
  readonly terms: Terms;
  /** Maps each payment that was reversed in part or in whole to whether it is paid out nevertheless. Grows. */
  readonly paidOut: Map<string, boolean>;
};

/** The result for one payment. Without `recorded` and `moved` it is settled, and nothing is paid out. */
type SettledPayment = {
  readonly payment: Payment;
  readonly movesMoney: boolean;
  readonly recorded?: RecordedRow;
  readonly fees: readonly { readonly key: string; readonly recorded: RecordedRow }[];
};

type SettlementReads = Pick<SettlementReader, 'byIds' | 'reversalsOf' | 'record' | 'noticeOfChargeback'>;

/** In their order; a payment reversed before it was due is put before its reversal. */
export const settlePayments = async (
  reader: SettlementReads,
  due: readonly Payment[],
  run: SettlementRun,
): Promise<readonly SettledPayment[]> => {
  const approved = due.filter(isApproved);
  const chains = await readChains(reader, approved);
  const ordered = await addReversedPayments(reader, { approved, chains, settling: run });
  await decidePayouts(reader, ordered, run);
  const settled: SettledPayment[] = due.filter((each) => !isApproved(each)).map(unmoved);
  for (const payment of ordered) settled.push(await settlePayment(reader, chainOf(chains, payment), run));
  return settled;
};

const unmoved = (payment: Payment): SettledPayment => ({ payment, movesMoney: false, fees: [] });

type Chains = Map<string, Payment>;

/** The payments they refer to, directly and further back, and the starts of their chains. */
const readChains = async (reader: SettlementReads, payments: readonly Payment[]): Promise<Chains> => {
  const byId: Chains = new Map(payments.map((each) => [each.id, each]));
  for (let pending = payments; pending.length > 0; ) {
    const missingIds = new Set(
      pending.flatMap(({ id, referencedId, rootId }) => [
        ...(referencedId === undefined ? [] : [referencedId]),
        ...(rootId === id ? [] : [rootId]),
      ]),
    );
    const found = await reader.byIds([...missingIds].filter((id) => !byId.has(id)));
    for (const [id, payment] of found) byId.set(id, payment);
    pending = [...found.values()];
  }
  return byId;
};

const chainOf = (chains: Chains, payment: Payment): PaymentChain => {
  const ancestors: Payment[] = [];
  for (let current = payment; current.referencedId !== undefined && ancestors.length < CHAIN_MOST; ) {
    const parent = chains.get(current.referencedId);
    if (parent === undefined) break;
    ancestors.push(parent);
    current = parent;
  }
  const root = chains.get(payment.rootId);
  if (root !== undefined && root.id !== payment.id && !ancestors.includes(root)) ancestors.push(root);
  return { payment, before: ancestors };
};

/** More than any chain has: capture, refund, chargeback and its reversals. */
const CHAIN_MOST = 64;

type ApprovedPayments = { approved: readonly Payment[]; chains: Chains; settling: SettlementRun };

/** Clocks of several gateways differ: a reversed payment may be due only after its reversal. */
const addReversedPayments = async (
  reader: SettlementReads,
  { approved, chains, settling }: ApprovedPayments,
): Promise<readonly Payment[]> => {
  const includedIds = new Set(approved.map(({ id }) => id));
  const ordered: Payment[] = [];
  for (const payment of approved) {
    const parent = payment.paymentType === 'RV' ? chains.get(payment.referencedId ?? '') : undefined;
    const isMissing =
      parent !== undefined &&
      isApproved(parent) &&
      kindOf(chainOf(chains, parent)) !== undefined &&
      !includedIds.has(parent.id) &&
      !settling.paidOut.has(parent.id) &&
      (await reader.record(keyOf(parent))) === undefined;
    if (isMissing) {
      includedIds.add(parent.id);
      ordered.push(parent);
    }
    ordered.push(payment);
  }
  return ordered;
};

const REVERSIBLE: ReadonlySet<string> = new Set(['DB', 'PA.CP', 'CP', 'RB', 'CD']);

/** Whether a reversed payment is paid out all the same: yes, unless all of it was reversed before. */
const decidePayouts = async (
  reader: SettlementReads,
  payments: readonly Payment[],
  { paidOut }: SettlementRun,
): Promise<void> => {
  const ids = payments.filter(({ paymentType }) => REVERSIBLE.has(paymentType)).map(({ id }) => id);
  const reversed = new Map<string, bigint>();
  for (const { of, minor, resultCode } of await reader.reversalsOf(ids)) {
    if (meaningOf(resultCode) === 'approved') reversed.set(of, (reversed.get(of) ?? 0n) + minor);
  }
  for (const { id, amount } of payments) {
    const minor = reversed.get(id);
    if (minor !== undefined) paidOut.set(id, minor < amount.minor);
  }
};

const settlePayment = async (
  reader: SettlementReads,
  chained: PaymentChain,
  { day, terms, paidOut }: SettlementRun,
): Promise<SettledPayment> => {
  const { payment } = chained;
  const fees = feesOf(chained, day, terms);
  if (kindOf(chained) === undefined) return { payment, movesMoney: false, fees };
  if (!(await isPaidOut(reader, chained, paidOut))) return { payment, movesMoney: true, fees };
  const recorded = recordOf(chained, day, terms);
  if (recorded === undefined) return { payment, movesMoney: true, fees };
  return { payment, movesMoney: true, fees, recorded: await addNotice(reader, payment, recorded) };
};

/** A reversal takes back money that was paid out; for a payment that never was, there is nothing to take. */
const isPaidOut = async (
  reader: SettlementReads,
  { payment, before: [parent] }: PaymentChain,
  paidOut: ReadonlyMap<string, boolean>,
): Promise<boolean> => {
  if (payment.paymentType !== 'RV') return paidOut.get(payment.id) ?? true;
  if (parent === undefined || !isApproved(parent)) return false;
  return paidOut.get(parent.id) ?? (await reader.record(keyOf(parent)))?.hasLine ?? false;
};

/** Adds the acquirer's own data about a chargeback, if it sent a notice of it. */
const addNotice = async (reader: SettlementReads, payment: Payment, recorded: RecordedRow): Promise<RecordedRow> => {
  if (recorded.recordType === 'SETTLED') return recorded;
  const notice = await reader.noticeOfChargeback(payment.entityId, payment.id);
  if (notice === undefined) return recorded;
  const { reasonCode, reason, acquirerReference } = notice.facts;
  const details = withoutUndefined({
    ReasonCode: reasonCode,
    ReasonDesc: reason?.slice(0, 128),
    ConnectorTxId2: acquirerReference?.slice(0, 64),
  });
  return { ...recorded, row: { ...recorded.row, ...details } };
};

const feesOf = (chained: PaymentChain, day: string, terms: Terms) => {
  const { payment } = chained;
  if (!terms.fees.some(({ type }) => type !== undefined)) return [];
  const { settled } = exchange(payment.amount, terms);
  const facts = { ...payment, brand: brandOf(chained) };
  return feesFor(settled, facts, terms.fees).map(({ type, at, fee }) => {
    const key = `fee ${type} ${at} ${payment.id}`;
    return { key, recorded: feeRecord({ key, type, fee, at: payment.at, of: chained }, day, terms) };
  });
};

// Channels that are settled from now on: the payments of other channels leave no settlement data.

/** The first call also takes the payments that moved money before. */
export const beginSettling = async (
  store: Pick<Store, 'settlements' | 'transact'>,
  entityId: string,
): Promise<void> => {
  if (await store.settlements.isSettling(entityId)) return;
  await store.transact([], ({ settlements }) => settlements.addChannel(entityId));
};
