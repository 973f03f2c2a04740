/** Requests that must happen once: how they are known again. */
import { createHmac } from 'node:crypto';
import { traceless } from './parameters/all.ts';
import type { Claim } from './store/store.ts';

/**
 * A keyed hash over method, path and parameters in canonical order, hex. The body itself is never kept, and what may
 * leave no trace takes no part; a repeated PIN entry still differs, by its key serial number.
 */
export const fingerprintOf = (secret: Uint8Array, what: string, pairs: ReadonlyMap<string, string>): string => {
  const canonical = [...pairs]
    .filter(([name]) => !traceless.has(name))
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return createHmac('sha256', secret)
    .update(JSON.stringify([what, canonical]))
    .digest('hex');
};

/** What a terminal’s request is known by. With one of them missing it is known by nothing. */
type PosIdentity = {
  entityId: string;
  paymentType: string;
  'pos.terminalId'?: string;
  'pos.transactionSequenceNumber'?: string;
  merchantTransactionId?: string;
};

/** The claims of a request: by its Idempotency-Key, by the terminal’s own counting, or both. */
export const claimsOf = (request: PosIdentity, fingerprint: string, key: string | undefined): Claim[] => {
  const { entityId, paymentType, merchantTransactionId } = request;
  const terminal = request['pos.terminalId'];
  const sequence = request['pos.transactionSequenceNumber'];
  const keys: string[] = [];
  if (key !== undefined) keys.push(JSON.stringify(['key', entityId, key]));
  if (terminal !== undefined && sequence !== undefined && merchantTransactionId !== undefined) {
    keys.push(JSON.stringify(['pos', entityId, paymentType, terminal, sequence, merchantTransactionId]));
  }
  return keys.map((each) => ({ key: each, fingerprint }));
};
