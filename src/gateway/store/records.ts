/**
 * Payments and stored accounts as the gateway keeps them. No field can hold a PIN, a track or a readable card number:
 * the one account that is kept, a registration's, is sealed.
 */
import type { Money } from '../../base/money.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import type { PaymentMethod } from '../spec/brands.ts';

/** 3D: the cardholder is authenticated and nothing is paid. */
export type StartType = 'PA' | 'DB' | 'CD' | 'PA.CP' | '3D';
export type FollowUpType = 'CP' | 'RV' | 'RF' | 'RB' | 'RC' | 'CB' | 'CR' | 'PA';

/** The account as it may be kept: first six, last four. */
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
  /** `dddd.dddd.dddd`: what people read out. */
  shortId: string;
  merchantTransactionId?: string;
  /** The payment that this one captures, reverses, refunds … */
  referencedId?: string;
  /** The payment at the start of its chain, its own id if it is that one. All of a chain are "linked" (spec 2.24). */
  rootId: string;
  /** The registration that it stored, or was charged on. */
  registrationId?: string;
  facts: PaymentFacts;
} & ({ state: 'processing' } | { state: 'done'; resultCode: string });

/** What is only ever read back whole. */
export type PaymentFacts = {
  descriptor: string;
  /** Which merchant request it was: ends the answer's ndc. 32 hex digits. */
  requestId: string;
  /** What the acquirer knows the money by: this payment's own id, or the one at the start of its chain. */
  acquirerId: string;
  paymentBrand?: string;
  /** The brand that was found out because none was sent. */
  brandResult?: string;
  card?: KeptCard;
  /** Of a bank account what reports show: the last four of its number, and its bank. */
  bankAccount?: { last4Digits?: string; bankCode?: string; holder?: string };
  /** Harmless parameters of the request, under their wire names, maps and lists too: `cart.items[0].name`. */
  echo: Readonly<Record<string, string>>;
  /** merchantMemo: for reports alone. */
  memo?: string;
  /** Of the risk rules: -99999 to 99999. Absent: nothing was screened. */
  riskScore?: number;
  /** Made on a live channel: its processor moves real money. */
  live?: true;
  /** What a lenient channel let pass. */
  warnings?: readonly { name: string; message: string }[];
  /** What the acquirer said beside its code. */
  answer?: Omit<AcquirerAnswer, 'resultCode' | 'account'>;
  /** A sentence more than the code's description says. */
  why?: string;
  /** The checkout that it was paid in: the ndc of its answers. */
  checkoutId?: string;
  /** The schedule that it is a run of. */
  scheduleId?: string;
  /** A capture after which nothing stays held: the acquirer was told that it is the last one. */
  endsHold?: true;
  /** A receipt of money that was taken before: nothing moves with it, and nothing follows it. */
  confirms?: true;
  /** No ending was told, and nobody waits for one: whoever looks may ask the acquirer. */
  inDoubt?: true;
  /** What an approval stores, while there is no ending: whoever finds the ending stores it. */
  stores?: Registration;
};

/** A stored account (spec 2.23). Its secret part is sealed; deleting destroys the seal's key, and the row stays. */
export type Registration = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  paymentMethod: PaymentMethod;
  paymentBrand: string;
  /** Wall time, ms. */
  at: number;
  /** Wall time, ms, after which it can be used no more and is destroyed. */
  keptUntil: number;
  state: 'active' | 'deleted';
  /** Absent once deleted. */
  sealed?: SealedAccount;
  /** Keyed hash of the account number, hex: finds equal accounts, and tells nothing. */
  accountHash: string;
  /** What may be shown: the masked account, echo, requestId, descriptor … as JSON has it. */
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

/** AES-256-GCM under a key of its own, which is wrapped by the vault's key of this id. All base64. */
export type SealedAccount = { keyId: string; wrappedKey: string; box: string };
