/** The captured and derived MPI bytes of the vector file, by name. */
import { capturesOf } from '../../support/devices/driver-captures.ts';

export const { captures, captured } = capturesOf((protocol) => protocol === 'miura-mpi');
