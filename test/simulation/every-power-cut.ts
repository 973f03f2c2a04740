/** Cuts the power before and after every operation of a disk, and reports the cuts that break a rule at once. */
import { progressBar } from '../../src/cli/terms.ts';
import { SECTORS } from '../support/disk/medium.ts';
import { playAll } from './day-workers.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { cutInWords, cutsOf, operationsOfSession } from './power-cuts.ts';
import { fixtureNames, operationsOfUpgrade, playUpgradeCut, type UpgradeCut } from './upgrade-cuts.ts';

export type CutOptions = { survivals: number; jobs: number; plantedBug?: PlantedBug | undefined };

/** At most this many of the cuts that break a rule are listed. */
const MAX_LISTED = 20;

/** Plays the session's cuts and those of each older journal's upgrade. Returns how many broke a rule. */
export const playEveryCut = async (request: CutOptions, print: (line: string) => void): Promise<number> =>
  (await playSession(request, print)) + (request.plantedBug === undefined ? playUpgrades(request, print) : 0);

const playUpgrades = ({ survivals }: CutOptions, print: (line: string) => void): number => {
  let broken = 0;
  for (const fixture of fixtureNames()) {
    const operations = operationsOfUpgrade(fixture);
    let cuts = 0;
    for (let n = 0; n < operations * survivals; n++)
      for (const when of ['powerCut', 'powerCutAfter'] as const)
        for (const sector of SECTORS) {
          const cut: UpgradeCut = { fixture, at: n % operations, when, sector, seed: n * sector + 1 };
          const rules = playUpgradeCut(cut);
          cuts += 1;
          if (rules.length > 0) broken += 1;
          if (broken <= MAX_LISTED) for (const rule of rules) print(`${fixture}, ${JSON.stringify(cut)}: ${rule}`);
        }
    print(`the upgrade of ${fixture}: ${operations} operations of the disk, ${cuts} power cuts`);
  }
  print(broken === 0 ? 'After each cut the journal is the old or the new one, intact.' : `${broken} leave it broken.`);
  return broken;
};

const playSession = async (request: CutOptions, print: (line: string) => void): Promise<number> => {
  const operations = await operationsOfSession(request.plantedBug);
  const cuts = cutsOf({ operations, stride: 1, ...request });
  print(`${operations} operations of the disk, ${cuts.length} power cuts`);
  const bar = progressBar(cuts.length);
  const tasks = cuts.map((cut) => ({ cut }));
  let broken = 0;
  let without = 0;
  await playAll(tasks, request.jobs, (day, n) => {
    bar.at(n + 1);
    const cut = cuts[n];
    if (day.crashes === 0) without += 1;
    if (cut === undefined || day.problems.length === 0) return true;
    broken += 1;
    if (broken <= MAX_LISTED) for (const rule of day.problems) print(`${cutInWords(cut)}: ${rule}`);
    return true;
  });
  bar.end();
  if (without > 0) print(`${without} of the cuts came after the end of the session.`);
  print(broken === 0 ? 'No power cut loses a step or a cent.' : `${broken} power cuts lose steps or money.`);
  return broken;
};
