/** Turns due payments into their records, using the payments of their chains. Writes nothing. */
import { present } from '../../base/present.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import type { SettlementReader } from '../store/settlement-store.ts';
import type { Store } from '../store/store.ts';
import {
  brandOf,
  type Chained,
  feeRecord,
  isApproved,
  keyOf,
  kindOf,
  type RecordedRow,
  recordOf,
} from './settlement-record.ts';
import { exchange, ownFees, type Terms } from './terms.ts';

type Settling = {
  readonly day: string;
  readonly terms: Terms;
  /** Maps each payment that was reversed in part or in whole to whether it is paid out nevertheless. Grows. */
  readonly paidOut: Map<string, boolean>;
};

/** The result for one payment. Without `recorded` and `moved` it is settled, and nothing is paid out. */
type SettledPayment = {
  readonly payment: Payment;
  readonly moved: boolean;
  readonly recorded?: RecordedRow;
  readonly fees: readonly { readonly key: string; readonly recorded: RecordedRow }[];
};

type Reading = Pick<SettlementReader, 'byIds' | 'reversalsOf' | 'record' | 'noticeOfChargeback'>;

/** In their order; a payment reversed before it was due is put before its reversal. */
export const settledOf = async (
  reader: Reading,
  due: readonly Payment[],
  settling: Settling,
): Promise<readonly SettledPayment[]> => {
  const approved = due.filter(isApproved);
  const chains = await chainsOf(reader, approved);
  const all = await withReversed(reader, { approved, chains, settling });
  await decide(reader, all, settling);
  const settled: SettledPayment[] = due.filter((each) => !isApproved(each)).map(nothing);
  for (const payment of all) settled.push(await settledOne(reader, chainedIn(chains, payment), settling));
  return settled;
};

const nothing = (payment: Payment): SettledPayment => ({ payment, moved: false, fees: [] });

type Chains = Map<string, Payment>;

/** The payments they refer to, directly and further back, and the starts of their chains. */
const chainsOf = async (reader: Reading, payments: readonly Payment[]): Promise<Chains> => {
  const known: Chains = new Map(payments.map((each) => [each.id, each]));
  for (let wave = payments; wave.length > 0; ) {
    const wanted = new Set(
      wave.flatMap(({ id, referencedId, rootId }) => [
        ...(referencedId === undefined ? [] : [referencedId]),
        ...(rootId === id ? [] : [rootId]),
      ]),
    );
    const found = await reader.byIds([...wanted].filter((id) => !known.has(id)));
    for (const [id, payment] of found) known.set(id, payment);
    wave = [...found.values()];
  }
  return known;
};

const chainedIn = (chains: Chains, payment: Payment): Chained => {
  const before: Payment[] = [];
  for (let at = payment; at.referencedId !== undefined && before.length < CHAIN_MOST; ) {
    const parent = chains.get(at.referencedId);
    if (parent === undefined) break;
    before.push(parent);
    at = parent;
  }
  const root = chains.get(payment.rootId);
  if (root !== undefined && root.id !== payment.id && !before.includes(root)) before.push(root);
  return { payment, before };
};

/** More than any chain has: capture, refund, chargeback and its reversals. */
const CHAIN_MOST = 64;

type Approved = { approved: readonly Payment[]; chains: Chains; settling: Settling };

/** Clocks of several gateways differ: a reversed payment may be due only after its reversal. */
const withReversed = async (reader: Reading, { approved, chains, settling }: Approved): Promise<readonly Payment[]> => {
  const here = new Set(approved.map(({ id }) => id));
  const all: Payment[] = [];
  for (const payment of approved) {
    const parent = payment.paymentType === 'RV' ? chains.get(payment.referencedId ?? '') : undefined;
    const isOpen =
      parent !== undefined &&
      isApproved(parent) &&
      kindOf(chainedIn(chains, parent)) !== undefined &&
      !here.has(parent.id) &&
      !settling.paidOut.has(parent.id) &&
      (await reader.record(keyOf(parent))) === undefined;
    if (isOpen) {
      here.add(parent.id);
      all.push(parent);
    }
    all.push(payment);
  }
  return all;
};

const REVERSIBLE: ReadonlySet<string> = new Set(['DB', 'PA.CP', 'CP', 'RB', 'CD']);

/** Whether a reversed payment is paid out all the same: yes, unless all of it was reversed before. */
const decide = async (reader: Reading, payments: readonly Payment[], { paidOut }: Settling): Promise<void> => {
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

const settledOne = async (
  reader: Reading,
  chained: Chained,
  { day, terms, paidOut }: Settling,
): Promise<SettledPayment> => {
  const { payment } = chained;
  const fees = feesOf(chained, day, terms);
  if (kindOf(chained) === undefined) return { payment, moved: false, fees };
  if (!(await isPaidOut(reader, chained, paidOut))) return { payment, moved: true, fees };
  const recorded = recordOf(chained, day, terms);
  if (recorded === undefined) return { payment, moved: true, fees };
  return { payment, moved: true, fees, recorded: await withNotice(reader, payment, recorded) };
};

/** A reversal takes back money that was paid out; for a payment that never was, there is nothing to take. */
const isPaidOut = async (
  reader: Reading,
  { payment, before: [parent] }: Chained,
  paidOut: ReadonlyMap<string, boolean>,
): Promise<boolean> => {
  if (payment.paymentType !== 'RV') return paidOut.get(payment.id) ?? true;
  if (parent === undefined || !isApproved(parent)) return false;
  return paidOut.get(parent.id) ?? (await reader.record(keyOf(parent)))?.hasLine ?? false;
};

/** Adds the acquirer's own data about a chargeback, if it sent a notice of it. */
const withNotice = async (reader: Reading, payment: Payment, recorded: RecordedRow): Promise<RecordedRow> => {
  if (recorded.recordType === 'SETTLED') return recorded;
  const notice = await reader.noticeOfChargeback(payment.entityId, payment.id);
  if (notice === undefined) return recorded;
  const { reasonCode, reason, acquirerReference } = notice.facts;
  const said = present({
    ReasonCode: reasonCode,
    ReasonDesc: reason?.slice(0, 128),
    ConnectorTxId2: acquirerReference?.slice(0, 64),
  });
  return { ...recorded, row: { ...recorded.row, ...said } };
};

const feesOf = (chained: Chained, day: string, terms: Terms) => {
  const { payment } = chained;
  if (!terms.fees.some(({ type }) => type !== undefined)) return [];
  const { settled } = exchange(payment.amount, terms);
  const facts = { ...payment, brand: brandOf(chained) };
  return ownFees(settled, facts, terms.fees).map(({ type, at, fee }) => {
    const key = `fee ${type} ${at} ${payment.id}`;
    return { key, recorded: feeRecord({ key, type, fee, at: payment.at, of: chained }, day, terms) };
  });
};

// Channels that are settled from now on: the payments of other channels leave no settlement data.

/** The first call also takes the payments that moved money before. */
export const beginSettling = async (
  store: Pick<Store, 'settlements' | 'atomically'>,
  entityId: string,
): Promise<void> => {
  if (await store.settlements.settles(entityId)) return;
  await store.atomically([], ({ settlements }) => settlements.addChannel(entityId));
};
