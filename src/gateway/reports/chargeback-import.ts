/**
 * Books an acquirer's chargebacks: each notice once, however often it comes. One that is of a payment for certain
 * becomes the gateway's own chargeback (CB, CR); any other is kept, and stands in the settlement as it came.
 */

import { parseAmount } from '../../base/money.ts';
import { isOf } from '../../base/result-codes.ts';
import type { Channel } from '../channel.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { refer } from '../payments/refer.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import type { ListedChargeback } from './chargeback-list.ts';
import { candidatesFor } from './chargeback-match.ts';
import { isApproved } from './settlement-record.ts';
import type { ChargebackNotice } from './store/settlement-store.ts';

export type Imported = {
  readonly id: string;
  /** known: it came before. open: the booking has no ending yet; import the list again. */
  readonly outcome: 'booked' | 'kept' | 'known' | 'open';
  readonly status: ChargebackNotice['status'];
  readonly matched: readonly string[];
  readonly chargebackId?: string;
  /** Why one of a certain payment was not booked. */
  readonly why?: string;
};

export type Importing = { readonly gateway: Gateway; readonly channel: Channel };

/** One notice of the list. */
export const importChargeback = async (importing: Importing, { id, facts }: ListedChargeback): Promise<Imported> => {
  const { gateway, channel } = importing;
  const { store, clock } = gateway;
  const { entityId } = channel;
  const before = await store.settlements.notice(entityId, id);
  if (before !== undefined && (before.chargebackId !== undefined || before.state === 'settled')) {
    return { id, outcome: 'known', ...matchOf(before) };
  }
  const found = await candidatesFor({ store, entityId, facts, now: clock.now() });
  const matched = found.map(({ id: one, referencedId, paymentType }) =>
    paymentType === 'CB' ? (referencedId ?? one) : one,
  );
  const at = before?.at ?? clock.now();
  // Cut off while it was booked: of that payment it is, though another may look the same by now.
  const begun = before?.status === 'MATCHED' ? found.filter((_, n) => isAmong(before, matched[n])) : [];
  const [only, ...others] = begun.length > 0 ? begun : found;
  const isSure = only !== undefined && others.length === 0;
  const fresh = { entityId, id, at, state: 'due', facts: { ...facts, matched } } as const;
  // From here on no settlement takes the notice itself: it takes the chargeback, or, cut off before it, nothing yet.
  const taken = isSure ? await keep(importing, { ...fresh, status: 'MATCHED' }) : undefined;
  if (taken !== undefined) return { id, outcome: 'known', ...matchOf(taken) };
  const booking = isSure ? await book(importing, only, { id, facts }) : undefined;
  if (booking?.kind === 'open') return { id, outcome: 'open', status: 'MATCHED', matched, why: booking.why };
  const chargebackId = booking?.kind === 'booked' ? booking.chargebackId : undefined;
  const notice: ChargebackNotice = {
    ...fresh,
    status: chargebackId !== undefined ? 'MATCHED' : others.length > 0 ? 'MULTIPLE_MATCHES' : 'NOT_MATCHED',
    ...(chargebackId === undefined ? {} : { chargebackId }),
  };
  await keep(importing, notice);
  const why = booking?.kind === 'refused' ? { why: booking.why } : {};
  return { id, outcome: chargebackId === undefined ? 'kept' : 'booked', ...matchOf(notice), ...why };
};

const isAmong = ({ facts }: ChargebackNotice, id: string | undefined): boolean =>
  id !== undefined && facts.matched.includes(id);

const matchOf = ({ status, chargebackId, facts }: ChargebackNotice) => ({
  status,
  matched: facts.matched,
  ...(chargebackId === undefined ? {} : { chargebackId }),
});

/**
 * Under the settlement's own turn: a batch that is being made takes it before, or after, and not both. The notice as it
 * stands if that was first.
 */
const keep = ({ gateway: { store }, channel }: Importing, notice: ChargebackNotice) =>
  store.atomically([`settlement ${channel.entityId}`], async ({ settlements }) => {
    const now = await settlements.notice(notice.entityId, notice.id);
    if (now?.state === 'settled' || now?.chargebackId !== undefined) return now;
    await settlements.keepNotice(notice);
    return undefined;
  });

type Booking =
  | { kind: 'booked'; chargebackId: string }
  | { kind: 'refused'; why: string }
  | { kind: 'open'; why: string };

/** As the host API books it, under a key of the notice: the same notice finds the same chargeback. */
const book = async (importing: Importing, payment: Payment, { id, facts }: ListedChargeback): Promise<Booking> => {
  const { gateway, channel } = importing;
  const { clock, ids, hash } = gateway;
  const key = hash(`chargeback notice ${channel.entityId} ${id}`);
  const { amount, currency, reasonCode, recordType } = facts;
  const sent = {
    entityId: channel.entityId,
    paymentType: recordType === 'CHARGEBACK' ? 'CB' : 'CR',
    amount,
    currency,
    ...(reasonCode !== undefined && isOf('recordedChargebacks', reasonCode)
      ? { chargebackResultCode: reasonCode }
      : {}),
  };
  const fingerprint = () => hash(`chargeback notice ${JSON.stringify(sent)} of ${payment.id}`);
  const { body } = await refer.answer(gateway, {
    ...{ channel, sent, key, fingerprint },
    ...{ id: payment.id, errors: [], requestId: ids.next(), base: '', at: clock.now() },
  });
  const { code = '', description = '' } = (body['result'] ?? {}) as { code?: string; description?: string };
  const means = meaningOf(code);
  if (means === 'approved') return { kind: 'booked', chargebackId: String(body['id']) };
  if (means === 'pending' || means === 'unknown' || means === 'later') return { kind: 'open', why: description };
  return (await bookedBefore(importing, payment, { id, facts })) ?? { kind: 'refused', why: description };
};

/** Over the API, before the list came: of the same amount, and of no other notice. */
const bookedBefore = async (
  { gateway: { store }, channel }: Importing,
  payment: Payment,
  { facts }: ListedChargeback,
): Promise<Booking | undefined> => {
  const type = facts.recordType === 'CHARGEBACK' ? 'CB' : 'CR';
  for (const each of await store.followersOf(payment.id)) {
    if (each.paymentType !== type || !isApproved(each)) continue;
    const isOther = (await store.settlements.noticeOfChargeback(channel.entityId, each.id)) !== undefined;
    const { minor } = parseAmount(facts.amount, facts.currency);
    if (!isOther && each.amount.minor === minor) return { kind: 'booked', chargebackId: each.id };
  }
  return undefined;
};
