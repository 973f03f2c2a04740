/**
 * `npm run simulate:days -- --seeds N [--first-seed N] [--plant NAME] [--shrink] [--jobs N] [--cuts]`: whole stores
 * under faults, one line per seed, the failing seed last. With --cuts it plays a short session instead and cuts the
 * power at every operation of its disk, with N survival seeds each. A broken rule gives exit 1, planted or not.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Day } from './day.ts';
import { playEveryCut } from './every-cut.ts';
import { isPlant, type Plant, plants } from './plants.ts';
import { playAll } from './players.ts';
import { shrink } from './shrink.ts';
import { storyOf, TILLS, tell } from './story.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    'first-seed': { type: 'string', default: '1' },
    plant: { type: 'string' },
    cuts: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

const whole = (name: string, text: string): number => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : refuse(`--${name} takes a whole number.`);
};

const plantOf = (name: string | undefined): Plant | undefined => {
  if (name === undefined || isPlant(name)) return name;
  return refuse(`--plant takes one of ${Object.keys(plants).join(', ')}.`);
};

const first = whole('first-seed', values['first-seed']);
const seeds = whole('seeds', values.seeds ?? '100');
const jobs = whole('jobs', values.jobs);
const plant = plantOf(values.plant);

const lineOf = ({ seed, sales, crashes, endings }: Day): string => {
  const each = Object.entries(endings).map(([ending, n]) => `${n} ${ending}`);
  return `seed ${seed}: ${sales} sales, ${crashes} crashes: ${each.join(', ')}`;
};

if (values.cuts) {
  const survivals = values.seeds === undefined ? 1 : seeds;
  process.exit((await playEveryCut({ survivals, jobs, plant }, say)) === 0 ? 0 : 1);
}

const began = performance.now();
let days = 0;
let failed: Day | undefined;
const tasks = Array.from({ length: seeds }, (_, n) => ({ seed: first + n, plant }));
await playAll(tasks, jobs, (day) => {
  days += 1;
  if (day.broken.length > 0) failed = day;
  else say(lineOf(day));
  return failed === undefined;
});

const seconds = (performance.now() - began) / 1000;
const pace = Math.round((days * TILLS * 3600) / seconds);
if (failed !== undefined) {
  say(`seed ${failed.seed} BROKEN`);
  for (const rule of new Set(failed.broken)) say(`  ${rule}`);
  const small = values.shrink ? await shrink(failed.seed, { plant }) : undefined;
  const rows = small?.rows ?? storyOf(failed.seed);
  if (small !== undefined) {
    say(`the smallest day found in ${small.tries} tries has ${rows.length} rows:`);
    for (const line of tell(rows)) say(line);
    for (const rule of new Set(small.broken)) say(`  ${rule}`);
  }
}
if (plant === undefined) {
  if (failed === undefined) say(`${days} days, every cent accounted for.`);
} else
  say(
    failed === undefined
      ? `${plant} was not found in ${days} days: ${plants[plant]}`
      : `${plant} was found in ${days} days.`,
  );
say(`${days * TILLS} till-days in ${seconds.toFixed(1)} s: ${pace} an hour`);
process.exit(failed === undefined ? 0 : 1);
