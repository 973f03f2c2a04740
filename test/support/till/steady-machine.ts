/** A machine that has been up as long as its clock says, with free disk space. */
import type { Clock } from '../../../src/base/clock.ts';
import type { Machine } from '../../../src/folder/machine.ts';

export const steadyMachine = (clock: Clock, boot = 'first'): Machine => ({
  boot,
  upMs: () => clock.monotonic(),
  freeBytes: () => 2 ** 40,
});
