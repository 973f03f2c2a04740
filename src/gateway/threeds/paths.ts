/** The paths of the gateway's own 3-D Secure pages, each for one payment. */

/** A page that a browser opens, with its path. */
export type ThreeDsPage = { path: string; handle: (request: Request) => Promise<Response> };

/** The page that a shopper is redirected to. */
export const executePath = (id: string): string => `/v1/threeDSecure/execute/${id}`;
/** The target of the issuer's method step (threeDSMethodNotificationURL). */
export const methodNotificationPath = (id: string): string => `/v1/threeDSecure/method/${id}`;
/** The target of a challenge's CRes (notificationURL). */
export const notificationPath = (id: string): string => `/v1/threeDSecure/notification/${id}`;
/** The target of the directory server's notice of a result (threeDSServerURL); the result itself is requested. */
export const resultsPath = (id: string): string => `/v1/threeDSecure/results/${id}`;
/** The few small scripts of the pages. */
export const scriptPath = (name: string): string => `/v1/threeDSecure/scripts/${name}`;

/** The id in such a path; undefined if it cannot be an id. */
export const lastOf = (url: string): string | undefined =>
  /\/([A-Za-z0-9-]{1,64})\/?$/.exec(new URL(url).pathname)?.[1];
