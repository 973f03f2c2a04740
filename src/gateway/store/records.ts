/**
 * Stored payments and accounts. No field can contain a PIN, a track or a readable card number: the only stored account,
 * a registration's, is encrypted.
 */
import type { Money } from '../../base/money.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import type { PaymentMethod } from '../spec/brands.ts';

/** 3D: authenticates the cardholder without a payment. */
export type StartType = 'PA' | 'DB' | 'CD' | 'PA.CP' | '3D';
export type FollowUpType = 'CP' | 'RV' | 'RF' | 'RB' | 'RC' | 'CB' | 'CR' | 'PA';

/** The account as it may be stored: first six and last four digits. */
export type KeptCard = { bin?: string; last4Digits: string; holder?: string; expiryMonth: string; expiryYear: string };

export type Payment = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  paymentType: StartType | FollowUpType;
  paymentMethod: PaymentMethod;
  amount: Money;
  /** Wall time of the request, ms. */
  at: number;
  /** `dddd.dddd.dddd`, for people to read out. */
  shortId: string;
  merchantTransactionId?: string;
  /** The payment that this one captures, reverses, refunds … */
  referencedId?: string;
  /**
   * The payment at the start of its chain, or its own id if it is the start. All payments of a chain are "linked" (spec
   * 2.24).
   */
  rootId: string;
  /** The registration that it stored, or that it charged. */
  registrationId?: string;
  facts: PaymentFacts;
} & ({ state: 'processing' } | { state: 'done'; resultCode: string });

/** Data that are only ever read as a whole. */
export type PaymentFacts = {
  descriptor: string;
  /** Identifies the merchant's request: the end of the answer's ndc. 32 hex digits. */
  requestId: string;
  /** The id by which the acquirer knows the money: this payment's own, or the one at the start of its chain. */
  acquirerId: string;
  paymentBrand?: string;
  /** The brand determined from the account because none was sent. */
  brandResult?: string;
  card?: KeptCard;
  /** The parts of a bank account that reports show: the last four digits of its number, and its bank. */
  bankAccount?: { last4Digits?: string; bankCode?: string; holder?: string };
  /** The request's parameters that may be stored, by their wire names, maps and lists too: `cart.items[0].name`. */
  echo: Readonly<Record<string, string>>;
  /** merchantMemo: only for reports. */
  memo?: string;
  /** From the risk rules: -99999 to 99999. Absent: not checked. */
  riskScore?: number;
  /** Made on a live channel: its processor moves real money. */
  live?: true;
  /** The errors that a lenient channel accepted. */
  warnings?: readonly { name: string; message: string }[];
  /** The acquirer's answer apart from its code. */
  answer?: Omit<AcquirerAnswer, 'resultCode' | 'account'>;
  /** An explanation beyond the code's description. */
  why?: string;
  /** The checkout of the payment: the ndc of its answers. */
  checkoutId?: string;
  /** The schedule that this payment is a run of. */
  scheduleId?: string;
  /** A capture after which nothing stays held: the acquirer was told that it is the last one. */
  endsHold?: true;
  /** A receipt for money that was already taken: it moves nothing, and nothing follows it. */
  confirms?: true;
  /** No ending is known, and no request waits for one: any query may ask the acquirer. */
  inDoubt?: true;
  /** The registration that an approval stores, while there is no ending: stored together with the ending. */
  stores?: Registration;
};

/** A stored account (spec 2.23). Its secret part is encrypted; deletion destroys the key, and the row stays. */
export type Registration = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  paymentMethod: PaymentMethod;
  paymentBrand: string;
  /** Wall time, ms. */
  at: number;
  /** Wall time, ms, after which it can no longer be used and is destroyed. */
  keptUntil: number;
  state: 'active' | 'deleted';
  /** Absent once deleted. */
  sealed?: SealedAccount;
  /** Keyed hash of the account number, hex: finds equal accounts, and reveals nothing. */
  accountHash: string;
  /** The data that may be shown: the masked account, echo, requestId, descriptor … as JSON. */
  facts: RegistrationFacts;
};

export type RegistrationFacts = {
  requestId: string;
  echo: Readonly<Record<string, string>>;
  card?: KeptCard;
  bankAccount?: Readonly<Record<string, string | undefined>>;
  virtualAccount?: Readonly<Record<string, string>>;
  /** The scheme's reference of the payment that first used it, for later payments without the shopper. */
  initialTransactionId?: string;
  /** The result code of its creation. */
  resultCode: string;
  /** Made on a live channel. */
  live?: true;
  warnings?: readonly { name: string; message: string }[];
};

/** AES-256-GCM under a key of its own, which is wrapped by the vault's key with this id. All base64. */
export type SealedAccount = { keyId: string; wrappedKey: string; box: string };
