/** Who moves the money behind the gateway. The simulator is one; an upstream processor is another. */
import type { Money } from '../../base/money.ts';
import type { EntryMode } from '../../emv/entry-mode.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import type { AccountKind } from '../spec/brands.ts';
import type { HeldDocuments } from '../store/documents.ts';

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
