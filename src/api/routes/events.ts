/** The event stream: changes as they happen, until the session ends. */
import { type Context, Hono } from 'hono';
import { type Env, may } from '../actor.ts';
import { answersEvents, checked, inMode } from '../answers.ts';
import { query } from '../checked.ts';
import type { TraceRow } from '../contract/diagnosis.ts';
import {
  type ApiEvent,
  eventsQuery,
  type SentEvent,
  type SessionEnd,
  sentEvent,
  sentTraceRow,
} from '../contract/events.ts';
import { keyIn } from '../door.ts';
import { eventStream, type Replay, type SendEvent, type StreamEvent, type StreamParts } from '../event-stream.ts';
import { liveViewOf } from '../own-sales.ts';
import type { DevicesPort } from '../ports/devices.ts';
import type { Events } from '../ports/events.ts';
import type { SellingPort } from '../ports/selling.ts';
import type { Sessions } from '../ports/session.ts';

type EventsParts = StreamParts & {
  events: Events;
  devices: Pick<DevicesPort, 'trace'>;
  selling: Pick<SellingPort, 'isOwn'>;
  sessions: Sessions;
};

/** The part of an event that this listener may see; undefined for nothing. */
const eventsFor = (c: Context<Env>, { events, selling }: Pick<EventsParts, 'events' | 'selling'>) => {
  // The till can restart while clients listen, so each check asks the till that is running by then.
  const view = liveViewOf({ isOwn: (sale, actor) => (events.log ?? selling).isOwn(sale, actor) }, c.get('actor'));
  const seen = (event: ApiEvent): ApiEvent | undefined => {
    // This event names everyone's sales.
    if (event.on === 'closing') return c.get('actor').permissions.includes('seeAll') ? event : undefined;
    if (event.on !== 'sale' && event.on !== 'amended') return event;
    const sale = view(event.sale);
    return sale && { ...event, sale };
  };
  return (event: ApiEvent): StreamEvent<SentEvent>[] => {
    const reported = seen(event);
    if (reported === undefined) return [];
    const replays = reported.on !== 'here' && 'number' in reported;
    const id = 'id' in reported ? reported.id : undefined;
    return [{ event: reported.on, value: checked(c, inMode(c, { ...reported, replays })), id }];
  };
};

/** The events after an id, then the position that they lead to. */
const replayAfter = (
  after: string,
  events: Events,
  shown: ReturnType<typeof eventsFor>,
): Replay<SentEvent> | undefined => {
  const { log } = events;
  if (log === undefined) return undefined;
  const position = log.here();
  const missed = after === '' ? [] : log.since(after);
  const pastEvents = function* () {
    for (const event of missed) yield* shown(event);
    yield* shown({ on: 'here', ...position });
  };
  return { past: pastEvents(), here: () => (events.log ?? log).here().id };
};

export const eventsRoutes = ({ events, devices, selling, sessions, ...stream }: EventsParts) => {
  /**
   * A program whose key was removed gets no more events. During a restart this is unknown: the program
   * reconnects, and gets what it missed.
   */
  const isKnown = (c: Context<Env>): boolean => {
    if (c.get('actor').program === undefined) return true;
    try {
      return sessions.program(keyIn(c) ?? '') !== undefined;
    } catch {
      return false;
    }
  };

  /** The stream ends with its session, after an event that says so. */
  const whileSignedIn = <Event>(
    c: Context<Env>,
    open: (notify: SendEvent<Event>) => () => void,
    replay?: Replay<Event>,
  ): Response =>
    eventStream<Event | SessionEnd>(
      stream,
      (send, end) => {
        const stop = open((event, value, id) => (isKnown(c) ? send(event, value, id) : end()));
        const token = c.get('session') === undefined ? undefined : c.get('token');
        const forget =
          token === undefined
            ? () => {}
            : sessions.whenEnded(token, () => {
                send('locked', checked(c, inMode(c, { on: 'locked' } as const)));
                end();
              });
        return () => {
          stop();
          forget();
        };
      },
      replay,
    );

  return new Hono<Env>()
    .get('/events', query(eventsQuery), answersEvents(sentEvent), (c) => {
      const after = c.req.header('last-event-id') ?? c.req.valid('query').after ?? '';
      const shown = eventsFor(c, { events, selling });
      const listen = (send: SendEvent<SentEvent>): (() => void) =>
        events.listen((event) => {
          for (const reported of shown(event)) send(reported.event, reported.value, reported.id);
        });
      return whileSignedIn<SentEvent>(c, listen, replayAfter(after, events, shown));
    })
    .get('/trace/live', may('diagnose', sessions), answersEvents(sentTraceRow), (c) =>
      whileSignedIn<TraceRow>(c, (send) => devices.trace((row) => send('row', checked(c, row)))),
    );
};
