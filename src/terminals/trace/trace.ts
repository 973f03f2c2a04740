/**
 * What was said last with the till's terminals, for a technician who comes after it happened, and live for one who
 * watches. Card data is masked before anything is kept. What a message means is worked out only when somebody looks.
 */
import type { Driver, Narrator } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape } from '../../../drivers/links/tape-text.ts';
import type { TraceNode, TraceRow } from '../../api/ports/devices.ts';
import type { Clock } from '../../base/clock.ts';
import { tracedTape } from './recording-trace.ts';
import { treeOf } from './trace-tree.ts';

export type Trace = {
  /** For `openTerminal`: the same link, and what goes by on it kept under this name. */
  wrap(counter: string): (link: Link, driver: Driver) => Link;
  /** Hears each message from now on, until the returned function is called. */
  listen(hear: (row: TraceRow) => void): () => void;
  /** The last messages, oldest first; `most` of them. */
  soFar(most: number): TraceRow[];
  /** When a terminal was last heard, ms since 1970. */
  heardAt(counter: string): number | undefined;
};

export type TraceLimits = { messages?: number; bytes?: number };

const MESSAGES_MOST = 500;
/** Of masked text, two characters a byte on the wire. */
const TEXT_MOST = 1 << 20;

/** One opening of a terminal: whoever tells what its bytes mean has heard those before. */
type Session = { driver: Driver; carries: Link['carries']; narrator?: Narrator | undefined };
type Held = { n: number; at: number; counter: string; line: string; session: Session; row?: TraceRow };

export const openTrace = (clock: Clock, limits: TraceLimits = {}): Trace => {
  const { messages = MESSAGES_MOST, bytes = TEXT_MOST } = limits;
  const held: Held[] = [];
  const hearers = new Set<(row: TraceRow) => void>();
  const heard = new Map<string, number>();
  let text = 0;
  let n = 0;

  const forget = (): void => {
    const gone = held.shift();
    if (gone === undefined) return;
    text -= gone.line.length;
    // Who did not hear this one cannot go on in the middle: the next look begins with what is left.
    if (gone.row === undefined) gone.session.narrator = undefined;
  };

  const rowOf = (one: Held): TraceRow => {
    one.row ??= decoded(one);
    return one.row;
  };

  const keep = (counter: string, session: Session, line: string): void => {
    n += 1;
    const one: Held = { n, at: clock.now(), counter, line, session };
    if (line.startsWith('<')) heard.set(counter, one.at);
    held.push(one);
    text += line.length;
    while (held.length > messages || (text > bytes && held.length > 1)) forget();
    if (hearers.size === 0) return;
    // Those that nobody has looked at yet come first: a meaning may begin in them.
    for (const before of held) if (before.session === session) rowOf(before);
    for (const hear of hearers) hear(rowOf(one));
  };

  return {
    wrap: (counter) => (link, driver) => {
      const session: Session = { driver, carries: link.carries };
      return record(link, { scribe: driver.scribe, line: (line) => keep(counter, session, line) });
    },
    listen(hear) {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    soFar: (most) => held.map(rowOf).slice(-most),
    heardAt: (counter) => heard.get(counter),
  };
};

const ways = { said: 'toTerminal', heard: 'fromTerminal', lost: 'lost' } as const;

const decoded = ({ n, at, counter, line, session }: Held): TraceRow => {
  session.narrator ??= session.driver.narrator(session.carries);
  const tape = parseTape(`# tape 1 carries=${session.carries}\n${line}`);
  const [message] = tracedTape(tape, session.narrator);
  const { way = 'lost', hex = '', says: words = [] } = message ?? {};
  const says: TraceNode[] = treeOf(hex, words);
  return { n, at, counter, way: ways[way], hex, says, masked: hex.includes('**') };
};
