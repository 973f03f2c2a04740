/**
 * `npm run simulate:days -- --seeds N [--first-seed N] [--plant NAME] [--shrink] [--jobs N] [--cuts]`: whole stores
 * under faults, one line per seed, the failing seed last. With --cuts it plays a short session instead and cuts the
 * power at every operation of its disk, with N survival seeds each. A broken rule gives exit 1, planted or not.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Day } from './day.ts';
import { describeRows, rowsOfDay, TILLS } from './day-rows.ts';
import { playAll } from './day-workers.ts';
import { playEveryCut } from './every-power-cut.ts';
import { isPlantedBug, type PlantedBug, plantedBugs } from './planted-bugs.ts';
import { shrink } from './shrink.ts';

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const refuse = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    'first-seed': { type: 'string', default: '1' },
    plantedBug: { type: 'string' },
    cuts: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

const wholeNumber = (name: string, text: string): number => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : refuse(`--${name} takes a whole number.`);
};

const plantOf = (name: string | undefined): PlantedBug | undefined => {
  if (name === undefined || isPlantedBug(name)) return name;
  return refuse(`--plant takes one of ${Object.keys(plantedBugs).join(', ')}.`);
};

const first = wholeNumber('first-seed', values['first-seed']);
const seeds = wholeNumber('seeds', values.seeds ?? '100');
const jobs = wholeNumber('jobs', values.jobs);
const plantedBug = plantOf(values.plantedBug);

const lineOf = ({ seed, sales, crashes, endings }: Day): string => {
  const each = Object.entries(endings).map(([ending, n]) => `${n} ${ending}`);
  return `seed ${seed}: ${sales} sales, ${crashes} crashes: ${each.join(', ')}`;
};

if (values.cuts) {
  const survivals = values.seeds === undefined ? 1 : seeds;
  process.exit((await playEveryCut({ survivals, jobs, plantedBug }, printLine)) === 0 ? 0 : 1);
}

const startedAt = performance.now();
let days = 0;
let failed: Day | undefined;
const tasks = Array.from({ length: seeds }, (_, n) => ({ seed: first + n, plantedBug }));
await playAll(tasks, jobs, (day) => {
  days += 1;
  if (day.problems.length > 0) failed = day;
  else printLine(lineOf(day));
  return failed === undefined;
});

const seconds = (performance.now() - startedAt) / 1000;
const realTimeFactor = Math.round((days * TILLS * 3600) / seconds);
if (failed !== undefined) {
  printLine(`seed ${failed.seed} BROKEN`);
  for (const rule of new Set(failed.problems)) printLine(`  ${rule}`);
  const shrunk = values.shrink ? await shrink(failed.seed, { plantedBug }) : undefined;
  const rows = shrunk?.rows ?? rowsOfDay(failed.seed);
  if (shrunk !== undefined) {
    printLine(`the smallest day found in ${shrunk.tryCount} tries has ${rows.length} rows:`);
    for (const line of describeRows(rows)) printLine(line);
    for (const rule of new Set(shrunk.problems)) printLine(`  ${rule}`);
  }
}
if (plantedBug === undefined) {
  if (failed === undefined) printLine(`${days} days, every cent accounted for.`);
} else
  printLine(
    failed === undefined
      ? `${plantedBug} was not found in ${days} days: ${plantedBugs[plantedBug]}`
      : `${plantedBug} was found in ${days} days.`,
  );
printLine(`${days * TILLS} till-days in ${seconds.toFixed(1)} s: ${realTimeFactor} an hour`);
process.exit(failed === undefined ? 0 : 1);
