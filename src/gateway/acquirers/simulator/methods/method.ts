/** What every payment method says of a request: whose money it is about, and what stands against the payment. */
import { codes } from '../../../../base/result-codes.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../spec/acquirer-answer.ts';
import { returnUrlWith, webUrl } from '../../../spec/return-url.ts';
import type { ResponseCode } from '../responses.ts';
import { GRAINS_PER_CENT } from '../worth.ts';

export type MethodVerdict = {
  code: ResponseCode;
  /** Instead of the result code that the response code stands for. */
  resultCode?: string;
  /** The reason in the method's own codes, instead of the response code: `AC04` of a bank. */
  reason?: string;
};

/** The request is refused as it stands; no bank was asked. */
export type MethodRefusal = {
  /** A result code of the catalogue. */
  refused: string;
  /** For the merchant's eyes. Names parameters, never the values of an account. */
  why: string;
};

/** Sends the shopper away to confirm, before any money moves. */
export type Visit = {
  /** The page that asks the shopper. */
  url: string;
  /** Where the shopper comes back to, with the payment's id in its query. */
  returnTo: string;
  /** The shop, as the page names it. */
  shop: string;
};

export type MethodAccount = {
  /** The purse that pays or is paid. Absent: the money comes from outside, and there are no funds to look at. */
  purse?: {
    /** Which one: the account's number, readable. Only a keyed hash of it is kept. */
    number: string;
    /** Grains that it holds when it is first seen. */
    opening: bigint;
    /** The most it may hold. */
    most?: bigint;
  };
  /** What stands against every payment, whatever the funds. */
  against?: MethodVerdict;
  /** How the PIN was, for an account that has one. */
  pin?: 'none' | 'right' | 'wrong';
  /** Said beside the response code when there is not enough in the purse. */
  shortOfFunds?: Omit<MethodVerdict, 'code'>;
  /** Pays what it has where that is too little, and the request takes a part. */
  paysPart?: true;
  visit?: Visit;
  /** As it may be shown. */
  echo?: AcquirerAnswer['account'];
  merchantBankAccount?: AcquirerAnswer['merchantBankAccount'];
  /** Details of the answer; `left` is what the purse holds after it. Absent without a purse. */
  tells?: (code: ResponseCode, left: bigint | undefined) => Readonly<Record<string, string>>;
};

/** Reads a request: the same one always gives the same account or refusal. */
export type SimulatedMethod = (
  request: Authorisation,
) => Promise<MethodAccount | MethodRefusal> | MethodAccount | MethodRefusal;

/** Whole euros, in grains. */
export const euros = (units: bigint): bigint => units * 100n * GRAINS_PER_CENT;

/** An account that says nothing else is rich. */
export const rich = euros(10_000_000n);

export const missing = (name: string): MethodRefusal => ({ refused: codes.accountMissing, why: `${name} is needed.` });

// Where a shopper is sent to confirm, and the way back.

/** The simulated bank's page for one payment. */
export const visitPath = (id: string): string => `/v1/simulators/bank/${id}`;

const resultUrlMissing: MethodRefusal = {
  refused: codes.parameterInvalid,
  why: 'shopperResultUrl must be an absolute http or https address.',
};

/**
 * The page that asks the shopper and the way back to `shopperResultUrl`, with `id` and `resourcePath` in its query as
 * the host API has it: of the payment, or of what `simulator.resourcePath` names, such as a checkout's. The page's
 * address begins with `simulator.baseUrl`; without that parameter it is a path on the gateway's own host. The shop is
 * called as the payment calls it, else as its channel (`simulator.shop`), else by its host.
 */
export const visitOf = ({ id, parameters }: Authorisation): Visit | MethodRefusal => {
  const resourcePath = parameters['simulator.resourcePath'] ?? `/v1/payments/${id}`;
  const shop = webUrl(parameters['shopperResultUrl'] ?? '');
  // `id` is that of the resource: /v1/checkouts/{id}/payment.
  const returnTo = shop && returnUrlWith(shop.href, { id: resourcePath.split('/')[3] ?? id, resourcePath });
  if (shop === undefined || returnTo === undefined) return resultUrlMissing;
  const base = webUrl(parameters['simulator.baseUrl'] ?? '')?.href ?? '';
  return {
    url: `${base.replace(/\/+$/, '')}${visitPath(id)}`,
    returnTo,
    shop: parameters['merchant.name'] ?? parameters['simulator.shop'] ?? shop.host,
  };
};
