/** Signing in and out, and a manager's approval for one action. */
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { disconnectSignal, type Env, may } from '../actor.ts';
import { answer, answers } from '../answers.ts';
import { body, path } from '../checked.ts';
import {
  browserPath,
  browserRow,
  codeRequest,
  overrideAnswer,
  overrideRequest,
  type SignedIn,
  sessionState,
  signedIn as signedInAnswer,
  signInRequest,
  tile,
} from '../contract/session.ts';
import { BROWSER_KEPT_S, browserCookie, sessionCookie } from '../door.ts';
import type { Sessions, SignInOrigin } from '../ports/session.ts';

const cookieOf = (c: Context<Env>): string => sessionCookie(c.req.header('host') ?? '');

/** The token of a known browser, which outlives sessions. */
const browserTokenIn = (c: Context<Env>): string | undefined => getCookie(c, browserCookie(c.req.header('host') ?? ''));

/** Pages send an Origin header and no key; programs do not. */
const entryOf = (c: Context<Env>): SignInOrigin => ({
  browser: browserTokenIn(c),
  isPage: c.req.header('origin') !== undefined && c.get('actor').program === undefined,
  isCommand: c.env?.owner === true,
  gone: disconnectSignal(c),
});

type GrantedSession = { token: string; signedIn: SignedIn; browser?: string };

const setSessionCookies = (c: Context<Env>, { token, signedIn, browser }: GrantedSession): SignedIn => {
  // Not `secure`, because loopback has no TLS. A session cookie: it ends with the browser, and with the till.
  const stored = { httpOnly: true, sameSite: 'Strict', path: '/' } as const;
  setCookie(c, cookieOf(c), token, stored);
  const name = browserCookie(c.req.header('host') ?? '');
  if (browser !== undefined) setCookie(c, name, browser, { ...stored, maxAge: BROWSER_KEPT_S });
  return signedIn;
};

export const sessionRoutes = (sessions: Sessions) =>
  new Hono<Env>()
    .get('/session', answers(sessionState), (c) =>
      answer(c, { shop: sessions.shop(), signedIn: c.get('session'), staffKnown: sessions.staffKnown() }),
    )
    .get('/session/names', answers(z.array(tile)), (c) =>
      answer(c, sessions.names({ browser: browserTokenIn(c), isSignedIn: c.get('session')?.name !== undefined })),
    )
    .post('/session', body(signInRequest), answers(signedInAnswer), async (c) =>
      answer(c, setSessionCookies(c, await sessions.signIn(c.req.valid('json'), c.get('token'), entryOf(c)))),
    )
    .post('/session/code', body(codeRequest), answers(signedInAnswer), (c) =>
      answer(c, setSessionCookies(c, sessions.openAnonymous(c.req.valid('json').code, c.get('token')))),
    )
    .delete('/session', (c) => {
      const token = c.get('token');
      if (token !== undefined) sessions.signOut(token);
      deleteCookie(c, cookieOf(c), { path: '/' });
      return c.body(null, 204);
    })
    /** Reports user input on a page that sends no other requests; `x-idle-ms` says when it was. */
    .post('/session/touch', (c) => c.body(null, 204))
    .post('/override', body(overrideRequest), answers(overrideAnswer), async (c) => {
      const { permission: wanted, ...who } = c.req.valid('json');
      return answer(c, await sessions.override(who, wanted, { ...entryOf(c), asked: c.get('actor') }));
    })
    /** Browsers where a manager has signed in. */
    .get('/browsers', may('manageStaff', sessions), answers(z.array(browserRow)), (c) =>
      answer(c, sessions.browsers(browserTokenIn(c))),
    )
    .delete('/browsers/:id', may('manageStaff', sessions), path(browserPath), (c) => {
      sessions.forgetBrowser(c.req.valid('param').id, c.get('actor'));
      return c.body(null, 204);
    });
