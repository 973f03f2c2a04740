/**
 * `till://app/…`: every request of the page goes over the till's local socket, and its answer comes back as it is,
 * event stream and all. No port is open, and nothing of the till is reachable from a browser.
 */
import type { CookieJar } from './cookie-jar.ts';
import { PAGE } from './shell.ts';

/** `fetch` over the socket; throws when nobody listens there. */
export type SocketFetch = (path: string, request: RequestInit) => Promise<Response>;

export type TillProxy = {
  fetch: SocketFetch;
  cookies: CookieJar;
  /** The shell's own page for as long as the till cannot answer; `posted` is what a form of it sent. */
  ownPage(path: string, posted: URLSearchParams | undefined): Promise<Response | undefined>;
};

const scheme = new URL(PAGE);

/** The answer to one request of the page. Never rejects: a till that is away is a 503 in the API's own shape. */
export const answer = async (request: Request, { fetch, cookies, ownPage }: TillProxy): Promise<Response> => {
  const { host, pathname, search } = new URL(request.url);
  if (host !== scheme.host) return new Response('Not found', { status: 404 });
  const own = await ownPage(pathname, await postedIn(request, pathname));
  if (own !== undefined) return own;
  try {
    const response = await fetch(`${pathname}${search}`, passedOn(request, cookies));
    cookies.take(response.headers.getSetCookie());
    return withoutCookies(response);
  } catch {
    return isPage(request, pathname) ? waiting() : away();
  }
};

/** Forms are the shell's own: the till's page has none. */
const postedIn = async (request: Request, path: string): Promise<URLSearchParams | undefined> =>
  request.method === 'POST' && path.startsWith('/shell/') ? new URLSearchParams(await request.text()) : undefined;

const passedOn = (request: Request, cookies: CookieJar): RequestInit => {
  const headers = new Headers(request.headers);
  for (const name of ['cookie', 'host', 'connection']) headers.delete(name);
  headers.set('origin', PAGE.slice(0, -1));
  const cookie = cookies.header();
  if (cookie !== undefined) headers.set('cookie', cookie);
  const { method, body, signal } = request;
  return { method, headers, signal, ...(body !== null && { body, duplex: 'half' }) } as RequestInit;
};

const withoutCookies = (response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.delete('set-cookie');
  const { status, statusText } = response;
  return new Response(status === 204 || status === 304 ? null : response.body, { status, statusText, headers });
};

const isPage = ({ method }: Request, path: string): boolean => method === 'GET' && !path.startsWith('/api/');

const away = (): Response =>
  Response.json(
    {
      problem: {
        code: 'till.away',
        says: 'The till program does not answer',
        money: 'A sale that is under way is brought to its end by itself, and is not lost.',
        next: 'Wait a moment: it is being started again.',
        remedy: 'retry',
      },
    },
    { status: 503 },
  );

/** Reads itself again until the till is there; no script is needed for that. */
const waiting = (): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Tillgate</title>
<style>body{font:1.5rem system-ui;display:grid;place-content:center;height:100vh;margin:0;text-align:center;color-scheme:light dark}</style></head>
<body><main><h1>Tillgate</h1><p>The till is starting …</p></main></body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': SHELL_POLICY } },
  );

/** Of the shell's own pages: no script at all. */
export const SHELL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";
