/** Cuts the power before and after every operation of a disk, and reports the cuts that break a rule at once. */
import { progressBar } from '../../src/cli/terms.ts';
import { SECTORS } from '../support/disk/medium.ts';
import { playAll } from './day-workers.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { cutsOf, describeCut, operationsOfSession } from './power-cuts.ts';
import { fixtureNames, operationsOfUpgrade, playUpgradeCut, type UpgradeCut } from './upgrade-cuts.ts';

export type CutOptions = { survivals: number; jobs: number; plantedBug?: PlantedBug | undefined };

/** At most this many of the cuts that break a rule are listed. */
const MAX_LISTED = 20;

/** Plays the session's cuts and those of each older journal's upgrade. Returns how many broke a rule. */
export const playEveryCut = async (request: CutOptions, print: (line: string) => void): Promise<number> =>
  (await playSession(request, print)) + (request.plantedBug === undefined ? playUpgrades(request, print) : 0);

const playUpgrades = ({ survivals }: CutOptions, print: (line: string) => void): number => {
  let brokenCount = 0;
  for (const fixture of fixtureNames()) {
    const operations = operationsOfUpgrade(fixture);
    let cuts = 0;
    for (let n = 0; n < operations * survivals; n++)
      for (const moment of ['powerCut', 'powerCutAfter'] as const)
        for (const sector of SECTORS) {
          const cut: UpgradeCut = { fixture, at: n % operations, moment, sector, seed: n * sector + 1 };
          const rules = playUpgradeCut(cut);
          cuts += 1;
          if (rules.length > 0) brokenCount += 1;
          if (brokenCount <= MAX_LISTED) for (const rule of rules) print(`${fixture}, ${JSON.stringify(cut)}: ${rule}`);
        }
    print(`the upgrade of ${fixture}: ${operations} operations of the disk, ${cuts} power cuts`);
  }
  print(
    brokenCount === 0
      ? 'After each cut the journal is the old or the new one, intact.'
      : `${brokenCount} leave it broken.`,
  );
  return brokenCount;
};

const playSession = async (request: CutOptions, print: (line: string) => void): Promise<number> => {
  const operations = await operationsOfSession(request.plantedBug);
  const cuts = cutsOf({ operations, stride: 1, ...request });
  print(`${operations} operations of the disk, ${cuts.length} power cuts`);
  const progress = progressBar(cuts.length);
  const tasks = cuts.map((cut) => ({ cut }));
  let brokenCount = 0;
  let without = 0;
  await playAll(tasks, request.jobs, (day, n) => {
    progress.at(n + 1);
    const cut = cuts[n];
    if (day.crashes === 0) without += 1;
    if (cut === undefined || day.problems.length === 0) return true;
    brokenCount += 1;
    if (brokenCount <= MAX_LISTED) for (const rule of day.problems) print(`${describeCut(cut)}: ${rule}`);
    return true;
  });
  progress.end();
  if (without > 0) print(`${without} of the cuts came after the end of the session.`);
  print(brokenCount === 0 ? 'No power cut loses a step or a cent.' : `${brokenCount} power cuts lose steps or money.`);
  return brokenCount;
};
