/**
 * The interface of an acquirer, which moves the money for the gateway. The simulator is one; an upstream processor is
 * another.
 */
import type { Money } from '../../base/money.ts';
import type { EntryMode } from '../../emv/entry-mode.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import type { AccountKind } from '../spec/brands.ts';
import type { HeldDocuments } from '../store/documents.ts';

/** One authorisation or credit, in the names and units of the host API (spec 2.2 to 2.34). */
export type Authorisation = {
  /** The gateway's payment id, and the acquirer's key for later operations. */
  id: string;
  paymentType: 'PA' | 'DB' | 'CD';
  amount: Money;
  account: AccountKind;
  paymentBrand?: string;
  merchantTransactionId?: string;
  /** A number that came unencrypted, from the vault, or from a decrypted wallet. */
  card?: { number: string; expiryMonth: string; expiryYear: string; cvv?: string; holder?: string };
  pos?: {
    entryMode: EntryMode;
    terminalId: string;
    encryptedSred?: { data: string; ksn: string };
    encryptedPin?: { data: string; ksn: string };
    iccDataRequest?: string;
    panSequenceNumber?: string;
  };
  /** Every parameter of the request by its flat wire name, and the stored account's: `bankAccount.iban`. */
  parameters: Readonly<Record<string, string>>;
  customParameters: Readonly<Record<string, string>>;
  /** The request only authenticates the cardholder, without asking for money. Never reaches an acquirer. */
  only?: 'authentication';
  /** Wall time of the request, ms. */
  at: number;
};

export type Pos = NonNullable<Authorisation['pos']>;

/** A decrypted card, only in memory on its way into the vault. */
export type OpenedCard = { number: string; expiryMonth: string; expiryYear: string; holder?: string };

export type ReferenceOperation =
  | 'capture'
  | 'reverse'
  | 'refund'
  /** Increases an open authorisation (PA on PA). */
  | 'increase'
  /** Debits the same account again (RB). */
  | 'rebill'
  /** The money of a bank transfer arrived (RC). */
  | 'receipt'
  /** The shopper's bank took the money back (CB), or returned it (CR). */
  | 'chargeback'
  | 'chargebackReversal';

/** Whether the request accepts a partial approval. The specification defines no parameter for it. */
export const acceptsPartialAmount = ({ customParameters }: Pick<Authorisation, 'customParameters'>): boolean =>
  customParameters['partialApproval'] === 'true';

/** A follow-up of an operation that this acquirer approved. */
export type Reference = {
  id: string;
  /**
   * The authorisation at the start of the chain; for a refund, chargeback … the id under which the acquirer knows the
   * money.
   */
  of: string;
  /** The payment that the merchant named, if it is another one of the same chain: the refunded capture. */
  parent?: string;
  operation: ReferenceOperation;
  amount: Money;
  /** The same parameters as in an authorisation. */
  parameters: Readonly<Record<string, string>>;
  at: number;
};

export interface Acquirer {
  authorise(request: Authorisation): Promise<AcquirerAnswer>;
  refer(request: Reference): Promise<AcquirerAnswer>;
  /**
   * The outcome of the operation with this id. Undefined: the acquirer never saw it and, from this inquiry on, will
   * never carry it out; the merchant's next equal request is then processed under a new id. A pending code: the shopper
   * has not decided. Throws `host.silent` if the outcome cannot be known yet.
   */
  inquire(id: string, startedAt: number): Promise<AcquirerAnswer | undefined>;
  /**
   * Ends the operation with this id if it still waits for its shopper, so that it can have no effect any more, and
   * returns its final answer; for an operation that has ended, its existing answer. Absent, or a pending code: it
   * cannot be withdrawn, and its shopper may still pay.
   */
  withdraw?(id: string, startedAt: number): Promise<AcquirerAnswer | undefined>;
  /**
   * Decrypts a terminal's card for the gateway's vault, if the acquirer's security module has the terminals' keys and
   * may release the number. Undefined, or absent: it cannot. Requests no money.
   */
  openCard?(pos: Pos, parameters: Readonly<Record<string, string | undefined>>): OpenedCard | undefined;
  /**
   * For an acquirer whose ledger consists of documents in the gateway's own store: answers within the gateway's
   * transaction, so that its effect and the gateway's record are one. Undefined: not possible for this request; call
   * the acquirer.
   */
  authoriseInTransaction?(documents: HeldDocuments, request: Authorisation): Promise<AcquirerAnswer> | undefined;
}
