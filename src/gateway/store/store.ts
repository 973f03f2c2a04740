/** What the gateway keeps, and the interface of whatever keeps it. No field can hold a card number, PIN or track. */
import type { Money } from '../../base/money.ts';
import type { AcquirerAnswer, AcquirerMemory } from '../acquirers/acquirer.ts';

export type StartType = 'PA' | 'DB' | 'CD' | 'PA.CP';
export type FollowUp = 'CP' | 'RV' | 'RF';

/** The account as it may be kept: first six, last four. */
export type KeptCard = { bin?: string; last4Digits: string; holder?: string; expiryMonth: string; expiryYear: string };

export type Payment = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  paymentType: StartType | FollowUp;
  amount: Money;
  /** Wall time of the request, ms. */
  at: number;
  merchantTransactionId?: string;
  /** The payment that this one captures, reverses or refunds. */
  referencedId?: string;
  facts: PaymentFacts;
} & ({ state: 'processing' } | { state: 'done'; resultCode: string });

/** What is only ever read back whole. */
export type PaymentFacts = {
  descriptor: string;
  /** Which merchant request it was: ends the answer's ndc. 32 hex digits. */
  requestId: string;
  /** The authorisation that the acquirer knows: this payment's own id, or the one at the start of its chain. */
  rootId: string;
  paymentBrand?: string;
  /** The brand that was found out because none was sent. */
  brandResult?: string;
  card?: KeptCard;
  /** Harmless parameters of the request, under their wire names. */
  echo: Readonly<Record<string, string>>;
  customParameters: Readonly<Record<string, string>>;
  /** What the acquirer said beside its code. */
  answer?: Omit<AcquirerAnswer, 'resultCode' | 'account'>;
  /** A sentence more than the code's description says. */
  why?: string;
};

/** A request that must happen once: its key, and a keyed hash of its canonical body. */
export type Claim = { key: string; fingerprint: string };

export interface Reader {
  payment(id: string): Promise<Payment | undefined>;
  /** Captures, reversals and refunds of the payment, oldest first. */
  followersOf(id: string): Promise<readonly Payment[]>;
}

/** Reads and writes of one transaction. */
export interface Session extends Reader {
  claimed(key: string): Promise<{ fingerprint: string; paymentId: string } | undefined>;
  add(payment: Payment, claims: readonly Claim[]): Promise<void>;
}

export type Ending = {
  resultCode: string;
  facts: PaymentFacts;
  /** Nothing was done for its request: its claims are free from then on, and an equal request is a new one. */
  frees?: 'claims';
};

export interface Store extends Reader {
  /** Runs alone: all of it or nothing, on the disk when it resolves. */
  atomically<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Ends a payment that is processing. One that has ended stays as it is, with its claims: the first ending counts. */
  finish(id: string, ending: Ending): Promise<void>;
  /** Payments that were begun and never ended, oldest first. */
  unfinished(): Promise<readonly Payment[]>;
  /** A merchant's payments with this reference, oldest first. */
  withReference(of: { entityId: string; merchantTransactionId: string; limit: number }): Promise<readonly Payment[]>;
  memory: AcquirerMemory;
  close(): Promise<void>;
}
