/** The shopper's way back to the shop, and the gateway's own call of the same address (spec 2.31, 6). */
import type { Checkout } from '../store/checkouts.ts';

/** What tells how the checkout ended: `/v1/checkouts/{id}/payment`. */
export const resourcePathOf = ({ id, kind }: Pick<Checkout, 'id' | 'kind'>): string => `/v1/checkouts/${id}/${kind}`;

/**
 * Whether a browser may be sent there: an absolute address of the web, without spaces or line breaks. Not with a user
 * name in it, which looks like another host to people.
 */
export const isWayBack = (text: string): boolean => {
  const url = /^https?:\/\/[^\s/?#]\S*$/i.test(text) ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

/**
 * The address with `id` and `resourcePath` behind the query that it has, which stays as it was written; before its
 * fragment. Whatever could end a header's line stands escaped. Undefined for what isWayBack refuses.
 */
export const wayBackTo = (address: string, checkout: Pick<Checkout, 'id' | 'kind'>): string | undefined => {
  if (!isWayBack(address)) return undefined;
  const url = new URL(address);
  const { hash } = url;
  url.hash = '';
  const base = url.href.replace(/#$/, '');
  const joint = url.search !== '' ? '&' : base.endsWith('?') ? '' : '?';
  const resourcePath = encodeURIComponent(resourcePathOf(checkout));
  return `${base}${joint}id=${encodeURIComponent(checkout.id)}&resourcePath=${resourcePath}${hash}`;
};
