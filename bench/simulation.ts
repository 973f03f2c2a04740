/** How many simulated till-days per hour: whole tills on simulated disks with faults, checked after each row. */
import { loadavg } from 'node:os';
import { OPERATIONS, TILLS } from '../test/simulation/day-rows.ts';
import { playAll } from '../test/simulation/day-workers.ts';

/** On two cores. */
const WANTED_AN_HOUR = 2_000;
const SEEDS = 24;
const JOBS = 2;

export const reportSimulation = async (print: (line: string) => void): Promise<boolean> => {
  print(`\n${SEEDS * TILLS} simulated till-days of ${OPERATIONS} operations each, on ${JOBS} cores …`);
  const startedAt = performance.now();
  const worked = process.cpuUsage();
  let brokenCount = 0;
  const tasks = Array.from({ length: SEEDS }, (_, n) => ({ seed: n + 1 }));
  await playAll(tasks, JOBS, (day) => {
    brokenCount += day.problems.length;
    return true;
  });
  const { user, system } = process.cpuUsage(worked);
  const hourly = (ms: number): number => Math.round((SEEDS * TILLS * 3_600_000) / ms);
  const anHour = hourly(performance.now() - startedAt);
  const isMet = brokenCount === 0 && anHour >= WANTED_AN_HOUR;
  print(`till-days an hour              ${anHour} (wanted: ${WANTED_AN_HOUR})  ${isMet ? 'ok' : 'MISSED'}`);
  // Other programs share the cores: the CPU time of the days themselves shows their speed with both cores.
  print(
    `with both cores to themselves  ${hourly((user + system) / 1000 / JOBS)} (load ${(loadavg()[0] ?? 0).toFixed(1)})`,
  );
  return isMet;
};
