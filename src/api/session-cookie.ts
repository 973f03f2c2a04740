/** The cookie that holds a session. */

/**
 * Its name at this Host: a browser brings the cookies of one machine to all its ports, and two tills there have a
 * session each.
 */
export const sessionCookie = (host: string): string => {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? 'tillgate' : `tillgate-${port}`;
};
