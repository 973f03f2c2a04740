/**
 * `till://app/…`: passes every request of the page over the till's local socket and returns the answer unchanged,
 * including event streams. No port is open, and a browser cannot reach the till.
 */
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { type Clock, pause } from '../src/base/clock.ts';
import type { CookieJar } from './cookie-jar.ts';
import { PAGE } from './shell.ts';
import { awayPage, awayProblem } from './shell-state.ts';

/** `fetch` over the socket; throws if nothing listens there. */
type SocketFetch = (path: string, request: RequestInit) => Promise<Response>;

export type TillProxy = {
  fetch: SocketFetch;
  cookies: CookieJar;
  /** The shell's own page while the till cannot answer; `posted` is the content of a form of that page. */
  ownPage(path: string, posted: URLSearchParams | undefined): Promise<Response | undefined>;
  /** Aborts as soon as the till stops answering: requests for pages and event streams are then not waited for. */
  silence(): AbortSignal;
  clock: Clock;
  /** The code of the till's start: opens its screens while no staff exist. The page never sees it. */
  code: string;
};

const scheme = new URL(PAGE);
/** Longer than the shell needs to restart a till that hangs. */
const PART_MS = 5 * 60_000;
const PART_AGAIN_MS = 500;

/** The answer to one request of the page. Never rejects: without a till it is a 503 in the API's own format. */
export const answer = async (request: Request, proxy: TillProxy): Promise<Response> => {
  const { ownPage } = proxy;
  const { host, pathname, search } = new URL(request.url);
  if (host !== scheme.host) return new Response('Not found', { status: 404 });
  if (isPart(pathname)) return waitForPart(`${pathname}${search}`, request, proxy);
  const localAnswer = await ownPage(pathname, await postedForm(request, pathname));
  if (localAnswer !== undefined) return localAnswer;
  try {
    const path = `${pathname}${search}`;
    const response = await send(path, request, proxy);
    const isSigningIn = pathname === '/api/session' && request.method === 'GET' && (await isForWindow(response));
    return isSigningIn && (await bringCode(proxy)) ? await send(path, request, proxy) : response;
  } catch {
    const statePage = await ownPage(pathname, undefined);
    return statePage ?? (isPage(request, pathname) ? awayPage('starting') : awayProblem());
  }
};

/** A script, style or font of the page: their names have an extension, the page's routes have none. */
const isPart = (path: string): boolean => !path.startsWith('/api/') && /\.\w+$/.test(path);

/**
 * A part waits until the till is back: without it the page would break, and stay broken when the till answers again.
 */
const waitForPart = async (path: string, request: Request, proxy: TillProxy): Promise<Response> => {
  const { clock } = proxy;
  const end = clock.monotonic() + PART_MS;
  for (;;) {
    try {
      return await send(path, request, proxy);
    } catch {
      if (request.signal.aborted || clock.monotonic() >= end) return new Response('The till is away', { status: 503 });
      await pause(clock, PART_AGAIN_MS);
    }
  }
};

const send = async (path: string, request: Request, proxy: TillProxy): Promise<Response> => {
  const { fetch, cookies } = proxy;
  const response = await fetch(path, { ...forwarded(request, cookies), signal: signalOf(request, proxy) });
  cookies.take(response.headers.getSetCookie());
  return withoutCookies(response);
};

const signalOf = (request: Request, { silence }: TillProxy): AbortSignal => {
  const { headers, signal, url } = request;
  const isStream = headers.get('accept') === 'text/event-stream';
  return isStream || isPage(request, new URL(url).pathname) ? AbortSignal.any([signal, silence()]) : signal;
};

/** The till has no staff, and no session for this window: it was just started or restarted. */
const isForWindow = async (response: Response): Promise<boolean> => {
  if (!response.ok) return false;
  const { staffKnown, signedIn } = (await response.clone().json()) as { staffKnown?: boolean; signedIn?: object };
  return staffKnown === false && signedIn === undefined;
};

const bringCode = async (proxy: TillProxy): Promise<boolean> => {
  const headers = { 'content-type': 'application/json' };
  const request = new Request(`${PAGE}api/session/code`, { method: 'POST', headers });
  const { fetch, cookies, code } = proxy;
  const opened = await fetch('/api/session/code', { ...forwarded(request, cookies), body: JSON.stringify({ code }) });
  cookies.take(opened.headers.getSetCookie());
  await opened.body?.cancel();
  return opened.ok;
};

/** Only the shell's own pages have forms. */
const postedForm = async (request: Request, path: string): Promise<URLSearchParams | undefined> =>
  request.method === 'POST' && path.startsWith('/shell/') ? new URLSearchParams(await request.text()) : undefined;

const forwarded = (request: Request, cookies: CookieJar): RequestInit => {
  const headers = new Headers(request.headers);
  for (const name of ['cookie', 'host', 'connection']) headers.delete(name);
  headers.set('origin', PAGE.slice(0, -1));
  const cookie = cookies.header();
  if (cookie !== undefined) headers.set('cookie', cookie);
  const { method, body } = request;
  return { method, headers, ...(body !== null && { body, duplex: 'half' }) } as RequestInit;
};

const withoutCookies = (response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.delete('set-cookie');
  const { status, statusText } = response;
  return new Response(status === 204 || status === 304 ? null : response.body, { status, statusText, headers });
};

const isPage = ({ method }: Request, path: string): boolean =>
  method === 'GET' && !path.startsWith('/api/') && !isPart(path);

// The local socket between window and till: a file that only this user may open, or a named pipe on Windows.

/**
 * A new one for each start, so that no other program can wait where the till will listen. `id` is fresh and
 * unguessable.
 */
export const socketPath = ({ platform, folder, id }: { platform: string; folder: string; id: string }): string =>
  platform === 'win32' ? `\\\\.\\pipe\\tillgate-${id}` : join(folder, `till-${id.slice(0, 8)}.sock`);

/** `fetch` over that socket. No time limit for bodies: the event stream stays open for days. */
export const fetchOver = (socket: string): SocketFetch => {
  const dispatcher = new Agent({ connect: { socketPath: socket }, bodyTimeout: 0, headersTimeout: 120_000 });
  return async (path, request) =>
    (await undiciFetch(`http://localhost${path}`, { ...request, dispatcher } as never)) as unknown as Response;
};
