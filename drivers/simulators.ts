/** The simulated terminals by protocol name. */
import { mmsSimulator } from './mms/simulator/simulator.ts';
import { mpiSimulator } from './mpi/simulator/simulator.ts';
import { neo2Simulator } from './neo2/simulator/simulator.ts';
import type { Model } from './simulation/simulator.ts';
import { zvtSimulator } from './zvt/simulator/simulator.ts';

export const simulators: Readonly<Record<string, Model>> = {
  mms: mmsSimulator,
  mpi: mpiSimulator,
  neo2: neo2Simulator,
  zvt: zvtSimulator,
};
