/** The return URL of a checkout, and the gateway's own call of the same address (spec 2.31, 6). */
import type { Gateway } from '../payments/endpoint.ts';
import type { Answer } from '../payments/response.ts';
import type { Sent } from '../spec/parameters/parser.ts';
import { parseWebUrl, returnUrlWith } from '../spec/return-url.ts';
import type { Checkout } from '../store/checkout-store.ts';
import { valuesOf } from './life.ts';

type CheckoutPlace = Pick<Checkout, 'id' | 'kind'>;

/** The path of the checkout's result: `/v1/checkouts/{id}/payment`. */
export const resourcePathOf = ({ id, kind }: CheckoutPlace): string => `/v1/checkouts/${id}/${kind}`;

/** The shop's address with the checkout's id and path. Undefined if it is not a web address. */
export const returnUrlOf = (address: string, { id, kind }: CheckoutPlace): string | undefined =>
  returnUrlWith(address, { id, resourcePath: resourcePathOf({ id, kind }) });

// The answer to a plain form, sent without a script: a redirect to the bank, or back to the shop.

type FormAnswerParts = { checkout: Checkout; answer: Answer; sent: Sent };

/**
 * 303 to the bank or to the shop; unchanged if neither address is known. Refused parameters are reported to the shop
 * too.
 */
export const formAnswer = (gateway: Gateway, { checkout, answer, sent }: FormAnswerParts): Answer => {
  const address = valuesOf(gateway, checkout)['shopperResultUrl'] ?? sent['shopperResultUrl'];
  const location = bankUrlOf(answer) ?? (address === undefined ? undefined : returnUrlOf(address, checkout));
  return location === undefined ? answer : { ...answer, status: 303, headers: { ...answer.headers, location } };
};

type Redirect = { url: string; method?: string; parameters?: readonly { name: string; value: string }[] };

/** The address of an answer that sends the shopper away by GET: a redirect by POST needs a script. */
const bankUrlOf = ({ body }: Answer): string | undefined => {
  const redirect = body['redirect'] as Redirect | undefined;
  if (redirect === undefined || redirect.method === 'POST' || parseWebUrl(redirect.url) === undefined) return undefined;
  const url = new URL(redirect.url);
  for (const { name, value } of redirect.parameters ?? []) url.searchParams.append(name, value);
  return url.href;
};
