/** Plays a recorded conversation from the till's side, against a real or simulated device. */

import { type Link, reportBytes } from '../../../drivers/links/link.ts';
import { parseTape, type TapeStep } from '../../../drivers/links/tape-text.ts';
import { type Clock, within } from '../../../src/base/clock.ts';
import { Fault, isFault } from '../../../src/base/fault.ts';
import { concat, toHex } from '../../../src/base/hex.ts';

export type HostTapeOptions = {
  link: Link;
  clock: Clock;
  /** How long the device may take for what it says on the tape. */
  answerMs?: number;
  /** Whether the recorded pauses before the till's messages are kept. */
  pauses?: 'recorded' | 'none';
};

/** With more unread bytes than this it is no longer a conversation. */
const unreadBytesMax = 1_048_576;
const differencesMax = 20;

/**
 * Sends what the till sent, and compares the answers with the recorded ones. Returns descriptions of the differences,
 * at most twenty; empty when everything was as recorded. Ends with the tape or the link, and leaves the link open.
 * Throws `tape.malformed`, and `terminal.unknown` for a link that carries something else.
 */
export const hostTape = async (text: string, options: HostTapeOptions): Promise<string[]> => {
  const { link, clock, answerMs = 10_000, pauses = 'none' } = options;
  const { steps, carries } = parseTape(text);
  if (carries !== link.carries) throw new Fault('terminal.unknown', { text: `${link.name}: the tape has ${carries}` });
  const detector = openReader(link);
  const differences: string[] = [];
  let lastMs = 0;
  for (const step of steps) {
    if (differences.length >= differencesMax) break;
    const pauseMs = pauses === 'recorded' && step.do === '>' ? (step.atMs ?? lastMs) - lastMs : 0;
    if (pauseMs > 0) await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
    lastMs = step.atMs ?? lastMs;
    const different = await play(step, detector, { link, clock, answerMs });
    if (different !== undefined) differences.push(`line ${step.line}: ${different}`);
    if (step.do === 'x' || (different !== undefined && detector.isLost())) return differences;
  }
  const remaining = detector.rest();
  return remaining.length === 0 ? differences : [...differences, `behind the end: ${toHex(remaining.subarray(0, 64))}`];
};

type PlayerParts = { link: Link; clock: Clock; answerMs: number };

/** The difference at this step, or undefined. */
const play = async (
  step: TapeStep,
  detector: ByteReader,
  { link, clock, answerMs }: PlayerParts,
): Promise<string | undefined> => {
  try {
    if (step.do === '>') {
      await sendPaced(link, step.bytes);
      return undefined;
    }
    const silentFault = () => new Fault('terminal.silent', { command: `line ${step.line}`, ms: answerMs });
    if (step.do === 'x') {
      await within(clock, answerMs, detector.waitForLoss(), silentFault);
      return undefined;
    }
    const received = await within(clock, answerMs, detector.take(step.bytes.length), silentFault);
    const index = received.findIndex((byte, place) => step.counts[place] !== 0 && byte !== step.bytes[place]);
    return index < 0
      ? undefined
      : `byte ${index} is ${hexAt(received, index)}, then it was ${hexAt(step.bytes, index)}`;
  } catch (error) {
    if (!isFault(error)) throw error;
    detector.giveUp();
    return error.message;
  }
};

const hexAt = (bytes: Uint8Array, offset: number): string => toHex(bytes.subarray(offset, offset + 1));

const sendPaced = async (link: Link, bytes: Uint8Array): Promise<void> => {
  if (link.carries === 'stream') return link.write(bytes);
  for (let offset = 0; offset < bytes.length; offset += reportBytes)
    await link.write(bytes.slice(offset, offset + reportBytes));
};

type ByteReader = {
  /** Takes this many bytes, once they have arrived. Throws the Fault of the lost link. */
  take(count: number): Promise<Uint8Array>;
  waitForLoss(): Promise<void>;
  isLost(): boolean;
  /** The awaited bytes are no longer wanted: later ones are for the next caller. */
  giveUp(): void;
  /** The bytes that nobody took. */
  rest(): Uint8Array;
};

const openReader = (link: Link): ByteReader => {
  let buffer: Uint8Array = new Uint8Array(0);
  let lossFault: Fault | undefined;
  let wake = () => {};
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  link.listen({
    bytes(bytes) {
      if (buffer.length < unreadBytesMax) buffer = concat(buffer, bytes);
      wake();
    },
    closed(fault) {
      lossFault = fault;
      wake();
    },
  });
  return {
    async take(count) {
      while (buffer.length < count && lossFault === undefined) await change();
      if (buffer.length < count && lossFault !== undefined) throw lossFault;
      const taken = buffer.slice(0, count);
      buffer = buffer.slice(count);
      return taken;
    },
    async waitForLoss() {
      while (lossFault === undefined) await change();
    },
    isLost: () => lossFault !== undefined,
    giveUp() {
      wake = () => {};
    },
    rest: () => buffer,
  };
};
