/** A machine that is up as long as its clock says, with room on its disk. */
import type { Clock } from '../../../src/base/clock.ts';
import type { Machine } from '../../../src/folder/machine.ts';

export const steadyMachine = (clock: Clock, boot = 'first'): Machine => ({
  boot,
  upMs: () => clock.monotonic(),
  freeBytes: () => 2 ** 40,
});
