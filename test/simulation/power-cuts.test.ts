/**
 * The power goes at operations of the disk all through a selling session: no acknowledged step is lost, none is half
 * there, and the money adds up. With synchronous = NORMAL the same cuts find lost steps: they would be found.
 */
import { describe, expect, test } from 'vitest';
import { operationsOfSession, sweep } from './power-cuts.ts';

/** Every operation, before it and after it: npm run simulate:days -- --cuts */
const STRIDE = 97;

describe('a power cut at every so many operations of the disk', () => {
  test('loses nothing that was acknowledged', async () => {
    expect(await operationsOfSession()).toBeGreaterThan(5 * STRIDE);
    expect(await sweep({ stride: STRIDE })).toEqual(new Map());
  }, 120_000);

  test('loses acknowledged steps where commits are not synced', async () => {
    const broken = await sweep({ stride: STRIDE, plant: 'normalSync' });
    expect(broken.size).toBeGreaterThan(1);
    expect([...broken.values()].flat().join('\n')).toMatch(/acknowledged/);
  }, 120_000);
});
