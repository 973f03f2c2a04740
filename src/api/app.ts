/** The till's local API: all areas below `/api`, behind common access checks. */
import { Hono, type MiddlewareHandler } from 'hono';
import { type Clock, systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { Env } from './actor.ts';
import { type AnswerCheck, answersFiles, checkAnswers, MODE_HEADER } from './answers.ts';
import { type DoorParts, door } from './door.ts';
import type { StreamParts } from './event-stream.ts';
import { wholeBody } from './files.ts';
import { openApiOf } from './openapi.ts';
import type { BooksPort } from './ports/books.ts';
import type { DevicesPort } from './ports/devices.ts';
import type { Events } from './ports/events.ts';
import type { GoingLivePort, MachinePort } from './ports/machine.ts';
import type { PaperPort } from './ports/paper.ts';
import type { RecoveryPort, TakeoverPort } from './ports/recovery.ts';
import type { SellingPort } from './ports/selling.ts';
import type { Sessions } from './ports/session.ts';
import type { StorePort } from './ports/store.ts';
import { answerProblem } from './problems.ts';
import { booksRoutes } from './routes/books.ts';
import { devicesRoutes } from './routes/devices.ts';
import { eventsRoutes } from './routes/events.ts';
import { goingLiveRoutes, machineRoutes } from './routes/machine.ts';
import { paperRoutes } from './routes/paper.ts';
import { recoveryRoutes } from './routes/recovery.ts';
import { sellingRoutes } from './routes/selling.ts';
import { sessionRoutes } from './routes/session.ts';
import { storeRoutes } from './routes/store.ts';
import { takeoverRoutes } from './routes/takeover.ts';

export type ApiPorts = {
  sessions: Sessions;
  selling: SellingPort;
  books: BooksPort;
  recovery: RecoveryPort;
  takeover: TakeoverPort;
  store: StorePort;
  devices: DevicesPort;
  paper: PaperPort;
  goingLive: GoingLivePort;
  machine: MachinePort;
  events: Events;
};

const areas = ({ sessions, events, ...services }: ApiPorts, stream: StreamParts) =>
  new Hono<Env>()
    .route('/', sessionRoutes(sessions))
    // Before the sales, which would take `print` for an unknown operation.
    .route('/', paperRoutes(services.paper, sessions, services.selling))
    .route('/', sellingRoutes(services.selling, sessions))
    .route('/', booksRoutes(services.books, sessions, stream.clock))
    .route('/', recoveryRoutes(services.recovery, sessions))
    .route('/', takeoverRoutes(services.takeover, sessions))
    .route('/', storeRoutes(services.store, sessions))
    .route('/', devicesRoutes(services.devices, sessions))
    .route('/', goingLiveRoutes(services.goingLive, sessions))
    .route('/', machineRoutes(services.machine, sessions))
    .route('/', eventsRoutes({ events, devices: services.devices, selling: services.selling, sessions, ...stream }));

/** The type from which the UI's client is derived. */
export type Api = ReturnType<typeof areas>;

/** `over`: ends every stream when the till is stopped. `answerCheck`: checks each answer against the contract. */
export type ApiOptions = Omit<DoorParts, 'sessions'> & { clock?: Clock; over?: AbortSignal; answerCheck?: AnswerCheck };

/** The largest body is a picture for the receipt. */
const BODY_BYTES = 4_000_000;
/** Unsent sales of another till take a few thousand bytes each. */
const EXPORT_BYTES = 100_000_000;

/** `hosts`: the allowed values of the Host header, with port; any other name for this machine is refused. */
export const localApi = (services: ApiPorts, { clock = systemClock, over, answerCheck, ...doors }: ApiOptions) => {
  const app = new Hono<Env>();
  const api = areas(services, { clock, over });
  let document: ReturnType<typeof openApiOf> | undefined;
  let mode: DisplayMode | undefined;
  if (answerCheck !== undefined) app.use('/api/*', checkAnswers(answerCheck));
  // Answers show the current state, so browsers must not cache them.
  app.use('/api/*', async (context, next) => {
    mode ??= services.sessions.shop().mode;
    context.set('mode', mode);
    await next();
    const { headers } = context.res;
    headers.set(MODE_HEADER, mode);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    headers.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    const readable = context.get('readableFor');
    if (readable === undefined) return;
    headers.set('access-control-allow-origin', readable);
    headers.set('access-control-expose-headers', `${MODE_HEADER}, retry-after`);
    headers.append('vary', 'origin');
  });
  app.use('/api/*', door({ sessions: services.sessions, ...doors }));
  const wholeJson = wholeBody(BODY_BYTES, clock);
  // A settlement file is limited while it is read.
  const largerBodies: Readonly<Record<string, MiddlewareHandler<Env>>> = {
    '/api/reconciliations': (_, next) => next(),
    '/api/reconciliations/comparison': (_, next) => next(),
    '/api/taken-over': wholeBody(EXPORT_BYTES, clock),
  };
  app.use('/api/*', (context, next) => (largerBodies[context.req.path] ?? wholeJson)(context, next));
  app.get('/api/openapi.json', answersFiles('application/json'), (context) => {
    // Made on the first request: it is long, and few clients read it.
    document ??= openApiOf(app, services.sessions.shop().version);
    return context.json(document as object);
  });
  app.route('/api', api);
  app.onError(answerProblem);
  app.all('/api/*', (context) => answerProblem(new Fault('request.unknown', { path: context.req.path }), context));
  return app;
};
