/** How many simulated till-days an hour: whole tills on simulated disks under faults, checked after each row. */
import { playAll } from '../test/simulation/players.ts';
import { OPERATIONS, TILLS } from '../test/simulation/story.ts';

/** On two cores. */
const WANTED_AN_HOUR = 2_000;
const SEEDS = 24;
const JOBS = 2;

export const reportSimulation = async (print: (line: string) => void): Promise<boolean> => {
  print(`\n${SEEDS * TILLS} simulated till-days of ${OPERATIONS} operations each, on ${JOBS} cores …`);
  const began = performance.now();
  let broken = 0;
  await playAll({ first: 1, seeds: SEEDS, jobs: JOBS }, (day) => {
    broken += day.broken.length;
    return true;
  });
  const anHour = Math.round((SEEDS * TILLS * 3_600_000) / (performance.now() - began));
  const holds = broken === 0 && anHour >= WANTED_AN_HOUR;
  print(`till-days an hour              ${anHour} (wanted: ${WANTED_AN_HOUR})  ${holds ? 'ok' : 'MISSED'}`);
  return holds;
};
