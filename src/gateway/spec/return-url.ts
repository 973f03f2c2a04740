/**
 * The address by which a shopper comes back to the shop (spec 2.31), for every place that sends them: the checkout, the
 * pages of banks, and the widget in the browser. Nothing here that an older browser or another engine lacks.
 */

const parsed = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

/**
 * The address if a browser may be sent there: an absolute one of the web, without spaces or line breaks. Not with a
 * user name in it, which looks like another host to people.
 */
export const webUrl = (text: string): URL | undefined => {
  const url = /^https?:\/\/[^\s/?#]\S*$/i.test(text) ? parsed(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    ? url
    : undefined;
};

/**
 * The shop's address with `id` and `resourcePath`, such as `/v1/checkouts/{id}/payment`, behind the query that it has,
 * which stays as it was written; before its fragment. Whatever could end a header's line stands escaped. Undefined for
 * what is no web address.
 */
export const returnUrlWith = (address: string, to: { id: string; resourcePath: string }): string | undefined => {
  const url = webUrl(address);
  if (url === undefined) return undefined;
  const { hash } = url;
  url.hash = '';
  const base = url.href.replace(/#$/, '');
  const joint = url.search !== '' ? '&' : base.endsWith('?') ? '' : '?';
  return `${base}${joint}id=${encodeURIComponent(to.id)}&resourcePath=${encodeURIComponent(to.resourcePath)}${hash}`;
};
