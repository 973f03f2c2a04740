/**
 * A served till without a port: its local API in this process, with a real journal and till.json, between a simulated
 * terminal and gateway. Three people work at it, and a program with a key that the manager made.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '../../../src/api/contract/roles.ts';
import type { Actor } from '../../../src/api/ports/session.ts';
import { openEvents } from '../../../src/app/events.ts';
import { type Factories, tillServices } from '../../../src/app/services.ts';
import { openTillInstance, type ServerContext, type TillInstance } from '../../../src/app/till-instance.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { type Config, changeConfig, loadConfig } from '../../../src/folder/config.ts';
import { openSessions, type SessionManager } from '../../../src/staff/sessions/sessions.ts';
import { openTerminalWatch } from '../../../src/terminals/terminal-watch.ts';
import { dice } from '../chance/dice.ts';
import { openSqlUnsynced } from '../disk/unsynced-sql.ts';
import { virtualClock } from '../time/virtual-clock.ts';
import { bookkeepingHost } from './bookkeeping-host.ts';
import { scriptedTerminal } from './scripted-terminal.ts';
import { steadyMachine } from './steady-machine.ts';
import { storeLimits } from './store-limits.ts';
import { cheapStretchCost } from './stretch-cost.ts';
import { chipCard, LIFE_MS, TIMEOUT_MS } from './till-rig.ts';

const HOST = '127.0.0.1:8800';
/**
 * Work that has not ended after this many turns of the event loop waits for time to pass; PINs are stretched in real
 * time.
 */
const TURNS = { pin: 10_000, other: 200 };
const DAYS_MS = 30 * 86_400_000;

export const people = {
  Max: { role: 'manager', pin: '471193' },
  Anna: { role: 'cashier', pin: '825417' },
  Tess: { role: 'technician', pin: '740265' },
} as const satisfies Record<string, { role: Role; pin: string }>;
export type Name = keyof typeof people;

/** The headers of a person who has signed in. */
export type Visitor = Readonly<Record<string, string>>;
export type Answer = { status: number; body: unknown; code: string | undefined };
export type GuardedTill = Awaited<ReturnType<typeof guardedTill>>;

type GuardOptions = {
  /** Replaces checks with old or wrong ones, to see that a test notices. */
  factories?: (factories: Factories) => Factories;
  sessions?: (sessions: SessionManager) => SessionManager;
  /** How long a customer takes, ms. */
  takesMs?: number;
};

export const guardedTill = async (
  seed: number,
  { factories, sessions: wrapSessions, takesMs = 20_000 }: GuardOptions = {},
) => {
  const clock = virtualClock();
  const { ids, random } = dice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'guarded-'));
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    offline: storeLimits,
    gateway: { ...config.gateway, timeoutMs: TIMEOUT_MS, requestLifeMs: LIFE_MS },
  }));
  const report = (): void => {};
  const events = openEvents(report);
  let instance: TillInstance | undefined;
  let isDue = false;
  const open = (): TillInstance =>
    instance ??
    (() => {
      throw new Error('the till is closed');
    })();
  const saved = openSessions({
    ...{ events, clock, random, report },
    staff: () => open().running.staff,
    posKeys: () => open().open.posKeys,
    shop: () => ({ mode: 'test' }) as never,
    lockAfterMs: () => DAYS_MS,
  });
  const sessions = wrapSessions?.(saved) ?? saved;
  const takes = () => takesMs;
  const host = bookkeepingHost({
    ...{ mode: 'test', clock, fate: () => 'answered', approves: () => true, takesMs: () => 10 },
    ...{ timeoutMs: TIMEOUT_MS, requestLifeMs: LIFE_MS },
  });
  const simulated = scriptedTerminal(clock, {
    ...{ card: () => chipCard, read: () => 'goOnline', takesMs: takes },
    complete: (kind) => (kind === 'declined' ? 'declined' : 'approved'),
  });
  const terminals = { get: async () => ({ ...simulated, removed: async () => true }), drop: async () => {} };
  const context: ServerContext = {
    ...{ clock, ids, random, report, events, sessions, machine: steadyMachine(clock), training: false },
    options: () => ({
      ...{ dataDir: folder, version: '1', open: openSqlUnsynced, stretchCost: cheapStretchCost },
      gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
      around: { host: () => host, terminals: () => terminals },
    }),
    terminalWatch: openTerminalWatch(clock),
    factories: factories?.(tillServices) ?? tillServices,
    standIn: { address: async () => undefined, isOffered: () => false, close: async () => {} },
    hosts: () => [HOST],
    origins: () => [`http://${HOST}`],
    stopping: new AbortController(),
  };
  // As with a served till: after the request that asked for it was answered.
  const restart = async (): Promise<void> => {
    isDue = true;
  };
  instance = await clock.until(openTillInstance(context, restart));

  const reopen = async (): Promise<void> => {
    isDue = false;
    await clock.until(open().close());
    instance = undefined;
    instance = await clock.until(openTillInstance(context, restart));
  };
  /** The clock stands still while a PIN is stretched, so that no approval expires meanwhile. */
  const answer = async <T>(work: Promise<T>, turns: number): Promise<T> => {
    let isEnded = false;
    const end = (): void => {
      isEnded = true;
    };
    work.then(end, end);
    for (let turn = 0; !isEnded; turn += 1) {
      await clock.settle();
      if (turn >= turns) await clock.advance(1_000);
    }
    return work;
  };
  const ask = async (visitor: Visitor, [method, path]: readonly [string, string], body?: unknown): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const headers = {
      ...{ host: HOST, ...visitor },
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    };
    const payload = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const response = await answer(
      Promise.resolve(open().fetch(new Request(`http://${HOST}/api${path}`, { method, headers, ...payload }))),
      /^\/(session|override|staff)/.test(path) ? TURNS.pin : TURNS.other,
    );
    const text = await answer(response.text(), TURNS.other);
    if (isDue) await reopen();
    const code = /"problem":\{"code":"([a-zA-Z.]+)"/.exec(text)?.[1];
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    const message = response.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text || 'null')
      : text;
    return {
      status: response.status,
      body: cookies.length > 0 ? { ...message, cookie: cookies.join('; ') } : message,
      code,
    };
  };
  const signIn = async (name: Name): Promise<Visitor> => {
    const { body } = await ask({}, ['POST', '/session'], { name, pin: people[name].pin });
    const { cookie, csrf } = body as { cookie: string; csrf: string };
    return { cookie, 'x-csrf-token': csrf };
  };
  let by: { name: string; role: Role } | undefined;
  for (const [name, { role, pin }] of Object.entries(people)) {
    const added = await answer(open().running.staff.add({ name, role, pin }, by), TURNS.pin);
    by ??= added;
  }
  return {
    ...{ ask, signIn, folder, clock, ids },
    config: (): Config => loadConfig(folder, systemIds),
    secrets: (): string => readFileSync(join(folder, 'till.secrets.json'), 'utf8'),
    /** Whose key this is, and what it may do. */
    program: (key: string): Actor | undefined => open().open.posKeys.program(key),
    /** Ids of the sales that are running, or ended last at their counter. */
    liveIds: (): string[] =>
      open()
        .open.services.selling.live()
        .map(({ id }) => id),
    /** The journal entries since this one. */
    since: (entry: number): { entry: number; kind: string; body: string }[] =>
      open().running.journal.sql.all(
        'SELECT entry, kind, body FROM entry WHERE entry > ? ORDER BY entry',
        entry,
      ) as never,
    length: (): number => Number(open().running.journal.sql.get('SELECT max(entry) AS n FROM entry')?.['n'] ?? 0),
    async close(): Promise<void> {
      await clock.until(open().close());
      sessions.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
