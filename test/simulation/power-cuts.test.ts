/**
 * The power is cut at operations of the disk throughout a selling session: no acknowledged step is lost or half
 * written, and the money adds up. With synchronous = NORMAL the same cuts find lost steps, so the test would find them.
 */
import { describe, expect, test } from 'vitest';
import { byNight } from '../support/night/night.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { cutsOf, describeCut, operationsOfSession, playCut } from './power-cuts.ts';

/** The daytime test cuts at five operations of the session. For every one: npm run simulate:days -- --cuts */
const STRIDE = byNight({ day: 331, night: 149 });

const brokenBy = async (plantedBug?: PlantedBug): Promise<Map<string, readonly string[]>> => {
  const operations = await operationsOfSession(plantedBug);
  expect(operations).toBeGreaterThan(3 * STRIDE);
  const problemsByCut = new Map<string, readonly string[]>();
  for (const cut of cutsOf({ operations, stride: STRIDE, survivals: 1, plantedBug })) {
    const day = await playCut(cut);
    expect(day.crashes, describeCut(cut)).toBeGreaterThan(0);
    if (day.problems.length > 0) problemsByCut.set(describeCut(cut), day.problems);
  }
  return problemsByCut;
};

describe('a power cut at regular disk operations', () => {
  test('loses no acknowledged step', async () => {
    expect(await brokenBy()).toEqual(new Map());
  }, 120_000);

  test('loses acknowledged steps if commits are not synced', async () => {
    const problemsByCut = await brokenBy('normalSync');
    expect(problemsByCut.size).toBeGreaterThan(1);
    expect([...problemsByCut.values()].flat().join('\n')).toMatch(/acknowledged/);
  }, 120_000);
});
