/** What whoever moves the money answers, in the names and units of the host API. */
import type { Brand } from '../../emv/brands.ts';

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
