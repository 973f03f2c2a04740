/** The return URL of a checkout, and the gateway's own call of the same address (spec 2.31, 6). */
import type { Gateway } from '../payments/endpoint.ts';
import type { Answer } from '../payments/response.ts';
import type { Sent } from '../spec/parameters/parser.ts';
import { returnUrlWith, webUrl } from '../spec/return-url.ts';
import type { Checkout } from '../store/checkout-store.ts';
import { valuesOf } from './life.ts';

type Place = Pick<Checkout, 'id' | 'kind'>;

/** What tells how the checkout ended: `/v1/checkouts/{id}/payment`. */
export const resourcePathOf = ({ id, kind }: Place): string => `/v1/checkouts/${id}/${kind}`;

/** The shop's address with the checkout's id and path. Undefined for what is no address of the web. */
export const returnUrlOf = (address: string, { id, kind }: Place): string | undefined =>
  returnUrlWith(address, { id, resourcePath: resourcePathOf({ id, kind }) });

// What a plain form, sent without a script, is answered: the way on to the bank, or back to the shop.

type FormAnswerParts = { checkout: Checkout; answer: Answer; sent: Sent };

/** 303 to the bank, or to the shop; as it is where neither is known. Refused parameters too are told to the shop. */
export const formAnswer = (gateway: Gateway, { checkout, answer, sent }: FormAnswerParts): Answer => {
  const address = valuesOf(gateway, checkout)['shopperResultUrl'] ?? sent['shopperResultUrl'];
  const location = bankIn(answer) ?? (address === undefined ? undefined : returnUrlOf(address, checkout));
  return location === undefined ? answer : { ...answer, status: 303, headers: { ...answer.headers, location } };
};

type Redirect = { url: string; method?: string; parameters?: readonly { name: string; value: string }[] };

/** Of an answer that sends the shopper away by GET: a form of its own is what a script must send. */
const bankIn = ({ body }: Answer): string | undefined => {
  const redirect = body['redirect'] as Redirect | undefined;
  if (redirect === undefined || redirect.method === 'POST' || webUrl(redirect.url) === undefined) return undefined;
  const url = new URL(redirect.url);
  for (const { name, value } of redirect.parameters ?? []) url.searchParams.append(name, value);
  return url.href;
};
