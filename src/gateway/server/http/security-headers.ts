/** Headers of every JSON answer, also of those that no route gives. */

/**
 * `access-control-allow-origin` is left out: callers hold a token, and a token has no business in a browser's page.
 * Pages that a browser shows carry a content policy of their own.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
