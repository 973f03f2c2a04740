/**
 * The record of one authentication, by its payment's id: a document in the acquirers' memory, so that every gateway can
 * continue it. The waiting request is encrypted, and its key is destroyed as soon as it need not wait any longer.
 */

import type { AcquirerMemory, Documents } from '../store/documents.ts';
import type { SealedAccount } from '../store/records.ts';
import type { AuthenticationResponse } from './messages.ts';
import type { Scheme } from './schemes.ts';
import type { Proof } from './verdict.ts';

export type Authentication = {
  entityId: string;
  scheme: Scheme;
  version: string;
  deviceChannel: '01' | '02' | '03';
  threeDSServerTransID: string;
  /** Wall time, ms, after which the challenge has expired. */
  until: number;
  /** The gateway's external address, and the shopper's return address. */
  origin: string;
  returnTo: string;
  shop: string;
  /** Whether no payment follows. */
  only: boolean;
  threeDSMethodUrl?: string;
  methodDone?: 'Y';
  /** For a challenge, or for an issuer that asks in its app. */
  response?: AuthenticationResponse;
  windowSize?: string;
  sealed?: SealedAccount;
} & (
  | { state: 'device' | 'challenge' | 'decoupled' }
  /** The result is recorded, and the acquirer may or may not have been asked: asking again has the same effect. */
  | { state: 'authorising'; proof: Proof }
  /** The acquirer knows the payment and is inquired about. Without a payment this is the end. */
  | { state: 'handedOver'; proof: Proof }
  | { state: 'refused'; resultCode: string; why: string; proof: Proof }
);

/** The payment was given up before it started: a request that comes under its id later is declined. */
export type Closed = { state: 'closed' };
export type AuthenticationRecord = Authentication | Closed;

const keyOf = (id: string): string => `threeds/${id}`;

export interface AuthenticationRecords {
  read(id: string): Promise<AuthenticationRecord | undefined>;
  /** Writes the record if there is none; returns the stored one. */
  begin(id: string, record: AuthenticationRecord): Promise<AuthenticationRecord>;
  /** Exclusive in all processes: `next` returns the new record, or undefined to leave it. Returns the stored record. */
  change(id: string, next: (record: Authentication) => Authentication | undefined): Promise<Authentication | undefined>;
}

export const openRecords = (memory: AcquirerMemory): AuthenticationRecords => {
  const read = async (
    documentReader: Pick<Documents, 'get'>,
    id: string,
  ): Promise<AuthenticationRecord | undefined> => {
    const stored = await documentReader.get(keyOf(id));
    return stored === undefined ? undefined : (JSON.parse(stored) as AuthenticationRecord);
  };
  const write = (documents: Documents, id: string, record: AuthenticationRecord) =>
    documents.set([{ key: keyOf(id), value: JSON.stringify(record) }]);
  return {
    read: (id) => read(memory, id),
    begin: (id, record) =>
      memory.withLocks([keyOf(id)], async (documents) => {
        const current = await read(documents, id);
        if (current === undefined) await write(documents, id, record);
        return current ?? record;
      }),
    change: (id, next) =>
      memory.withLocks([keyOf(id)], async (documents) => {
        const record = await read(documents, id);
        if (record === undefined || record.state === 'closed') return undefined;
        const changed = next(record);
        if (changed !== undefined) await write(documents, id, changed);
        return changed ?? record;
      }),
  };
};
