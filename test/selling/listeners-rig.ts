/**
 * A till with a terminal of each protocol, real drivers with simulated devices, and its sales and events as programs
 * get them: over the routes of the local API.
 */
import { Hono } from 'hono';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import type { Env } from '../../src/api/actor.ts';
import type { ApiEvent } from '../../src/api/contract/events.ts';
import type { Actor, Sessions } from '../../src/api/ports/session.ts';
import { answerProblem } from '../../src/api/problems.ts';
import { eventsRoutes } from '../../src/api/routes/events.ts';
import { sellingRoutes } from '../../src/api/routes/selling.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import type { Terminals } from '../../src/till/ports.ts';
import { Counter, driversUnderTest } from '../contract/terminal.ts';
import { zvtTerminal } from '../support/till/zvt-counter.ts';
import type { VirtualClock } from '../support/time/virtual-clock.ts';
import type { Rig } from './counter-rig.ts';

type OpenTill = Awaited<ReturnType<Rig['open']>>;

export const register: Actor = { program: 'Register', permissions: ['sell', 'refund', 'void', 'seeAll'] };
/** The protocols of the terminals after the first, which is an MMS reader. */
export const protocolsBehindFirst = ['neo2', 'mpi', 'zvt'] as const;
export const counters = ['T1', 'T2', 'T3', 'T4'] as const;

const visa = testCard('visa-credit');
/** Customers of every kind. */
export const customers: readonly [Presentation, ...Presentation[]] = [
  { card: visa, by: 'chip' },
  { card: visa, by: 'tap' },
  { card: testCard('visa-stripe'), by: 'swipe' },
  { card: testCard('visa-refusing-chip'), by: 'chip' },
  { card: visa, by: 'chip', pullsCardAt: 'complete' },
  { card: visa, by: 'chip', cancels: true },
];

const readerOf = (protocol: string, clock: VirtualClock) => {
  const subject = driversUnderTest.find(({ driver, carries }) => driver.name === protocol && carries === 'stream');
  if (subject === undefined) throw new Error(`no reader speaks ${protocol}`);
  const counter = new Counter(subject, { clock });
  let open: Promise<Terminal> | undefined;
  return {
    counter,
    async get() {
      open ??= counter.connect();
      return open;
    },
    async drop() {
      const dropped = open;
      open = undefined;
      await dropped?.then((terminal) => terminal.close()).catch(() => undefined);
    },
  };
};

/** `customer`: whoever comes next to any of the readers. */
export const fourTerminals = (clock: VirtualClock, customer: () => Presentation) => {
  const readers = new Map(
    [
      ['', 'mms'],
      ['20000000', 'neo2'],
      ['20000001', 'mpi'],
    ].map(([of = '', protocol = '']) => [of, readerOf(protocol, clock)]),
  );
  for (const { counter } of readers.values())
    Object.defineProperty(counter, 'customer', { get: customer, set: () => {} });
  const zvt = zvtTerminal(clock).line().keep();
  return {
    // The counter whose terminal authorises by itself needs no reader.
    terminals: (none: Terminals, of = ''): Terminals => readers.get(of) ?? none,
    integrated: () => zvt,
  };
};

/** The routes that a register uses, on a selling service and its events. */
export const routesOf = ({
  service,
  events,
  clock,
}: Pick<OpenTill, 'service' | 'events'> & { clock: VirtualClock }) => {
  const sessions = { program: () => register, whenEnded: () => () => {} } as unknown as Sessions;
  const app = new Hono<Env>();
  app.use('*', async (c, next) => {
    c.set('actor', register);
    c.set('mode', 'test');
    await next();
  });
  app.route('/', sellingRoutes(service, sessions));
  app.route('/', eventsRoutes({ clock, events, devices: { trace: () => () => {} }, selling: service, sessions }));
  app.onError(answerProblem);
  return app;
};

export type App = ReturnType<typeof routesOf>;
export type Heard = ApiEvent & { replays: boolean };

/** One connection: events go to `onEvent` until it has enough or the line is `cut`. */
export const listenTo = async (
  app: App,
  { after, cut }: { after?: string; cut?: AbortSignal },
  onEvent: (event: Heard, id: string) => boolean,
): Promise<void> => {
  const answer = await app.request('/events', after === undefined ? {} : { headers: { 'last-event-id': after } });
  if (!answer.ok) throw new Error(`refused: ${await answer.text()}`);
  const reader = answer.body?.getReader();
  cut?.addEventListener('abort', () => void reader?.cancel());
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      for (const block of new TextDecoder().decode(value).split('\n\n')) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        const id = /^id: (.*)$/m.exec(block)?.[1] ?? '';
        if (data !== undefined && !onEvent(JSON.parse(data) as Heard, id)) return;
      }
    }
  } finally {
    await reader?.cancel();
  }
};
