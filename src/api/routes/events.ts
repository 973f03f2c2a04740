/** The event stream: what changes at the till, as it changes, for as long as the session stands. */
import { type Context, Hono } from 'hono';
import { type Env, may } from '../actor.ts';
import { keyIn } from '../door.ts';
import { type EventsOf, eventStream, type StreamParts, type Tell } from '../event-stream.ts';
import { type InMode, inMode } from '../mode.ts';
import { liveViewOf } from '../own-sales.ts';
import type { DevicesDesk, TraceRow } from '../ports/devices.ts';
import type { ApiEvent, Events, Locked } from '../ports/events.ts';
import type { SellingDesk } from '../ports/selling.ts';
import type { Sessions } from '../ports/session.ts';

type EventsParts = StreamParts & {
  events: Events;
  devices: Pick<DevicesDesk, 'trace'>;
  selling: Pick<SellingDesk, 'isOwn'>;
  sessions: Sessions;
};

export const eventsRoutes = ({ events, devices, selling, sessions, ...stream }: EventsParts) => {
  /** A program whose key was removed is told nothing more. */
  const isKnown = (c: Context<Env>): boolean =>
    c.get('actor').program === undefined || sessions.program(keyIn(c) ?? '') !== undefined;

  /** Ends with the session it was opened in, and says so. */
  const whileSignedIn = <Event>(
    c: Context<Env>,
    open: (tell: Tell<Event>) => () => void,
  ): EventsOf<Event | InMode<Locked>> =>
    eventStream<Event | InMode<Locked>>(stream, (tell, end) => {
      const stop = open((event, value) => (isKnown(c) ? tell(event, value) : end()));
      const token = c.get('session') === undefined ? undefined : c.get('token');
      const forget =
        token === undefined
          ? () => {}
          : sessions.whenEnded(token, () => {
              tell('locked', inMode(c, { on: 'locked' } as const));
              end();
            });
      return () => {
        stop();
        forget();
      };
    });

  return new Hono<Env>()
    .get('/events', (c) =>
      whileSignedIn<InMode<ApiEvent>>(c, (tell) => {
        const view = liveViewOf(selling, c.get('actor'));
        return events.listen((event) => {
          // It names sales, whoever made them.
          if (event.on === 'closing' && !c.get('actor').permissions.includes('seeAll')) return;
          if (event.on !== 'sale') return tell(event.on, inMode(c, event));
          const sale = view(event.sale);
          if (sale !== undefined) tell('sale', inMode(c, { ...event, sale }));
        });
      }),
    )
    .get('/trace/live', may('diagnose', sessions), (c) =>
      whileSignedIn<TraceRow>(c, (tell) => devices.trace((row) => tell('row', row))),
    );
};
