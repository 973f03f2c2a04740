/** Where the gateway's own 3-D Secure pages stand, each for one payment. */

/** A page that a browser opens, by its route. */
export type ThreeDsPage = { path: string; handle: (request: Request) => Promise<Response> };

/** Whither a shopper is sent. */
export const executePath = (id: string): string => `/v1/threeDSecure/execute/${id}`;
/** Whither the issuer's method step reports (threeDSMethodNotificationURL). */
export const methodNotificationPath = (id: string): string => `/v1/threeDSecure/method/${id}`;
/** Whither a challenge brings its CRes (notificationURL). */
export const notificationPath = (id: string): string => `/v1/threeDSecure/notification/${id}`;
/** Whither the directory says that there is a result (threeDSServerURL); the result itself is asked for. */
export const resultsPath = (id: string): string => `/v1/threeDSecure/results/${id}`;
/** The few small scripts of the pages. */
export const scriptPath = (name: string): string => `/v1/threeDSecure/scripts/${name}`;

/** The id in such a path; undefined for what can be none. */
export const lastOf = (url: string): string | undefined =>
  /\/([A-Za-z0-9-]{1,64})\/?$/.exec(new URL(url).pathname)?.[1];
