/** Where the shopper goes when the payment has its ending, as all ways of the checkout have it. */
import type { Place } from './checkout.ts';

/** The shop's address with `id` and `resourcePath`; what it had in its query stays. */
export const wayBackOf = (shopperResultUrl: string, { id, kind }: Place): string => {
  const url = new URL(shopperResultUrl);
  url.searchParams.set('id', id);
  url.searchParams.set('resourcePath', `/v1/checkouts/${id}/${kind}`);
  return url.href;
};
