/**
 * Runs several till commands one after another in one process beside a simulated terminal: node commands-child.ts FILE.
 * FILE is a JSON list of command lines, in which AT is the terminal's address. A line of JSON precedes the output of
 * each.
 */
import { readFileSync } from 'node:fs';
import { repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { main } from '../../src/cli/program.ts';
import { fastClock } from '../support/devices/fast-clock.ts';

const lines = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as string[][];
const { mpi } = simulators;
if (mpi === undefined) throw new Error('there is no simulated mpi terminal');
const station = await simulateOnTcp(mpi, 0, {
  clock: fastClock,
  random: systemRandom,
  cardholder: repeatingCardholder(),
});
for (const line of lines) {
  process.stdout.write(`\n--- ${JSON.stringify(line)}\n`);
  await main(['node', 'tillgate', ...line.map((argument) => (argument === 'AT' ? `mpi+${station.at}` : argument))]);
}
await station.close();
process.exitCode = 0;
