/** The cookies of a session, and of a browser that a manager has signed in at. */

/**
 * Its name at this Host: a browser brings the cookies of one machine to all its ports, and two tills there have a
 * session each.
 */
export const sessionCookie = (host: string): string => {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? 'tillgate' : `tillgate-${port}`;
};

/** The cookie of a known browser, beside the session's. It outlives the session and the browser's end. */
export const browserCookie = (host: string): string => `${sessionCookie(host)}-browser`;

/** 400 days, the longest that browsers keep one; each sign-in there begins it anew. */
export const BROWSER_KEPT_S = 400 * 86_400;
