/** What a plain form, sent without a script, is answered: the way on to the bank, or back to the shop. */
import type { Gateway } from '../payments/endpoint.ts';
import type { Answer } from '../payments/response.ts';
import type { Sent } from '../spec/parameters/parser.ts';
import { webUrl } from '../spec/return-url.ts';
import { valuesOf } from './life.ts';
import { returnUrlOf } from './return-url.ts';
import type { Checkout } from './store/checkouts.ts';

type FormAnswerParts = { checkout: Checkout; answer: Answer; sent: Sent };

/** 303 to the bank, or to the shop; as it is where neither is known. Refused parameters too are told to the shop. */
export const formAnswer = (gateway: Gateway, { checkout, answer, sent }: FormAnswerParts): Answer => {
  const address = valuesOf(gateway, checkout)['shopperResultUrl'] ?? sent['shopperResultUrl'];
  const location = bankIn(answer) ?? (address === undefined ? undefined : returnUrlOf(address, checkout));
  return location === undefined ? answer : { ...answer, status: 303, headers: { ...answer.headers, location } };
};

type Redirect = { url: string; method?: string; parameters?: readonly { name: string; value: string }[] };

/** Of an answer that sends the shopper away by GET: a form of his own is what a script must send. */
const bankIn = ({ body }: Answer): string | undefined => {
  const redirect = body['redirect'] as Redirect | undefined;
  if (redirect === undefined || redirect.method === 'POST' || webUrl(redirect.url) === undefined) return undefined;
  const url = new URL(redirect.url);
  for (const { name, value } of redirect.parameters ?? []) url.searchParams.append(name, value);
  return url.href;
};
