/** Where a shopper is sent to confirm, and the way back. */
import type { Authorisation } from '../../acquirer.ts';
import type { Refusal, Visit } from './method.ts';

/** The simulated bank's page for one payment. */
export const visitPath = (id: string): string => `/v1/simulators/bank/${id}`;

const notGiven: Refusal = {
  refused: '200.300.404',
  why: 'shopperResultUrl must be an absolute http or https address.',
};

/**
 * The page that asks the shopper and his way back to `shopperResultUrl`, with `id` and `resourcePath` in its query as
 * the host API has it: of the payment, or of what `simulator.resourcePath` names, such as a checkout's. The page's
 * address begins with `simulator.baseUrl`; without that parameter it is a path on the gateway's own host.
 */
export const visitOf = ({ id, parameters }: Authorisation): Visit | Refusal => {
  const back = httpUrl(parameters['shopperResultUrl']);
  if (back === undefined) return notGiven;
  const resourcePath = parameters['simulator.resourcePath'] ?? `/v1/payments/${id}`;
  // `id` is that of the resource: /v1/checkouts/{id}/payment.
  back.searchParams.append('id', resourcePath.split('/')[3] ?? id);
  back.searchParams.append('resourcePath', resourcePath);
  const base = httpUrl(parameters['simulator.baseUrl'])?.href ?? '';
  return {
    url: `${base.replace(/\/+$/, '')}${visitPath(id)}`,
    returnTo: back.href,
    shop: parameters['merchant.name'] ?? back.host,
  };
};

const httpUrl = (text: string | undefined): URL | undefined => {
  const url = text === undefined ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
};
