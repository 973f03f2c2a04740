/**
 * Access control of the local API. The Host header must be a name of this machine (so that a page elsewhere cannot
 * reach the till by DNS rebinding), requests from other pages are refused unless a program's key lists their origin,
 * and requests that change something need the session's CSRF token.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { Fault } from '../base/fault.ts';
import type { Env } from './actor.ts';
import type { SignedIn } from './contract/session.ts';
import type { Actor, Program, Sessions } from './ports/session.ts';

export type DoorParts = {
  sessions: Sessions;
  /** The allowed values of the Host header, with port. */
  hosts(): readonly string[];
  /** The allowed origins of the till's own page; by default the hosts over http. */
  origins?: (() => readonly string[]) | undefined;
};

/**
 * The Host header of a command's request. It is valid only if `owner` is set in the bindings: on a port it would admit
 * any page that makes this name resolve to this machine. Otherwise a command has a session, a CSRF token and the
 * permissions of the person who is signed in, as the screens do. No page of a browser can come this way: browsers
 * cannot open Unix sockets or pipes.
 */
export const OWNER_HOST = 'till';

const READS = ['GET', 'HEAD'];
/** Paths that need no session. */
const OPEN = ['/api/session', '/api/session/code', '/api/session/names', '/api/override', '/api/openapi.json'];
/** Paths that need no CSRF token: at sign-in there is none yet, or an old one. */
const ENTRANCES = ['/api/session', '/api/session/code'];
/** CORS headers for a program's page; the preflight is valid for this many seconds. */
const FOR_PROGRAMS = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
};

/** Throws `request.foreign`, `session.needed`, `session.changed`. */
export const door = ({ sessions, hosts, origins }: DoorParts): MiddlewareHandler<Env> => {
  const isOwn = (origin: string): boolean =>
    origins === undefined ? hosts().some((host) => origin === `http://${host}`) : origins().includes(origin);

  return async (context, next) => {
    const { req } = context;
    const host = req.header('host') ?? '';
    const names = context.env?.owner === true ? [OWNER_HOST] : hosts();
    if (!names.includes(host)) throw crossSiteFault('the Host header is not a name of this machine');
    const origin = req.header('origin');
    const otherOrigin = origin !== undefined && !isOwn(origin) ? origin : undefined;
    if (otherOrigin !== undefined && !sessions.isProgramOrigin(otherOrigin))
      throw crossSiteFault('it came from another page');
    if (otherOrigin !== undefined) context.set('readableFor', otherOrigin);
    if (otherOrigin !== undefined && req.method === 'OPTIONS') return context.body(null, 204, FOR_PROGRAMS);

    const program = programOf(context, sessions);
    if (otherOrigin !== undefined && program?.origins.includes(otherOrigin) !== true)
      throw crossSiteFault(
        program === undefined ? 'it came from another page without a key' : 'its key is not for this page',
      );
    // Pages elsewhere can load images and follow links here, with the cookie; the browser marks such requests.
    if (otherOrigin === undefined && ['cross-site', 'same-site'].includes(req.header('sec-fetch-site') ?? ''))
      throw crossSiteFault('it came from another page');
    const session = program === undefined ? sessionOf(context, sessions) : undefined;
    if (session !== undefined) requireCsrfToken(context, session);
    const actor = program ?? session;
    if (actor === undefined && !OPEN.includes(req.path)) throw new Fault('session.needed');
    context.set('actor', actor ?? noActor);
    await next();
  };
};

const noActor: Actor = { permissions: [] };

const crossSiteFault = (reason: string): Fault => new Fault('request.foreign', { why: reason });

export const keyIn = (context: Context): string | undefined =>
  /^Bearer +(\S{1,200})$/i.exec(context.req.header('authorization') ?? '')?.[1];

/** Throws `session.needed` for an unknown key, even if there is also a valid cookie. */
const programOf = (context: Context, sessions: Sessions): Program | undefined => {
  if (context.req.header('authorization') === undefined) return undefined;
  const program = sessions.program(keyIn(context) ?? '');
  if (program === undefined) throw new Fault('session.needed');
  return program;
};

const sessionOf = (context: Context<Env>, sessions: Sessions): SignedIn | undefined => {
  const token = getCookie(context, sessionCookie(context.req.header('host') ?? ''));
  if (token === undefined) return undefined;
  const session = sessions.of(token, idleOf(context));
  context.set('token', token);
  if (session !== undefined) context.set('session', session);
  return session;
};

/** The time without user input, ms, as reported by the page, so that its automatic requests do not count as input. */
const idleOf = (context: Context): number => {
  const text = context.req.header('x-idle-ms') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

/** A form on another page can send the cookie, but cannot read the CSRF token. */
const requireCsrfToken = ({ req }: Context, { csrf }: SignedIn): void => {
  if (READS.includes(req.method) || ENTRANCES.includes(req.path)) return;
  const token = req.header('x-csrf-token');
  if (token === csrf) return;
  // A window from before a new sign-in has an old token; that is not a request from another page.
  throw token === undefined ? crossSiteFault('the X-CSRF-Token header is missing') : new Fault('session.changed');
};

// The cookies of a session, and of a browser where a manager has signed in.

/**
 * The cookie's name for this Host: browsers send the cookies of a machine to all its ports, and two tills there need
 * separate sessions.
 */
export const sessionCookie = (host: string): string => {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? 'tillgate' : `tillgate-${port}`;
};

/** The cookie of a known browser. It outlives the session and the browser's end. */
export const browserCookie = (host: string): string => `${sessionCookie(host)}-browser`;

/** 400 days, the maximum in browsers; each sign-in there renews it. */
export const BROWSER_KEPT_S = 400 * 86_400;
