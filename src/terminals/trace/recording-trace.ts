/** A terminal's conversation made readable: for each message its time, its way, its bytes and what it means. */
import type { Driver, Narrator, TraceDirection } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape, type TapeText } from '../../../drivers/links/tape-text.ts';
import type { Clock } from '../../base/clock.ts';

export type TracedMessage = {
  /** The line of the recording, from 1; the count of messages where the conversation is live. */
  line: number;
  /** Since the start of the recording. */
  atMs?: number;
  way: TraceDirection | 'lost';
  /** Two characters a byte, `**` for a masked one. */
  hex: string;
  /** What the narrator makes of it: none while a message is not whole, several where more than one came at once. */
  says: readonly string[];
};

/** The messages of a recording one after the other. Without a narrator they have no meaning, only bytes. */
export function* tracedTape({ steps }: TapeText, narrator?: Narrator): Generator<TracedMessage> {
  for (const step of steps) {
    const at = { line: step.line, ...(step.atMs === undefined ? {} : { atMs: step.atMs }) };
    if (step.do === 'x') {
      yield { ...at, way: 'lost', hex: '', says: ['the link was lost'] };
      continue;
    }
    const way = step.do === '>' ? 'said' : 'heard';
    const hex = [...step.bytes].map((byte, place) => (step.counts[place] === 0 ? '**' : twoDigits(byte))).join('');
    yield { ...at, way, hex, says: narrator?.push(way, step.bytes) ?? [] };
  }
}

/**
 * The same link, and every message told to `tell` as it goes by: the conversation live. It is masked as a recording is
 * before anybody sees it.
 */
export const traceLink = (
  link: Link,
  driver: Driver,
  { clock, tell }: { clock: Clock; tell(message: TracedMessage): void },
): Link => {
  const narrator = driver.narrator(link.carries);
  let line = 0;
  return record(link, {
    scribe: driver.scribe,
    clock,
    line(text) {
      line += 1;
      const tape = parseTape(`# tape 1 carries=${link.carries}\n${text}`);
      for (const message of tracedTape(tape, narrator)) tell({ ...message, line });
    },
  });
};

const twoDigits = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** One message as JSON: seconds since the start, `till` or `terminal` as who spoke. */
export const tracedJson = ({ line, atMs, way, hex, says }: TracedMessage) => ({
  line,
  ...(atMs === undefined ? {} : { seconds: atMs / 1_000 }),
  from: way === 'said' ? 'till' : way === 'heard' ? 'terminal' : 'link',
  bytes: hex,
  says,
});
