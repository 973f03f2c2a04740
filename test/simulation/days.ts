/**
 * `npm run simulate:days -- --seeds N [--first-seed N] [--plant NAME] [--shrink] [--jobs N] [--cuts]`: whole stores
 * under faults, a line a seed, the failing last. With --cuts a short session instead, and the power goes at every
 * operation of its disk. A planted bug is to be found: then that is the good end.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Day } from './day.ts';
import { isPlant, type Plant, plants } from './plants.ts';
import { playAll } from './players.ts';
import { sweep } from './power-cuts.ts';
import { shrink } from './shrink.ts';
import { storyOf, TILLS, tell } from './story.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
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
const seeds = whole('seeds', values.seeds);
const jobs = whole('jobs', values.jobs);
const plant = plantOf(values.plant);

const lineOf = ({ seed, sales, crashes, endings }: Day): string => {
  const each = Object.entries(endings).map(([ending, n]) => `${n} ${ending}`);
  return `seed ${seed}: ${sales} sales, ${crashes} crashes: ${each.join(', ')}`;
};

if (values.cuts) {
  const broken = await sweep({ stride: 1, plant });
  for (const [cut, rules] of broken) for (const rule of rules) say(`${cut}: ${rule}`);
  say(broken.size === 0 ? 'No power cut loses a step.' : `${broken.size} power cuts lose steps or money.`);
  process.exit((broken.size === 0) === (plant === undefined) ? 0 : 1);
}

const began = performance.now();
let days = 0;
let failed: Day | undefined;
await playAll({ first, seeds, jobs, plant }, (day) => {
  days += 1;
  if (day.broken.length > 0) failed = day;
  else if (plant === undefined) say(lineOf(day));
  return failed === undefined;
});

const seconds = (performance.now() - began) / 1000;
const pace = Math.round((days * TILLS * 3600) / seconds);
if (failed !== undefined) {
  say(`seed ${failed.seed} BROKEN`);
  for (const rule of failed.broken) say(`  ${rule}`);
  const small = values.shrink ? await shrink(failed.seed, { plant }) : undefined;
  const rows = small?.rows ?? storyOf(failed.seed);
  if (small !== undefined) {
    say(`the smallest day found in ${small.tries} tries has ${rows.length} rows:`);
    for (const line of tell(rows)) say(line);
    for (const rule of small.broken) say(`  ${rule}`);
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
process.exit((failed === undefined) === (plant === undefined) ? 0 : 1);
