/** The till's own time for a sale, and whether its memory stays flat: a till process and a simulated terminal. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { tillFlags } from '../build/v8-flags.mjs';
import { mpiSimulator } from '../drivers/mpi/simulator/simulator.ts';
import { presentationFor, repeatingCardholder } from '../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../drivers/simulation/simulator.ts';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { systemRandom } from '../src/base/ids.ts';

export type TillBench = { approved: number; steps: number; medianMs: number; p99Ms: number; memoryMb: number[] };

/** People who act at once: only the till's own time is measured. */
const instant: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 1000, then) };

export const benchTill = async (sales: number): Promise<TillBench> => {
  const cardholder = repeatingCardholder([presentationFor({ card: 'mastercard-m10', by: 'chip' })]);
  const station = await simulateOnTcp(mpiSimulator, 0, { clock: instant, random: systemRandom, cardholder });
  try {
    return await till(`mpi+${station.at}`, sales);
  } finally {
    await station.close();
  }
};

const till = (terminal: string, sales: number): Promise<TillBench> =>
  new Promise((resolve, reject) => {
    const file = join(import.meta.dirname, 'till-process.ts');
    const child = spawn(process.execPath, [...tillFlags, file, terminal, String(sales)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(out) as TillBench) : reject(new Error(`the till ended with ${code}`)),
    );
  });
