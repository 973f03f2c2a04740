/** The power goes at operations of the disk all through the upgrade of older journals: nothing is lost or half done. */
import { expect, test } from 'vitest';
import { SECTORS } from '../support/disk/medium.ts';
import { fixtureNames, operationsOfUpgrade, playUpgradeCut } from './upgrade-cuts.ts';

/** With both sizes of sector: npm run simulate:days -- --cuts */
test.each(fixtureNames())(
  '%s: a power cut before and after every operation of the upgrade',
  (fixture) => {
    const operations = operationsOfUpgrade(fixture);
    expect(operations).toBeGreaterThan(30);
    for (let at = 0; at < operations; at++)
      for (const when of ['powerCut', 'powerCutAfter'] as const) {
        const sector = SECTORS[at % SECTORS.length] ?? SECTORS[0];
        const cut = { fixture, at, when, sector, seed: at + 1 };
        expect(playUpgradeCut(cut), `${when} ${at}`).toEqual([]);
      }
  },
  120_000,
);
