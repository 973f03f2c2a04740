/** The till's screens on scripted services: the real API and the real page, with a scripted till behind it. */
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join, relative } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { type ApiPorts, localApi } from '../../../src/api/app.ts';
import type { ApiEvent } from '../../../src/api/contract/events.ts';
import { type Permission, permissionsOf, type Role } from '../../../src/api/contract/roles.ts';
import type { ShopFacts, SignedIn } from '../../../src/api/contract/session.ts';
import { sessionCookie } from '../../../src/api/door.ts';
import type { Events } from '../../../src/api/ports/events.ts';
import type { Actor, Sessions } from '../../../src/api/ports/session.ts';
import { Fault } from '../../../src/base/fault.ts';
import { answerCheck } from '../api/api-answers.ts';

/** Events go to all listeners. */
export const scriptedEvents = (): Events => {
  const listeners = new Set<(event: ApiEvent) => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(event) {
      for (const listener of listeners) listener(event);
    },
  };
};

/** For other people, another shop, or a till without people. */
export type SessionScript = {
  people?: Record<string, Role>;
  shop?: Partial<ShopFacts>;
  /** Idle time before the session locks, ms. */
  lockAfterMs?: number;
  /** A browser that no manager has signed in at: it shows no names. */
  isStrange?: boolean;
};

export type ScriptedSessions = Sessions & {
  /** Ends the session from the till's side, as happens after an idle time. */
  end(): void;
  /** Permissions for which a manager's approval was used up. */
  spentApprovals: Permission[];
};

const SHOP: ShopFacts = {
  name: 'NORDWIND BAKERY',
  terminalId: '12345678',
  currency: 'EUR',
  exponent: 2,
  timeZone: 'Europe/Berlin',
  language: 'en',
  tipPercents: [5, 10, 15, 20],
  version: '0.1.0',
  mode: 'test',
};
const PEOPLE: Record<string, Role> = { Anna: 'cashier', Max: 'manager', Tess: 'technician' };
const PIN = '4711';
/** Opens a session without a person when there are no people. */
export const START_CODE = 'code-of-this-start';
const TRIES = 5;

/** Handles PINs like the till's own sessions: a wrong one is refused, and after five nobody may try for a while. */
const scriptedDoor = (people: Readonly<Record<string, Role>>) => {
  const wrong = new Map<string, number>();
  return ({ name, pin }: { name: string; pin: string }): Role => {
    const tryCount = wrong.get(name) ?? 0;
    if (tryCount >= TRIES) throw new Fault('staff.locked', { minutes: 1 });
    const role = people[name];
    if (role !== undefined && pin === PIN) return role;
    wrong.set(name, tryCount + 1);
    throw new Fault('staff.refused');
  };
};

/**
 * Anna, Max and Tess with the PIN 4711. The first person with the role `role` is signed in from the start, with a
 * cookie of any value.
 */
export const scriptedSessions = (role: Role | undefined = 'cashier', script: SessionScript = {}): ScriptedSessions => {
  const { people = PEOPLE, shop, lockAfterMs = 300_000, isStrange = false } = script;
  const isKnown = Object.keys(people).length > 0;
  const signed = (name: string, role: Role): SignedIn => ({
    name,
    role,
    permissions: permissionsOf(role),
    csrf: 'a-word',
    lockAfterMs,
  });
  const noPerson: SignedIn = { permissions: permissionsOf('manager'), csrf: 'a-word', lockAfterMs };
  const first = Object.entries(people).find(([, one]) => one === role);
  let current = first && signed(...first);
  const admitted = scriptedDoor(people);
  const ends = new Set<() => void>();
  const spentApprovals: Permission[] = [];
  const end = (): void => {
    current = undefined;
    for (const then of ends) then();
    ends.clear();
  };
  return {
    shop: () => ({ ...SHOP, ...shop }),
    names: ({ isSignedIn }) =>
      isStrange && !isSignedIn ? [] : Object.entries(people).map(([name, role]) => ({ name, role })),
    browsers: () => [],
    forgetBrowser() {},
    staffKnown: () => isKnown,
    async signIn(who) {
      current = signed(who.name, admitted(who));
      return { token: 'cookie', signedIn: current };
    },
    of: () => current ?? (isKnown ? undefined : noPerson),
    openAnonymous(code) {
      if (isKnown || code !== START_CODE) throw new Fault('session.code');
      return { token: 'cookie', signedIn: noPerson };
    },
    whenEnded(_, then) {
      ends.add(then);
      return () => void ends.delete(then);
    },
    signOut: end,
    program: () => undefined,
    isProgramOrigin: () => false,
    async override(who, permission) {
      admitted(who);
      return { word: `${who.name}-${permission}`, by: who.name };
    },
    spendOverride(word, permission): Actor | undefined {
      const by = word.replace(/-[^-]*$/, '');
      if (word !== `${by}-${permission}`) return undefined;
      spentApprovals.push(permission);
      return { name: by, role: people[by] ?? 'manager', permissions: [permission] };
    },
    end,
    spentApprovals,
  };
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The built page, read once: a page rebuilt meanwhile must not be mixed with it. */
let builtPage: ReturnType<typeof readPage> | undefined;

const readPage = (): ReadonlyMap<string, { type: string; bytes: Uint8Array<ArrayBuffer> }> => {
  const folder = join(import.meta.dirname, '../../../dist/ui');
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [
        `/${relative(folder, path)}`,
        { type: types[extname(path)] ?? 'application/octet-stream', bytes: new Uint8Array(readFileSync(path)) },
      ]),
  );
};

export type Stage = {
  url: string;
  /** For a browser that was here before: any value works, since the sessions are scripted. */
  cookie: { name: string; value: string; url: string };
  events: Events;
  close(): Promise<void>;
};

const missing = (area: string) =>
  new Proxy(
    {},
    {
      get: (_, name) => () => {
        throw new Error(`no scripted ${area}.${String(name)}`);
      },
    },
  );

/**
 * Serves the API on these services, and the built page, which the set-up of the system tests rebuilds when out of date.
 * A service that is not given fails when it is called.
 */
export const openStage = async (overrides: Partial<ApiPorts> = {}): Promise<Stage> => {
  const events = overrides.events ?? scriptedEvents();
  const services = {
    sessions: scriptedSessions(),
    selling: missing('selling'),
    books: missing('books'),
    store: missing('store'),
    devices: missing('devices'),
    paper: missing('paper'),
    goingLive: missing('goingLive'),
    machine: missing('machine'),
    ...overrides,
    events,
  } as ApiPorts;
  const hosts: string[] = [];
  const app = new Hono();
  app.route('/', localApi(services, { hosts: () => hosts, answerCheck }));
  builtPage ??= readPage();
  const page = builtPage;
  app.get('/*', (c) => {
    const file = page.get(c.req.path) ?? page.get('/index.html');
    return new Response(file?.bytes ?? null, { headers: { 'content-type': file?.type ?? 'text/plain' } });
  });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts.push(host);
  return {
    url: `http://${host}/`,
    cookie: { name: sessionCookie(host), value: 'x', url: `http://${host}/` },
    events,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        'closeAllConnections' in server && server.closeAllConnections();
      }),
  };
};
