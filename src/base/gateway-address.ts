/** Where a gateway may be that gets card data and a token: a line that is encrypted, or does not leave this machine. */

const isLocal = (host: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(host);

/** https (http to this machine only), a slash at the end, and no user, query or fragment. */
export const isGatewayAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal(hostname));
  return isSafe && `${username}${password}${search}${hash}` === '' && text.endsWith('/');
};
