/**
 * Cuts the power before and after every operation of the disk, with both sector sizes: in a selling session and in the
 * upgrade of each older journal. By day: `test/simulation/power-cuts.test.ts` notices a step that is not synced or half
 * written, at five operations of the session.
 */
import { expect, test } from 'vitest';
import { playEveryCut } from './every-power-cut.ts';

test('no power cut loses a step or a cent', async () => {
  const lines: string[] = [];
  const brokenCount = await playEveryCut({ survivals: 1, jobs: 2 }, (line) => void lines.push(line));
  expect(brokenCount, lines.join('\n')).toBe(0);
}, 7_200_000);
