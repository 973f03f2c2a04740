/** Where a shopper is sent to confirm, and the way back. */
import { codes } from '../../../../base/result-codes.ts';
import { returnUrlWith, webUrl } from '../../../spec/return-url.ts';
import type { Authorisation } from '../../acquirer.ts';
import type { MethodRefusal, Visit } from './method.ts';

/** The simulated bank's page for one payment. */
export const visitPath = (id: string): string => `/v1/simulators/bank/${id}`;

const resultUrlMissing: MethodRefusal = {
  refused: codes.parameterInvalid,
  why: 'shopperResultUrl must be an absolute http or https address.',
};

/**
 * The page that asks the shopper and his way back to `shopperResultUrl`, with `id` and `resourcePath` in its query as
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
