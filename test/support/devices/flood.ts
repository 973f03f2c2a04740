/** Hundreds of thousands of bytes into whatever reads a terminal's messages, and messages with a few wrong bytes. */
import { expect } from 'vitest';
import type { Driver } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { parseTape } from '../../../drivers/links/tape-text.ts';
import { isFault } from '../../../src/base/fault.ts';
import type { Random } from '../../../src/base/ids.ts';
import { byNight } from '../night/night.ts';

/** By day three times what a reader may buffer at most, which shows anything it never releases. */
export const floodBytes = byNight({ day: 120_000, night: 1_000_000 });

/** How many inputs are read. */
export const readTimes = byNight({ day: 500, night: 4_000 });

export type Flooded = {
  driver: Driver;
  carries: Link['carries'];
  /** The driver's framer, which must never buffer more than this. */
  reader: { push(bytes: Uint8Array): readonly unknown[]; size(): number };
  heldMax: number;
  portion(): Uint8Array;
  bytes: number;
};

/** These are checked in full; the rest of a flood is only counted. */
const tapeLinesMax = 300;

/** Feeds this many bytes. Nothing may throw, little may be buffered, and the scribe's output must be a tape. */
export const flood = ({ driver, carries, reader, heldMax, portion, bytes }: Flooded): { pieces: number } => {
  expect(bytes).toBeGreaterThan(3 * heldMax);
  const narrator = driver.narrator(carries);
  const scribe = driver.scribe('heard', carries);
  const header = `# tape 1 protocol=${driver.name} carries=${carries}`;
  let pouredBytes = 0;
  let pieces = 0;
  let lines = 0;
  while (pouredBytes < bytes) {
    const next = portion();
    pouredBytes += next.length;
    pieces += reader.push(next).length;
    expect(reader.size()).toBeLessThanOrEqual(heldMax);
    narrator.push('heard', next);
    const tape = scribe.push(next);
    for (const line of tape.slice(0, Math.max(0, tapeLinesMax - lines))) parseTape(`${header}\n< ${line}`);
    lines += tape.length;
  }
  return { pieces };
};

/** The bytes with one to four of them changed, removed, doubled, or cut off after one. */
export const mutated = (bytes: Uint8Array, random: Random): Uint8Array => {
  const copy = [...bytes];
  const [times = 0] = random(1);
  for (let time = 0; time <= times % 4; time += 1) {
    const [how = 0, high = 0, low = 0, value = 0] = random(4);
    const index = ((high << 8) | low) % Math.max(1, copy.length);
    const changes: Readonly<Record<number, () => void>> = {
      0: () => copy.splice(index, 1),
      1: () => copy.splice(index, 0, copy[index] ?? value),
      2: () => copy.splice(index),
      3: () => copy.splice(index, 0, ...copy.slice(index, index + (value % 64))),
    };
    const change = changes[how % 16];
    if (change === undefined) copy[index] = value;
    else change();
  }
  return Uint8Array.from(copy);
};

/** Calls each function many times with the results of `input`: it may throw only Faults. */
export const onlyFaults = (
  readers: Readonly<Record<string, (bytes: Uint8Array) => unknown>>,
  { input, times }: { input: () => Uint8Array; times: number },
): { read: number; refused: number } => {
  const count = { read: 0, refused: 0 };
  for (let time = 0; time < times; time += 1) {
    const bytes = input();
    for (const [name, read] of Object.entries(readers)) {
      try {
        read(bytes.slice());
        count.read += 1;
      } catch (error) {
        if (!isFault(error))
          throw new Error(`${name} threw at ${Buffer.from(bytes).toString('hex')}`, { cause: error });
        count.refused += 1;
      }
    }
  }
  return count;
};
