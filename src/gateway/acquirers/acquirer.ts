/** Who moves the money behind the gateway. The simulator is one; an upstream processor is another. */
import type { Money } from '../../base/money.ts';
import type { Brand } from '../../emv/brands.ts';
import type { EntryMode } from '../../emv/entry-mode.ts';

/** How the account came: which parameters of the request hold it. */
export type AccountKind =
  | 'card'
  | 'pos'
  | 'bankAccount'
  | 'virtualAccount'
  | 'tokenAccount'
  | 'giftCard'
  | 'applePay'
  | 'googlePay'
  | 'samsungPay';

/** One authorisation or credit, in the names and units of the host API (spec 2.2 to 2.34). */
export type Authorisation = {
  /** The gateway's payment id; the acquirer's key for later operations. */
  id: string;
  paymentType: 'PA' | 'DB' | 'CD';
  amount: Money;
  account: AccountKind;
  paymentBrand?: string;
  merchantTransactionId?: string;
  /** A number that travelled in plain, or came out of the vault. Of a decrypted wallet too. */
  card?: { number: string; expiryMonth: string; expiryYear: string; cvv?: string; holder?: string };
  pos?: {
    entryMode: EntryMode;
    terminalId: string;
    encryptedSred?: { data: string; ksn: string };
    encryptedPin?: { data: string; ksn: string };
    iccDataRequest?: string;
    panSequenceNumber?: string;
  };
  /** Every parameter of the request under its flat wire name, and the stored account's: `bankAccount.iban`. */
  parameters: Readonly<Record<string, string>>;
  customParameters: Readonly<Record<string, string>>;
  /** The cardholder is authenticated, and nobody is asked for money. Never reaches who moves it. */
  only?: 'authentication';
  /** Wall time of the request, ms. */
  at: number;
};

export type Pos = NonNullable<Authorisation['pos']>;

/** In memory only, on its way into the vault. */
export type OpenedCard = { number: string; expiryMonth: string; expiryYear: string; holder?: string };

export type ReferenceOperation =
  | 'capture'
  | 'reverse'
  | 'refund'
  /** More on an open authorisation (PA on PA). */
  | 'increase'
  /** Another debit of the same account (RB). */
  | 'rebill'
  /** The money of a bank transfer came in (RC). */
  | 'receipt'
  /** The shopper's bank took it back (CB), and gave it again (CR). */
  | 'chargeback'
  | 'chargebackReversal';

/** Whether the request takes an approval of less than it asks for. The specification is silent on how to say so. */
export const takesPart = ({ customParameters }: Pick<Authorisation, 'customParameters'>): boolean =>
  customParameters['partialApproval'] === 'true';

/** A follow-up of something that this acquirer approved. */
export type Reference = {
  id: string;
  /** The authorisation at the start; of a refund, chargeback … the id under which the acquirer knows the money. */
  of: string;
  /** The payment that the merchant named, when it is another one of the same chain: the capture that is refunded. */
  parent?: string;
  operation: ReferenceOperation;
  amount: Money;
  /** As in an authorisation. */
  parameters: Readonly<Record<string, string>>;
  at: number;
};

/** A step that the shopper's browser takes unseen before it goes on: in a hidden frame (3-D Secure's method). */
export type Precondition = {
  /** Where the step happens: `iframe#hidden`. */
  origin?: string;
  url: string;
  method: 'GET' | 'POST';
  parameters: readonly { name: string; value: string }[];
  /** What is waited for before going on: `iframe#onload`. Whoever waits longer than ten seconds goes on without. */
  waitUntil?: string;
  description?: string;
};

/** Where the shopper's browser must go (spec 2.31). Both lists are there even when empty: clients run over them. */
type Redirect = {
  url: string;
  method: 'GET' | 'POST';
  parameters: readonly { name: string; value: string }[];
  preconditions: readonly Precondition[];
};

export type AcquirerAnswer = {
  /** A result code of the catalogue; its prefix says approved, declined, pending or unknown. */
  resultCode: string;
  /**
   * Of an approval of less than was asked for: what was approved, as the host API writes amounts, in the request's
   * currency. Only where the request takes a part: `customParameters[partialApproval]=true`.
   */
  approvedAmount?: string;
  /** The account as it may be echoed: never the whole number. */
  account?: {
    brand: Brand;
    bin: string;
    last4Digits: string;
    holder?: string;
    expiryMonth: string;
    expiryYear: string;
  };
  /** TLV hex for the chip: 91, 8A, 71, 72. */
  iccDataResponse?: string;
  /** Letters and digits; printed instead of approved or declined. */
  statusText?: string;
  clearing?: { authorizationAcquirerCode: string; authorizationIssuerCode: string; identifier: string };
  merchantId?: string;
  cvvResponse?: string;
  /** A, Z, N, U or F (spec 2.35). */
  avsResponse?: string;
  /** Where the shopper must go before there is an ending: with a pending result code. */
  redirect?: Redirect;
  /** What an authentication on the way here proved, by the names of spec 2.29 without their prefix. */
  threeDSecure?: Readonly<Record<string, string>>;
  /** Where the shopper is to transfer the money to (spec 2.35, merchant.bankAccount). */
  merchantBankAccount?: { holder: string; number: string; bic: string; country: string };
  /** Acquirer's own details, for the host API's resultDetails: AcquirerResponse, MerchantAdviceCode. */
  details: Readonly<Record<string, string>>;
};

export interface Acquirer {
  authorise(request: Authorisation): Promise<AcquirerAnswer>;
  refer(request: Reference): Promise<AcquirerAnswer>;
  /**
   * What became of the operation with this id. Undefined: the acquirer never saw it and, from this question on, never
   * will carry it out; the merchant's next equal request is then carried out under another id. A pending code: still
   * with the shopper. Throws `host.silent` when it cannot know yet.
   */
  inquire(id: string, began: number): Promise<AcquirerAnswer | undefined>;
  /**
   * Ends the operation with this id if it still waits for its shopper, so that nothing can come of it any more, and
   * gives its final answer; of one that has ended already, the answer that it has. Absent, or a pending code: it cannot
   * be taken back, and its shopper may still pay.
   */
  withdraw?(id: string, began: number): Promise<AcquirerAnswer | undefined>;
  /**
   * The card of a terminal's encrypted data, for the gateway's vault: of an acquirer whose security module has the
   * terminals' keys and may give the number to the vault. Undefined, or absent: it cannot. Asks nobody for money.
   */
  openCard?(pos: Pos, parameters: Readonly<Record<string, string | undefined>>): OpenedCard | undefined;
  /**
   * Of an acquirer whose books are documents in the gateway's own store: answers within the gateway's transaction, so
   * that what it does and what the gateway writes of it are one. Undefined: it cannot for this request; ask it.
   */
  authoriseWithin?(documents: HeldDocuments, request: Authorisation): Promise<AcquirerAnswer> | undefined;
}

/** What an acquirer keeps between requests: small named documents in the gateway's own store. */
export interface AcquirerMemory {
  get(key: string): Promise<string | undefined>;
  /**
   * Works that share a name run one after another, in all processes. What a work sets is kept all or nothing, and
   * durable when this resolves; a work that throws changes nothing.
   */
  exclusively<T>(names: readonly string[], work: (documents: Documents) => Promise<T>): Promise<T>;
}

export type DocumentEntry = { key: string; value: string };

export interface Documents {
  get(key: string): Promise<string | undefined>;
  /** Each key once: not every engine takes one twice in a statement. */
  set(entries: readonly DocumentEntry[]): Promise<void>;
}

/** The acquirer's documents inside a work of the gateway. */
export interface HeldDocuments extends Documents {
  /**
   * Takes these names for the rest of the work, as `exclusively` does, and after all names of the gateway's own.
   * Undefined: the work has everything to itself already.
   */
  hold(names: readonly string[]): Promise<void> | undefined;
}
