/** A till's people, with a real journal in a separate folder and a virtual clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { isFault } from '../../../src/base/fault.ts';
import type { FaultCode } from '../../../src/base/faults.ts';
import type { Random } from '../../../src/base/ids.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { openStaff, type Staff, type StaffParts } from '../../../src/staff/staff.ts';
import { dice } from '../chance/dice.ts';
import { openJournalUnsynced } from '../disk/unsynced-sql.ts';
import { type VirtualClock, virtualClock } from '../time/virtual-clock.ts';
import { cheapStretchCost } from './stretch-cost.ts';

export const ana = { name: 'Ana', pin: '471193' };
export const ben = { name: 'Ben', pin: '8254' };
/** Ana, as the person who makes a change. */
export const manager = { name: 'Ana', role: 'manager' } as const;

export type StaffRig = {
  readonly random: Random;
  readonly clock: VirtualClock;
  /** The path of the journal. */
  readonly file: string;
  journal: Journal;
  staff: Staff;
  /** Opens the people in this till's journal again, besides the open ones. */
  openStaff(overrides?: Partial<StaffParts>): Staff;
  /** Ana is a manager, the first person of all. */
  withAna(): Promise<void>;
  /** Reopens what was closed, with another clock if one is given. */
  open(clock?: Clock): void;
  closeJournal(): void;
  reopen(clock?: Clock): void;
  /** Closes it, deletes its folder, and checks that no timer is left. */
  end(): void;
};

export const staffRig = (seed: number): StaffRig => {
  const { random } = dice(seed);
  const pepper = random(32);
  const clock = virtualClock();
  const folder = mkdtempSync(join(tmpdir(), 'staff-'));
  const file = join(folder, 'journal.db');
  const parts = { clock, random, stretchCost: cheapStretchCost, pepper };
  const opened = (clock: Clock) => {
    const journal = openJournalUnsynced(file, clock);
    return { journal, staff: openStaff({ ...parts, journal, clock: clock }) };
  };
  const rig: StaffRig = {
    ...{ random, clock, file, ...opened(clock) },
    openStaff: (overrides) => openStaff({ ...parts, journal: rig.journal, ...overrides }),
    async withAna() {
      await rig.staff.add({ ...ana, role: 'manager' });
    },
    open: (at = clock) => void Object.assign(rig, opened(at)),
    closeJournal() {
      rig.staff.close();
      rig.journal.close();
    },
    reopen(clock) {
      rig.closeJournal();
      rig.open(clock);
    },
    end() {
      rig.staff.close();
      expect(clock.waiting()).toBe(0);
      rig.journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return rig;
};

/** The fault that it is refused with, or nothing; whatever else goes wrong is thrown. */
export const refusal = async (work: () => unknown): Promise<FaultCode | undefined> => {
  try {
    await work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return undefined;
};
