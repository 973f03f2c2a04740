/** The result of reading a request by its payment method: the account it concerns, and any reason to decline. */
import { codes } from '../../../../base/result-codes.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../spec/acquirer-answer.ts';
import { parseWebUrl, returnUrlWith } from '../../../spec/return-url.ts';
import type { ResponseCode } from '../responses.ts';
import { GRAINS_PER_CENT } from '../worth.ts';

export type MethodVerdict = {
  code: ResponseCode;
  /** Overrides the result code that belongs to the response code. */
  resultCode?: string;
  /** The reason in the method's own codes, in place of the response code: `AC04` from a bank. */
  reason?: string;
};

/** The request itself is refused; no bank was asked. */
export type MethodRefusal = {
  /** A result code from the catalogue. */
  refused: string;
  /** A text for the merchant. Names parameters, never the values of an account. */
  why: string;
};

/** Sends the shopper to a page to confirm, before any money moves. */
export type Visit = {
  /** The page that asks the shopper. */
  url: string;
  /** The address that the shopper returns to, with the payment's id in its query. */
  returnTo: string;
  /** The shop's name on the page. */
  shop: string;
};

export type MethodAccount = {
  /** The purse that pays or is paid. Absent: the money comes from outside, and no funds are checked. */
  purse?: {
    /** The account's number, readable. Only its keyed hash is stored. */
    number: string;
    /** Grains in the purse when it is first used. */
    openingBalance: bigint;
    /** The maximum amount that the purse can hold. */
    maximum?: bigint;
  };
  /** Declines every payment, whatever the funds. */
  decline?: MethodVerdict;
  /** The result of the PIN check, for an account with a PIN. */
  pin?: 'none' | 'right' | 'wrong';
  /** The verdict's fields when the purse has too little. */
  shortOfFunds?: Omit<MethodVerdict, 'code'>;
  /** Approves the available part if that is too little and the request accepts a part. */
  paysPart?: true;
  visit?: Visit;
  /** The account as it may be shown. */
  echo?: AcquirerAnswer['account'];
  merchantBankAccount?: AcquirerAnswer['merchantBankAccount'];
  /** Details of the answer; `remaining` is the purse's balance afterwards, absent without a purse. */
  detailsFor?: (code: ResponseCode, remaining: bigint | undefined) => Readonly<Record<string, string>>;
};

/** Reads a request: the same request always gives the same account or refusal. */
export type SimulatedMethod = (
  request: Authorisation,
) => Promise<MethodAccount | MethodRefusal> | MethodAccount | MethodRefusal;

/** Whole euros, in grains. */
export const euros = (units: bigint): bigint => units * 100n * GRAINS_PER_CENT;

/** The funds of an account with no other amount. */
export const unlimitedFunds = euros(10_000_000n);

export const refuseMissing = (name: string): MethodRefusal => ({
  refused: codes.accountMissing,
  why: `${name} is needed.`,
});

// The page where a shopper confirms, and the way back.

/** The simulated bank's page for one payment. */
export const visitPath = (id: string): string => `/v1/simulators/bank/${id}`;

const resultUrlMissing: MethodRefusal = {
  refused: codes.parameterInvalid,
  why: 'shopperResultUrl must be an absolute http or https address.',
};

/**
 * The page that asks the shopper, and the way back to `shopperResultUrl` with `id` and `resourcePath` in its query, as
 * the host API defines: those of the payment, or those of the resource that `simulator.resourcePath` names, such as a
 * checkout's. The page's address begins with `simulator.baseUrl`; without that parameter it is a path on the gateway's
 * own host. The shop has the name given in the payment, otherwise its channel's (`simulator.shop`), otherwise its host.
 */
export const visitOf = ({ id, parameters }: Authorisation): Visit | MethodRefusal => {
  const resourcePath = parameters['simulator.resourcePath'] ?? `/v1/payments/${id}`;
  const shop = parseWebUrl(parameters['shopperResultUrl'] ?? '');
  // `id` is the resource's: /v1/checkouts/{id}/payment.
  const returnTo = shop && returnUrlWith(shop.href, { id: resourcePath.split('/')[3] ?? id, resourcePath });
  if (shop === undefined || returnTo === undefined) return resultUrlMissing;
  const base = parseWebUrl(parameters['simulator.baseUrl'] ?? '')?.href ?? '';
  return {
    url: `${base.replace(/\/+$/, '')}${visitPath(id)}`,
    returnTo,
    shop: parameters['merchant.name'] ?? parameters['simulator.shop'] ?? shop.host,
  };
};
