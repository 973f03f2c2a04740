/** Millions of bytes into the MPI parser: time grows linearly, and little is ever held. */
import { expect, test } from 'vitest';
import { messageMax, mpiReader } from '../../../drivers/mpi/protocol/messages.ts';
import { mpiNarrator } from '../../../drivers/mpi/protocol/narrator.ts';
import { mpiScribe } from '../../../drivers/mpi/protocol/trace.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { floodBytes } from '../../support/devices/flood.ts';

const random = seededRandom(20_260_102);
const repeat = (hex: string, count: number): Uint8Array => {
  const one = fromHex(hex);
  return Uint8Array.from({ length: count * one.length }, (_, index) => one[index % one.length] ?? 0);
};

const portionBytes = 4_096;

test.each<[string, () => Uint8Array]>([
  ['at random', () => random(portionBytes)],
  ['that always look like the longest block', () => repeat('0100FE', 1_366)],
  ['that always look like one more block of a chain', () => repeat('0101FE', 1_366)],
  ['that are blocks of an endless chain', () => repeat('010104C0C1C2C304', 512)],
  ['that are notices', () => repeat('014008E10448020000900076', 342)],
  ['that nest templates', () => repeat('01000AE1E1E1E1E1E1E1E1900096', 293)],
])(
  'bytes %s',
  (_, portion) => {
    const reader = mpiReader();
    const narrator = mpiNarrator();
    const scribe = mpiScribe();
    let bytes = 0;
    let pieces = 0;
    let lines = 0;
    while (bytes < floodBytes) {
      const next = portion();
      bytes += next.length;
      pieces += reader.push(next).length;
      lines += narrator.push('heard', next).length + scribe.push(next).length;
      expect(reader.size()).toBeLessThanOrEqual(2 * messageMax + 258);
    }
    expect(pieces).toBeGreaterThan(0);
    expect(lines).toBeGreaterThan(0);
  },
  15_000,
);
