/** Who moves the money behind the gateway. The simulator is one; an upstream processor is another. */
import type { Money } from '../../base/money.ts';
import type { Brand } from '../../emv/brands.ts';
import type { EntryMode } from '../../emv/entry-mode.ts';

/** One authorisation or credit, in the names and units of the host API (spec 2.2, 2.5, 2.34). */
export type Authorisation = {
  /** The gateway's payment id; the acquirer's key for later operations. */
  id: string;
  paymentType: 'PA' | 'DB' | 'CD';
  amount: Money;
  merchantTransactionId?: string;
  paymentBrand?: string;
  card?: { number: string; expiryMonth: string; expiryYear: string; cvv?: string; holder?: string };
  pos?: {
    entryMode: EntryMode;
    terminalId: string;
    encryptedSred?: { data: string; ksn: string };
    encryptedPin?: { data: string; ksn: string };
    iccDataRequest?: string;
    panSequenceNumber?: string;
  };
  customParameters: Readonly<Record<string, string>>;
  /** Wall time of the request, ms. */
  at: number;
};

/** A capture, reversal or refund of an authorisation that this acquirer approved. */
export type Reference = {
  id: string;
  of: string;
  operation: 'capture' | 'reverse' | 'refund';
  amount: Money;
  at: number;
};

export type AcquirerAnswer = {
  /** A result code of the catalogue; its prefix says approved, declined, pending or unknown. */
  resultCode: string;
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
  /** Acquirer's own details, for the host API's resultDetails: AcquirerResponse, MerchantAdviceCode. */
  details: Readonly<Record<string, string>>;
};

export interface Acquirer {
  authorise(request: Authorisation): Promise<AcquirerAnswer>;
  refer(request: Reference): Promise<AcquirerAnswer>;
  /**
   * What became of the operation with this id, asked after a crash. Undefined: the acquirer never saw it and never
   * will; the merchant's next equal request is then carried out under another id.
   */
  inquire(id: string): Promise<AcquirerAnswer | undefined>;
}

/** What an acquirer keeps between requests: small named documents in the gateway's own store. */
export interface AcquirerMemory {
  get(key: string): Promise<string | undefined>;
  /** All or nothing; durable when it resolves. */
  set(entries: Readonly<Record<string, string>>): Promise<void>;
}
