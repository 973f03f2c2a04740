/**
 * What the gateway keeps, and the interface of whatever keeps it. No field can hold a PIN, a track or a readable card
 * number: the one account that is kept, a registration's, is sealed.
 */
import type { Money } from '../../base/money.ts';
import type { AcquirerAnswer, AcquirerMemory, HeldDocuments } from '../acquirers/acquirer.ts';
import type { Checkouts, HeldCheckouts } from '../checkout/store/checkouts.ts';
import type { SettlementReader, SettlementSession } from '../reports/store/settlement-store.ts';
import type { ScheduleReader, ScheduleWriter } from '../schedules/store/schedules.ts';
import type { HeldNotifications, Notifications } from '../webhooks/store/notifications.ts';
import type { Webhooks } from '../webhooks/store/webhooks.ts';

/** 3D: the cardholder is authenticated and nothing is paid. */
export type StartType = 'PA' | 'DB' | 'CD' | 'PA.CP' | '3D';
export type FollowUp = 'CP' | 'RV' | 'RF' | 'RB' | 'RC' | 'CB' | 'CR' | 'PA';

/** Codes of paymentMethods (spec 2.24): card, direct debit, virtual account, bank transfer, gift card and other, … */
export type PaymentMethod = 'CC' | 'DC' | 'DD' | 'VA' | 'OT' | 'PP' | 'WA' | 'ET' | 'NT' | 'UA';

/** The account as it may be kept: first six, last four. */
export type KeptCard = { bin?: string; last4Digits: string; holder?: string; expiryMonth: string; expiryYear: string };

export type Payment = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  paymentType: StartType | FollowUp;
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
  bankAccount?: Readonly<Record<string, string>>;
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

/** A request that must happen once: its key, and a keyed hash of its canonical body. */
export type Claim = { key: string; fingerprint: string };

/** What an earlier request with this key came to. */
export type Claimed = { fingerprint: string } & (
  | { kind: 'payment'; paymentId: string }
  /** Answered without a payment: these bytes. */
  | { kind: 'answer'; status: number; body: string }
);

export interface Reader {
  payment(id: string): Promise<Payment | undefined>;
  /** What refers to this payment directly and may have happened, oldest first. */
  followersOf(id: string): Promise<readonly Payment[]>;
  registration(id: string): Promise<Registration | undefined>;
}

/** Reads and writes of one transaction. */
export interface Session extends Reader {
  /** The first of these keys that was used, in this order. */
  claimed(keys: readonly string[]): Promise<Claimed | undefined>;
  add(payment: Payment, claims: readonly Claim[]): Promise<void>;
  /** Keeps an answer that no payment stands for. */
  addAnswer(answer: { status: number; body: string }, claims: readonly Claim[]): Promise<void>;
  addRegistration(registration: Registration): Promise<void>;
  /** Writes state, keptUntil, sealed and facts anew. */
  changeRegistration(registration: Registration): Promise<void>;
  /** Risk: one event of each of these subjects (keyed hashes) at this time, of this much. */
  addSightings(sightings: readonly Sighting[]): Promise<void>;
  /** How many sightings of the subject there are from `since` on, and their sum in minor units. */
  sightings(of: { entityId: string; subject: string; since: number }): Promise<{ count: number; minor: bigint }>;
  /** The acquirer's memory. Only what is held stays true in a shared store. */
  readonly documents: HeldDocuments;
  readonly checkouts: HeldCheckouts;
  readonly notifications: HeldNotifications;
  readonly schedules: ScheduleWriter;
  readonly settlements: SettlementSession;
}

export type Sighting = { entityId: string; subject: string; at: number; minor: bigint };

export type Ending = {
  resultCode: string;
  facts: PaymentFacts;
  /** What was approved, where it is less than what was asked for: from then on the payment's amount. */
  amount?: Money;
  /** Nothing was done for its request: its claims are free from then on, and an equal request is a new one. */
  frees?: 'claims';
  /** What the approved payment stores; the payment gets its id. */
  registration?: Registration;
};

export type PaymentQuery = {
  /** The channel's, or those of a merchant's channels. */
  entityId: string | readonly string[];
  merchantTransactionId?: string;
  shortId?: string;
  /** All of this chain. */
  rootId?: string;
  /** Wall time, ms, both included. */
  from?: number;
  to?: number;
  paymentTypes?: readonly string[];
  paymentMethods?: readonly string[];
  /** At most so many, after leaving out so many. */
  limit: number;
  offset?: number;
};

export interface Store extends Reader {
  /** Whether other processes work on the same data at the same time. */
  readonly shared: boolean;
  /**
   * All of it or nothing. Works that name the same thing run one after another, in all processes; within one work
   * everything read stays true. On the disk when it resolves.
   */
  atomically<T>(names: readonly string[], work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Ends a payment that is processing; whether it was this that ended it. One that has ended stays as it is, with its
   * claims: the first ending counts.
   */
  finish(id: string, ending: Ending): Promise<boolean>;
  /** New facts of a payment that is processing and stays so: the shopper has been sent somewhere. */
  note(id: string, facts: PaymentFacts): Promise<void>;
  /** Payments begun before this time (ms) that never ended, oldest first. */
  unfinished(before: number): Promise<readonly Payment[]>;
  /** What fits all of the query, and how many there are in all: of a period the newest first, else the oldest. */
  search(query: PaymentQuery): Promise<{ payments: readonly Payment[]; total: number }>;
  /** Registrations of the channel with this hash that are active. */
  registrationsOf(of: { entityId: string; accountHash: string }): Promise<readonly Registration[]>;
  /** Active registrations sealed under another key than this one, so many: for re-wrapping. */
  sealedUnderOther(keyId: string, limit: number): Promise<readonly Registration[]>;
  /** Active registrations kept until this time (ms) or earlier, the longest overdue first, so many. */
  expiredRegistrations(until: number, limit: number): Promise<readonly Registration[]>;
  /** A small named fact about the whole store, such as which secret it belongs to. */
  fact(name: string): Promise<string | undefined>;
  /** Keeps it if there is none; the one that is kept. */
  keepFact(name: string, value: string): Promise<string>;
  memory: AcquirerMemory;
  readonly checkouts: Checkouts;
  readonly notifications: Notifications;
  readonly schedules: ScheduleReader;
  readonly settlements: SettlementReader;
  readonly webhooks: Webhooks;
  /** Resolves when the engine answers; throws `gateway.state` when it does not. */
  ping(): Promise<void>;
  /**
   * Resolves when something has become durable since it was asked, by itself if by nobody else; throws `gateway.state`
   * when the store takes no writes.
   */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
}
