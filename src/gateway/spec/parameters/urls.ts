/** URLs as parameters: absolute, and such that following them runs nothing (RFC 3986; the URL standard's parser). */

/** Schemes whose "address" is a program or a file of the one who follows it. */
const UNSAFE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

/** An absolute URL of a website or an app: `scheme://…`. */
export const isAbsoluteUrl = (text: string): boolean => {
  const url = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S/.test(text) ? URL.parse(text) : null;
  return url !== null && !UNSAFE.has(url.protocol);
};

/** An absolute URL of the web. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text);
