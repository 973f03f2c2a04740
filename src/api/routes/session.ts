/** Signing in and out, and a manager's word for one action. */
import { type Context, Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { type Permission, permissions } from '../../staff/roles.ts';
import type { Env } from '../actor.ts';
import { body, name, pin } from '../checked.ts';
import type { SessionState, Sessions, SignedIn } from '../ports/session.ts';
import { sessionCookie } from '../session-cookie.ts';

const permission = z.enum(Object.keys(permissions) as [Permission, ...Permission[]]);

const cookieOf = (c: Context<Env>): string => sessionCookie(c.req.header('host') ?? '');

const keep = (c: Context<Env>, { token, signedIn }: { token: string; signedIn: SignedIn }): SignedIn => {
  // Over loopback there is no TLS that `secure` could ask for. It ends with the browser, and with the till.
  setCookie(c, cookieOf(c), token, { httpOnly: true, sameSite: 'Strict', path: '/' });
  return signedIn;
};

export const sessionRoutes = (sessions: Sessions) =>
  new Hono<Env>()
    .get('/session', (c) => {
      const nobodys = c.get('session') === undefined ? sessions.forNobody() : undefined;
      const signedIn = nobodys === undefined ? c.get('session') : keep(c, nobodys);
      const state: SessionState = {
        shop: sessions.shop(),
        ...(signedIn && { signedIn }),
        staffKnown: sessions.staffKnown(),
      };
      return c.json(state);
    })
    .get('/session/names', (c) => c.json(sessions.names()))
    .post('/session', body(z.strictObject({ name, pin })), async (c) =>
      c.json(keep(c, await sessions.signIn(c.req.valid('json'), c.get('token')))),
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
      return c.json(await sessions.override(who, wanted, c.get('actor')));
    });
