/** Headers of every JSON answer, including those outside of all routes. */

/**
 * `access-control-allow-origin` is left out: callers have a token, and a token does not belong in a browser's page.
 * Pages for a browser have their own content security policy.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
