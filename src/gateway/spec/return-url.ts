/**
 * The address at which a shopper returns to the shop (spec 2.31), for every sender: the checkout, the pages of banks,
 * and the widget in the browser. Uses only features that older browsers and other engines have.
 */

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

/**
 * The address if a browser may be sent there: an absolute web address, without spaces or line breaks. Without a user
 * name, which people may mistake for a host.
 */
export const parseWebUrl = (text: string): URL | undefined => {
  const url = /^https?:\/\/[^\s/?#]\S*$/i.test(text) ? parseUrl(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    ? url
    : undefined;
};

/**
 * The shop's address with `id` and `resourcePath`, such as `/v1/checkouts/{id}/payment`, after its own query, which
 * stays as written, and before its fragment. Characters that could end a header line are escaped. Undefined if it is
 * not a web address.
 */
export const returnUrlWith = (address: string, to: { id: string; resourcePath: string }): string | undefined => {
  const url = parseWebUrl(address);
  if (url === undefined) return undefined;
  const { hash } = url;
  url.hash = '';
  const base = url.href.replace(/#$/, '');
  const joint = url.search !== '' ? '&' : base.endsWith('?') ? '' : '?';
  return `${base}${joint}id=${encodeURIComponent(to.id)}&resourcePath=${encodeURIComponent(to.resourcePath)}${hash}`;
};
