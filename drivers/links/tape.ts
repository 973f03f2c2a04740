/**
 * Conversations as text. A tape plays one back: `>` is what must be written, `<` what is then heard, `x` the loss of
 * the link, `#` a comment; bytes in hex, spaces free, `**` any byte. Any other byte than the tape's fails.
 */
import { Fault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { inbox } from './inbox.ts';
import type { Link } from './link.ts';

/** `any` is the place of a byte that may be anything. */
type Step = { do: '>'; bytes: (number | 'any')[] } | { do: '<'; bytes: Uint8Array } | { do: 'x' };

export type Tape = Link & {
  /** What was not played, and the first wrong byte if there was one. Empty when all went as written. */
  left(): string[];
};

/** A link that plays this text. Throws `hex.malformed` or `command.malformed` for text that is no tape. */
export const tape = (text: string): Tape => {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const steps = lines.filter((line) => line !== '').map(stepOf);
  const box = inbox('tape');
  let wrong: string | undefined;

  /** Everything that needs no writing first. */
  const play = () => {
    for (let step = steps[0]; step !== undefined && step.do !== '>'; step = steps[0]) {
      steps.shift();
      if (step.do === '<') box.deliver(step.bytes);
      else box.lose(new Fault('link.lost', { port: 'tape', why: 'the tape says so' }));
    }
  };

  /** Takes one written byte. Gives what is wrong with it, or undefined. */
  const take = (byte: number): string | undefined => {
    const step = steps[0];
    if (step?.do !== '>') return `a byte more than the tape has: ${hex(byte)}`;
    const wanted = step.bytes.shift();
    if (step.bytes.length === 0) steps.shift();
    return wanted === byte || wanted === 'any' ? undefined : `${hex(byte)} where the tape has ${hex(wanted)}`;
  };

  return {
    name: 'tape',
    listen(listener) {
      box.listen(listener);
      queueMicrotask(play);
    },
    async write(bytes) {
      const gone = box.gone();
      if (gone !== undefined) throw gone;
      for (const [at, byte] of bytes.entries()) {
        const why = take(byte);
        if (why === undefined) continue;
        wrong = `byte ${at} of ${toHex(bytes)}: ${why}`;
        box.lose(new Fault('link.lost', { port: 'tape', why: wrong }));
        throw box.gone() ?? new Fault('link.lost', { port: 'tape', why: wrong });
      }
      queueMicrotask(play);
    },
    async close() {
      box.shut();
    },
    left: () => [...(wrong === undefined ? [] : [`! ${wrong}`]), ...steps.map(textOf)],
  };
};

const hex = (byte: number | 'any' | undefined): string =>
  typeof byte === 'number' ? byte.toString(16).toUpperCase().padStart(2, '0') : '**';

const stepOf = (line: string): Step => {
  const kind = line.charAt(0);
  const rest = line.slice(1).replace(/\s+/g, '');
  if (kind === 'x') return { do: 'x' };
  if (kind === '<') return { do: '<', bytes: fromHex(rest) };
  if (kind !== '>') throw new Fault('command.malformed', { why: `a tape has no line that starts with "${kind}"` });
  const bytes = rest.match(/../g) ?? [];
  if (rest.length % 2 !== 0 || bytes.length === 0) throw new Fault('hex.malformed', { length: rest.length });
  return { do: '>', bytes: bytes.map((byte) => (byte === '**' ? 'any' : (fromHex(byte)[0] ?? 'any'))) };
};

const textOf = (step: Step): string =>
  step.do === 'x' ? 'x' : `${step.do} ${[...step.bytes].map((byte) => hex(byte)).join('')}`;

/** Turns one direction's bytes into what may be shown of them, as hex. Holds what it cannot judge yet. */
export type Scribe = { push(bytes: Uint8Array): string[] };

/** Shows how many bytes there were, and none of them. */
export const blindScribe = (): Scribe => ({ push: (bytes) => (bytes.length === 0 ? [] : ['**'.repeat(bytes.length)]) });

/**
 * The same link, and every line of its tape told to `line`. Card data is masked by the protocol's scribe; without one
 * nothing is known to be harmless and nothing is shown.
 */
export const record = (link: Link, to: { line(text: string): void; scribe?: () => Scribe }): Link => {
  const scribe = to.scribe ?? blindScribe;
  const said = scribe();
  const heard = scribe();
  return {
    name: link.name,
    write(bytes) {
      for (const text of said.push(bytes)) to.line(`> ${text}`);
      return link.write(bytes);
    },
    listen(listener) {
      link.listen({
        bytes(bytes) {
          for (const text of heard.push(bytes)) to.line(`< ${text}`);
          listener.bytes(bytes);
        },
        closed(why) {
          to.line('x');
          listener.closed(why);
        },
      });
    },
    close: () => link.close(),
  };
};
