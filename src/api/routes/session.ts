/** Signing in and out, and a manager's word for one action. */
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { type Env, goneOf, may } from '../actor.ts';
import { body, name, path, pin } from '../checked.ts';
import { BROWSER_KEPT_S, browserCookie, sessionCookie } from '../door.ts';
import { type Permission, permissions } from '../ports/roles.ts';
import type { SessionState, Sessions, SignedIn, SignInOrigin } from '../ports/session.ts';

const permission = z.enum(Object.keys(permissions) as [Permission, ...Permission[]]);

const cookieOf = (c: Context<Env>): string => sessionCookie(c.req.header('host') ?? '');

/** The word of a known browser, which it keeps for longer than a session. */
const wordIn = (c: Context<Env>): string | undefined => getCookie(c, browserCookie(c.req.header('host') ?? ''));

/** A program brings no origin of its own page, or a key. */
const entryOf = (c: Context<Env>): SignInOrigin => ({
  browser: wordIn(c),
  isPage: c.req.header('origin') !== undefined && c.get('actor').program === undefined,
  isCommand: c.env?.owner === true,
  gone: goneOf(c),
});

const browserId = z.string().regex(/^[0-9a-f]{16}$/, wantWords.browser);

type Let = { token: string; signedIn: SignedIn; browser?: string };

const keep = (c: Context<Env>, { token, signedIn, browser }: Let): SignedIn => {
  // Over loopback there is no TLS that `secure` could ask for. It ends with the browser, and with the till.
  const kept = { httpOnly: true, sameSite: 'Strict', path: '/' } as const;
  setCookie(c, cookieOf(c), token, kept);
  const name = browserCookie(c.req.header('host') ?? '');
  if (browser !== undefined) setCookie(c, name, browser, { ...kept, maxAge: BROWSER_KEPT_S });
  return signedIn;
};

export const sessionRoutes = (sessions: Sessions) =>
  new Hono<Env>()
    .get('/session', (c) => {
      const signedIn = c.get('session');
      const state: SessionState = { shop: sessions.shop(), signedIn, staffKnown: sessions.staffKnown() };
      return c.json(state);
    })
    .get('/session/names', (c) =>
      c.json(sessions.names({ browser: wordIn(c), isSignedIn: c.get('session')?.name !== undefined })),
    )
    .post('/session', body(z.strictObject({ name, pin })), async (c) =>
      c.json(keep(c, await sessions.signIn(c.req.valid('json'), c.get('token'), entryOf(c)))),
    )
    .post('/session/code', body(z.strictObject({ code: z.string().min(1).max(100) })), (c) =>
      c.json(keep(c, sessions.forNobody(c.req.valid('json').code, c.get('token')))),
    )
    .delete('/session', (c) => {
      const token = c.get('token');
      if (token !== undefined) sessions.signOut(token);
      deleteCookie(c, cookieOf(c), { path: '/' });
      return c.body(null, 204);
    })
    /** Somebody is there, though the page asks for nothing else: `x-idle-ms` says since when. */
    .post('/session/touch', (c) => c.body(null, 204))
    .post('/override', body(z.strictObject({ name, pin, permission })), async (c) => {
      const { permission: wanted, ...who } = c.req.valid('json');
      return c.json(await sessions.override(who, wanted, { ...entryOf(c), asked: c.get('actor') }));
    })
    /** Browsers that a manager has signed in at. */
    .get('/browsers', may('manageStaff', sessions), (c) => c.json(sessions.browsers(wordIn(c))))
    .delete('/browsers/:id', may('manageStaff', sessions), path(z.object({ id: browserId })), (c) => {
      sessions.forgetBrowser(c.req.valid('param').id, c.get('actor'));
      return c.body(null, 204);
    });
