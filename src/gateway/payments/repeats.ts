/** Requests that must take effect once: how they are recognised, and given the answer of the first one. */
import { createHmac, type KeyObject } from 'node:crypto';
import { codes } from '../../base/result-codes.ts';
import { isTraceless } from '../spec/parameters/all.ts';
import type { Sent } from '../spec/parameters/parser.ts';
import { meaningOf } from '../spec/results.ts';
import { wallets } from '../spec/rules/accounts.ts';
import type { EarlierRequest, KeyedRequest, Session, Store } from '../store/store.ts';
import { type Answer, answerFrame, type Body, paymentAnswer, refuseWith, UNCERTAIN } from './response.ts';

/**
 * A keyed hash over method, path and parameters in canonical order, hex. The body itself is never stored, and secrets
 * such as the PIN are left out; a repeated PIN entry still differs, by its key serial number.
 */
export const fingerprintOf = (secret: KeyObject, operation: string, sent: Sent): string => {
  const names: string[] = [];
  for (const name in sent) if (!isTraceless(name)) names.push(name);
  const canonical = names.sort().map((name) => [name, sent[name]]);
  return createHmac('sha256', secret)
    .update(JSON.stringify([operation, canonical]))
    .digest('hex');
};

/** The fields that identify a terminal's request. If one of them is missing, the request has no identity. */
type PosIdentity = {
  entityId: string;
  paymentType: string;
  'pos.terminalId'?: string;
  'pos.transactionSequenceNumber'?: string;
  merchantTransactionId?: string;
};

/** The claims of a request: by its Idempotency-Key, by the terminal's own sequence number, or both. */
export const claimsOf = (request: PosIdentity, fingerprint: () => string, key: string | undefined): KeyedRequest[] => {
  const { entityId, paymentType, merchantTransactionId } = request;
  const terminal = request['pos.terminalId'];
  const sequence = request['pos.transactionSequenceNumber'];
  const claims = keyClaimsOf(entityId, fingerprint, key);
  if (terminal !== undefined && sequence !== undefined && merchantTransactionId !== undefined) {
    const pos = ['pos', entityId, paymentType, terminal, sequence, merchantTransactionId];
    claims.push({ key: JSON.stringify(pos), fingerprint: claims[0]?.fingerprint ?? fingerprint() });
  }
  return claims;
};

const tokens = wallets.map((wallet) => `${wallet}.paymentToken`);

/**
 * Whether a request can have a claim at all, for instance a wallet's token that pays once: only then does it need a
 * fingerprint.
 */
export const canClaim = (sent: Sent, key: string | undefined): boolean =>
  key !== undefined || sent['pos.terminalId'] !== undefined || tokens.some((name) => sent[name] !== undefined);

/** The claim of an Idempotency-Key, within a channel. */
export const keyClaimsOf = (entityId: string, fingerprint: () => string, key: string | undefined): KeyedRequest[] =>
  key === undefined ? [] : [{ key: JSON.stringify(['key', entityId, key]), fingerprint: fingerprint() }];

/** The payment that the request refers to has no final result yet. */
export const TOO_EARLY = codes.stillPending;

/** Refused only temporarily: nothing was done, and an equal request is a new one. Its claims are not taken. */
export const isOnlyForNow = (resultCode: string): boolean =>
  resultCode === TOO_EARLY || meaningOf(resultCode) === 'later';

/** The outcome of an earlier request with one of these claims, and whether it had the same body. */
export type EarlierOutcome =
  | { kind: 'payment'; paymentId: string }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'differs'; paymentId?: string };

export const earlierOutcomeOf = (claimed: EarlierRequest, claims: readonly KeyedRequest[]): EarlierOutcome => {
  const isSame = claims.some(({ fingerprint }) => fingerprint === claimed.fingerprint);
  if (claimed.kind === 'payment') return { kind: isSame ? 'payment' : 'differs', paymentId: claimed.paymentId };
  if (!isSame) return { kind: 'differs' };
  return { kind: 'answer', answer: { status: claimed.status, body: JSON.parse(claimed.body) as Body } };
};

type IdentifiedRequest = {
  channel: { entityId: string };
  fingerprint: () => string;
  key?: string;
  requestId: string;
  at: number;
};

/** The answer for a key that is reused with another body: nothing was done for this request. */
export const duplicateAnswer = (call: IdentifiedRequest, paymentId?: string): Answer => {
  const fate = paymentId === undefined ? 'was answered without a payment' : `became payment ${paymentId}`;
  const reason = `The first request with this identity had another body and ${fate}.`;
  return refuseWith(
    { code: codes.duplicate, why: reason },
    answerFrame(call.channel.entityId, call.requestId, call.at),
  );
};

/** Stores this answer under the request's Idempotency-Key: a repeat gets the same bytes. Unchanged without a key. */
export const answerOnce = async (store: Store, call: IdentifiedRequest, answer: Answer): Promise<Answer> =>
  call.key === undefined ? answer : doOnce(store, call, { names: [], work: async () => answer });

/** Work without a payment; `names` as in `store.transact`. */
export type ClaimedWork = { names: readonly string[]; work: (session: Session) => Promise<Answer> };

/**
 * Does the work and stores its answer under the request's Idempotency-Key in the same transaction, unless it refuses
 * the request only temporarily. If the key was used before, does nothing and returns the first answer. Without a key or
 * a channel the work is done each time.
 */
export const doOnce = async (store: Store, call: IdentifiedRequest, { names, work }: ClaimedWork): Promise<Answer> => {
  const claims = call.channel.entityId === '' ? [] : keyClaimsOf(call.channel.entityId, call.fingerprint, call.key);
  const keys = claims.map(({ key }) => key);
  const stored = await store.transact([...keys, ...names], async (session) => {
    const claimed = keys.length === 0 ? undefined : await session.findClaimed(keys);
    if (claimed !== undefined) return { claimed };
    const answer = await work(session);
    if (claims.length > 0 && !isOnlyForNow(codeIn(answer))) {
      await session.addAnswer({ status: answer.status, body: JSON.stringify(answer.body) }, claims);
    }
    return { answer };
  });
  if (stored.answer !== undefined) return stored.answer;
  const earlierOutcome = earlierOutcomeOf(stored.claimed, claims);
  if (earlierOutcome.kind === 'answer') return earlierOutcome.answer;
  if (earlierOutcome.kind === 'differs') return duplicateAnswer(call, earlierOutcome.paymentId);
  const payment = await store.payment(earlierOutcome.paymentId);
  return payment === undefined ? duplicateAnswer(call, earlierOutcome.paymentId) : paymentAnswer(payment, UNCERTAIN);
};

const codeIn = ({ body }: Answer): string => {
  const result = body['result'] as Body | undefined;
  return String(result?.['code'] ?? '');
};
