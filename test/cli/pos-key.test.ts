/** Who approves a key that a program sells with, at the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { approverOf, tellOfUnapproved } from '../../src/cli/store/staff.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openPosKeys } from '../../src/staff/sessions/pos-keys.ts';
import { openStaff, type Staff } from '../../src/staff/staff.ts';
import { dice } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const { random } = dice(19);
const clock = virtualClock();
const ana = { name: 'Ana', role: 'manager' } as const;
const tom = { name: 'Tom', role: 'technician' } as const;
let folder: string;
let journal: Journal;
let staff: Staff;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pos-key-'));
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  staff = openStaff({ journal, clock, random, stretchCost: cheapStretchCost, pepper: random(32) });
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const running = () => ({ staff });
const pinFile = (pin: string): string => {
  const file = join(folder, 'pin');
  writeFileSync(file, `${pin}\n`, { mode: 0o600 });
  return file;
};

test('a manager who makes a key approves it; whoever else does names a manager, whose PIN is asked for', async () => {
  await staff.add({ ...ana, pin: '471193' });
  await staff.add({ ...tom, pin: '740265' }, ana);
  expect(await approverOf({}, running(), ana)).toEqual(ana);
  await expect(approverOf({}, running(), tom)).rejects.toMatchObject({ code: 'posKey.approvalNeeded' });
  const asked = { approvedBy: 'Ana', approverPinFile: pinFile('471193') };
  expect(await approverOf(asked, running(), tom)).toEqual(ana);
  const wrong = approverOf({ ...asked, approverPinFile: pinFile('471194') }, running(), tom);
  await expect(wrong).rejects.toMatchObject({ code: 'staff.refused' });
  const own = approverOf({ approvedBy: 'Tom', approverPinFile: pinFile('740265') }, running(), tom);
  await expect(own).rejects.toMatchObject({ code: 'staff.notAllowed' });
});

test('as long as nobody is known nobody approves it', async () => {
  expect(await approverOf({}, running(), undefined)).toBeUndefined();
});

test('whoever removes a manager is told which keys nobody stands for then', async () => {
  const told: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(told.push(String(text))));
  await staff.add({ ...ana, pin: '471193' });
  await staff.add({ name: 'Max', role: 'manager', pin: '740265' }, ana);
  openPosKeys({ journal, clock, random }).make({ name: 'Kiosk' }, { by: 'Tom', approvedBy: 'Max' });
  tellOfUnapproved({ journal, staff });
  expect(told).toEqual([]);
  staff.remove('Max', ana);
  tellOfUnapproved({ journal, staff });
  vi.restoreAllMocks();
  expect(told.join('')).toContain('No manager stands for the key of Kiosk; programs go on selling with it.');
});
