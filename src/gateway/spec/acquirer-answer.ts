/** An acquirer's answer, in the names and units of the host API. */
import type { Brand } from '../../emv/brands.ts';

/** A hidden step of the shopper's browser before the redirect: in a hidden frame (3-D Secure's method). */
export type Precondition = {
  /** The place of the step: `iframe#hidden`. */
  origin?: string;
  url: string;
  method: 'GET' | 'POST';
  parameters: readonly { name: string; value: string }[];
  /** The event to wait for before continuing: `iframe#onload`; at most ten seconds. */
  waitUntil?: string;
  description?: string;
};

/**
 * The redirect of the shopper's browser (spec 2.31). Both lists are present even if empty: clients iterate over them.
 */
type Redirect = {
  url: string;
  method: 'GET' | 'POST';
  parameters: readonly { name: string; value: string }[];
  preconditions: readonly Precondition[];
};

export type AcquirerAnswer = {
  /** A result code of the catalogue; its prefix tells approved, declined, pending or unknown. */
  resultCode: string;
  /**
   * The approved amount of a partial approval, as the host API writes amounts, in the request's currency. Only if the
   * request accepts a part: `customParameters[partialApproval]=true`.
   */
  approvedAmount?: string;
  /** The account as it may be returned: never the whole number. */
  account?: {
    brand: Brand;
    bin: string;
    last4Digits: string;
    holder?: string;
    expiryMonth: string;
    expiryYear: string;
  };
  /** TLV as hex, for the chip: 91, 8A, 71, 72. */
  iccDataResponse?: string;
  /** Letters and digits; printed in place of approved or declined. */
  statusText?: string;
  clearing?: { authorizationAcquirerCode: string; authorizationIssuerCode: string; identifier: string };
  merchantId?: string;
  cvvResponse?: string;
  /** A, Z, N, U or F (spec 2.35). */
  avsResponse?: string;
  /** The page that the shopper must visit before there is an ending: with a pending result code. */
  redirect?: Redirect;
  /** The result of a 3-D Secure authentication before the payment, by the names of spec 2.29 without their prefix. */
  threeDSecure?: Readonly<Record<string, string>>;
  /** The account that the shopper is to transfer to (spec 2.35, merchant.bankAccount). */
  merchantBankAccount?: { holder: string; number: string; bic: string; country: string };
  /** The acquirer's own details, for the host API's resultDetails: AcquirerResponse, MerchantAdviceCode. */
  details: Readonly<Record<string, string>>;
};
