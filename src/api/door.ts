/**
 * The door of the local API. Only the names of this machine lead here (a page elsewhere must not reach the till by a
 * name of its own), a browser's other pages are sent away unless a program's key names them, and what changes something
 * needs the session's own word.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { Fault } from '../base/fault.ts';
import type { Env } from './actor.ts';
import type { SignedIn } from './contract/session.ts';
import type { Actor, Program, Sessions } from './ports/session.ts';

export type DoorParts = {
  sessions: Sessions;
  /** What the header Host may say, port and all. */
  hosts(): readonly string[];
  /** What the header Origin may say of the till's own page; the hosts over http if left out. */
  origins?: (() => readonly string[]) | undefined;
};

/**
 * What the header Host says of a command's request. It is good only where `owner` stands in the bindings: at a port
 * this name would let in whichever page has it lead to this machine. Nothing else differs, so a command has a session,
 * its CSRF token and the permissions of whoever is signed in, as the screens have. No page of a browser can come this
 * way: a browser opens no socket of the file system and no pipe.
 */
export const OWNER_HOST = 'till';

const READS = ['GET', 'HEAD'];
/** Who asks for these is not signed in yet. */
const OPEN = ['/api/session', '/api/session/code', '/api/session/names', '/api/override', '/api/openapi.json'];
/** Whoever comes in has no session's word yet, or an old one. */
const ENTRANCES = ['/api/session', '/api/session/code'];
/** What a program's page may send, and how long the browser need not ask again, s. */
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
    if (!names.includes(host)) throw crossSiteFault('it came by another name than this machine’s');
    const origin = req.header('origin');
    const other = origin !== undefined && !isOwn(origin) ? origin : undefined;
    if (other !== undefined && !sessions.isProgramOrigin(other)) throw crossSiteFault('it came from another page');
    if (other !== undefined) context.set('readableFor', other);
    if (other !== undefined && req.method === 'OPTIONS') return context.body(null, 204, FOR_PROGRAMS);

    const program = programOf(context, sessions);
    if (other !== undefined && program?.origins.includes(other) !== true)
      throw crossSiteFault(
        program === undefined ? 'it came from another page without a key' : 'its key is not for this page',
      );
    // A page elsewhere can show pictures and follow links here: they say what they are, and bring the cookie along.
    if (other === undefined && ['cross-site', 'same-site'].includes(req.header('sec-fetch-site') ?? ''))
      throw crossSiteFault('it came from another page');
    const session = program === undefined ? sessionOf(context, sessions) : undefined;
    if (session !== undefined) refuseWithoutWord(context, session);
    const actor = program ?? session;
    if (actor === undefined && !OPEN.includes(req.path)) throw new Fault('session.needed');
    context.set('actor', actor ?? nobody);
    await next();
  };
};

const nobody: Actor = { permissions: [] };

const crossSiteFault = (why: string): Fault => new Fault('request.foreign', { why });

/** The key that a program brings. */
export const keyIn = (context: Context): string | undefined =>
  /^Bearer +(\S{1,200})$/i.exec(context.req.header('authorization') ?? '')?.[1];

/** Throws `session.needed` for a key that is nobody's: with a cookie beside it nothing else is tried. */
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

/** How long nobody has touched the page that asks: its own word, so that what it asks by itself is no touch. */
const idleOf = (context: Context): number => {
  const told = context.req.header('x-idle-ms') ?? '';
  return /^\d{1,9}$/.test(told) ? Number(told) : 0;
};

/** A form of another page can send the cookie along; it cannot read the session's word. */
const refuseWithoutWord = ({ req }: Context, { csrf }: SignedIn): void => {
  if (READS.includes(req.method) || ENTRANCES.includes(req.path)) return;
  const word = req.header('x-csrf-token');
  if (word === csrf) return;
  // A window that was open before somebody signed in anew has an old word, and is no other page.
  throw word === undefined ? crossSiteFault('it lacks the session’s word') : new Fault('session.changed');
};

// The cookies of a session, and of a browser that a manager has signed in at.

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
