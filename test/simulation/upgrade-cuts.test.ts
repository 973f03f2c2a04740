/** The disk fails at operations throughout the upgrade of older journals: nothing is lost or half written. */
import { expect, test } from 'vitest';
import { SECTORS } from '../support/disk/medium.ts';
import { byNight } from '../support/night/night.ts';
import { fixtureNames, operationsOfUpgrade, playUpgradeCut } from './upgrade-cuts.ts';

/** The daytime test cuts each operation in the upgrade of only one of the journals, in turn. */
const STRIDE = byNight({ day: fixtureNames().length, night: 1 });

/** The daytime test takes the two faults in turn. */
const failureMoments = (at: number) => {
  const writeFaults = ['full', 'failed'] as const;
  return byNight<readonly (typeof writeFaults)[number][]>({
    day: [writeFaults[at % 2 === 0 ? 0 : 1]],
    night: writeFaults,
  });
};

/** To test both sector sizes: npm run simulate:days -- --cuts */
test.each([...fixtureNames().entries()])(
  '%i, %s: a power cut before and after operations of the upgrade, and a disk that is full or fails from there on',
  (sectorIndex, fixture) => {
    const operations = operationsOfUpgrade(fixture);
    expect(operations).toBeGreaterThan(30);
    for (let index = sectorIndex % STRIDE; index < operations; index += STRIDE)
      for (const moment of ['powerCut', 'powerCutAfter', ...failureMoments(index)] as const) {
        const sector = SECTORS[index % SECTORS.length] ?? SECTORS[0];
        const cut = { fixture, at: index, moment, sector, seed: index + 1 };
        expect(playUpgradeCut(cut), `${moment} ${index}`).toEqual([]);
      }
  },
  120_000,
);
