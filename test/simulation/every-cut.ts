/** Cuts the power before and after every operation of a disk, and reports the cuts that break a rule at once. */
import { progressBar } from '../../src/cli/terms.ts';
import { SECTORS } from '../support/disk/medium.ts';
import type { Plant } from './plants.ts';
import { playAll } from './players.ts';
import { cutInWords, cutsOf, operationsOfSession } from './power-cuts.ts';
import { fixtureNames, operationsOfUpgrade, playUpgradeCut, type UpgradeCut } from './upgrade-cuts.ts';

export type CutWish = { survivals: number; jobs: number; plant?: Plant | undefined };

/** At most this many of the cuts that break a rule are listed. */
const TOLD_MOST = 20;

/** Plays the session's cuts and those of each older journal's upgrade. Returns how many broke a rule. */
export const playEveryCut = async (wish: CutWish, say: (line: string) => void): Promise<number> =>
  (await playSession(wish, say)) + (wish.plant === undefined ? playUpgrades(wish, say) : 0);

const playUpgrades = ({ survivals }: CutWish, say: (line: string) => void): number => {
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
          if (broken <= TOLD_MOST) for (const rule of rules) say(`${fixture}, ${JSON.stringify(cut)}: ${rule}`);
        }
    say(`the upgrade of ${fixture}: ${operations} operations of the disk, ${cuts} power cuts`);
  }
  say(broken === 0 ? 'After each cut the journal is the old or the new one, intact.' : `${broken} leave it broken.`);
  return broken;
};

const playSession = async (wish: CutWish, say: (line: string) => void): Promise<number> => {
  const operations = await operationsOfSession(wish.plant);
  const cuts = cutsOf({ operations, stride: 1, ...wish });
  say(`${operations} operations of the disk, ${cuts.length} power cuts`);
  const bar = progressBar(cuts.length);
  const tasks = cuts.map((cut) => ({ cut }));
  let broken = 0;
  let without = 0;
  await playAll(tasks, wish.jobs, (day, n) => {
    bar.at(n + 1);
    const cut = cuts[n];
    if (day.crashes === 0) without += 1;
    if (cut === undefined || day.broken.length === 0) return true;
    broken += 1;
    if (broken <= TOLD_MOST) for (const rule of day.broken) say(`${cutInWords(cut)}: ${rule}`);
    return true;
  });
  bar.end();
  if (without > 0) say(`${without} of the cuts came after the end of the session.`);
  say(broken === 0 ? 'No power cut loses a step or a cent.' : `${broken} power cuts lose steps or money.`);
  return broken;
};
