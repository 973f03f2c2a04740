/**
 * What the gateway keeps of one authentication, by its payment's id: a document in the acquirers' memory, so that every
 * gateway can go on with it. The request that waits is sealed, and its seal is destroyed as soon as it need not wait.
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
  /** Wall time, ms, after which nobody is asked any more. */
  until: number;
  /** Where the gateway stands for browsers, and where they go back to. */
  origin: string;
  returnTo: string;
  shop: string;
  /** Whether nothing is paid after it. */
  only: boolean;
  threeDSMethodUrl?: string;
  methodDone?: 'Y';
  /** Of a challenge, or of an issuer that asks elsewhere. */
  response?: AuthenticationResponse;
  windowSize?: string;
  sealed?: SealedAccount;
} & (
  | { state: 'device' | 'challenge' | 'decoupled' }
  /** The proof is there, and the acquirer may have been asked or not: asking it again is asking the same. */
  | { state: 'authorising'; proof: Proof }
  /** The acquirer knows the payment: it is asked what came of it. Of `only` it is the end. */
  | { state: 'handedOver'; proof: Proof }
  | { state: 'refused'; resultCode: string; why: string; proof: Proof }
);

/** The payment was given up before it began: whatever comes under its id later is declined. */
export type Closed = { state: 'closed' };
export type AuthenticationRecord = Authentication | Closed;

const keyOf = (id: string): string => `threeds/${id}`;

export interface AuthenticationRecords {
  read(id: string): Promise<AuthenticationRecord | undefined>;
  /** Writes it if there is none; the one that then stands. */
  begin(id: string, record: AuthenticationRecord): Promise<AuthenticationRecord>;
  /**
   * Alone on it, in all processes: `next` says how it goes on, or undefined where it stays. The record that then
   * stands.
   */
  change(id: string, next: (record: Authentication) => Authentication | undefined): Promise<Authentication | undefined>;
}

export const openRecords = (memory: AcquirerMemory): AuthenticationRecords => {
  const read = async (from: Pick<Documents, 'get'>, id: string): Promise<AuthenticationRecord | undefined> => {
    const kept = await from.get(keyOf(id));
    return kept === undefined ? undefined : (JSON.parse(kept) as AuthenticationRecord);
  };
  const write = (documents: Documents, id: string, record: AuthenticationRecord) =>
    documents.set([{ key: keyOf(id), value: JSON.stringify(record) }]);
  return {
    read: (id) => read(memory, id),
    begin: (id, record) =>
      memory.exclusively([keyOf(id)], async (documents) => {
        const before = await read(documents, id);
        if (before === undefined) await write(documents, id, record);
        return before ?? record;
      }),
    change: (id, next) =>
      memory.exclusively([keyOf(id)], async (documents) => {
        const record = await read(documents, id);
        if (record === undefined || record.state === 'closed') return undefined;
        const after = next(record);
        if (after !== undefined) await write(documents, id, after);
        return after ?? record;
      }),
  };
};
