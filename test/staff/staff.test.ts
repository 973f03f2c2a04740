/** Who gets in, who does not, how guessing is stopped, and that the journal alone tells all of it again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import type { FaultCode } from '../../src/base/faults.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { mayDo, type Permission, permissions, type Role, roles } from '../../src/staff/roles.ts';
import { openStaff, type Staff } from '../../src/staff/staff.ts';
import { dice } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { cheapStretchCost as stretchCost } from '../support/till/stretch-cost.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const chance = dice(20260102);
const pepper = chance.random(32);
const file = (): string => join(folder, 'journal.db');

let folder: string;
let clock: VirtualClock;
let journal: Journal;
let staff: Staff;

const open = (): void => {
  journal = openJournalUnsynced(file(), clock);
  staff = openStaff({ journal, clock, random: chance.random, stretchCost, pepper });
};
const reopen = (): void => {
  journal.close();
  open();
};
const kinds = (): string[] => journal.about('staff').map(({ kind }) => kind);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'staff-'));
  clock = virtualClock();
  open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const refusal = async (work: () => unknown): Promise<FaultCode | undefined> => {
  try {
    await work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return undefined;
};

const ana = { name: 'Ana', pin: '471193' };

const withAna = async (): Promise<void> => void (await staff.add({ ...ana, role: 'manager' }));

test('the first person is a manager and needs nobody’s leave; the second needs somebody’s', async () => {
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.nobody');
  expect(await refusal(() => staff.add({ name: 'Ben', role: 'cashier', pin: '8254' }))).toBe('staff.firstManager');
  await withAna();
  expect(await refusal(() => staff.add({ name: 'Eve', role: 'manager', pin: '8254' }))).toBe('staff.needed');
  const by = await staff.admit(ana, 'manageStaff');
  await staff.add({ name: 'Ben', role: 'cashier', pin: '8254' }, by);
  reopen();
  expect(staff.people()).toEqual([
    { name: 'Ana', role: 'manager' },
    { name: 'Ben', role: 'cashier' },
  ]);
  expect(await staff.admit({ name: 'BEN', pin: '8254' }, 'sell')).toEqual({ name: 'Ben', role: 'cashier' });
});

const rows: readonly (readonly [string, Role[]])[] = [
  ['sell', ['cashier', 'manager']],
  ['refund', ['cashier', 'manager']],
  ['void', ['cashier', 'manager']],
  ['credit', ['manager']],
  ['forceEnding', ['manager']],
  ['closeBatch', ['manager']],
  ['overrideClose', ['manager']],
  ['exportJournal', ['manager', 'technician']],
  ['importJournal', ['manager', 'technician']],
  ['changeLimits', ['manager']],
  ['manageStaff', ['manager']],
  ['goLive', ['manager']],
  ['seeAll', ['manager', 'technician']],
];

test.each(rows)('%s is for %j alone', (permission, allowed) => {
  expect(roles.filter((role) => mayDo(role, permission as Permission))).toEqual(allowed);
});

test('a technician never touches money', () => {
  const money: Permission[] = ['sell', 'refund', 'void', 'tip', 'preauthorise', 'credit', 'forceEnding', 'closeBatch'];
  expect(money.filter((permission) => permissions[permission].includes('technician'))).toEqual([]);
});

test('a role that does not do is refused though the PIN is right, and written down', async () => {
  await withAna();
  await staff.add({ name: 'Ben', role: 'cashier', pin: '8254' }, { name: 'Ana', role: 'manager' });
  expect(await refusal(() => staff.admit({ name: 'Ben', pin: '8254' }, 'forceEnding'))).toBe('staff.notAllowed');
  expect(JSON.parse(journal.about('staff').at(-1)?.body ?? '')).toMatchObject({
    on: 'staffRefused',
    name: 'Ben',
    why: 'role',
    permission: 'forceEnding',
  });
});

const weak = [
  '1234',
  '4321',
  '0000',
  '1212',
  '123123',
  '1984',
  '2007',
  '7890',
  '0987',
  '2580',
  '1122',
  '123',
  '12a4',
  '',
];

test.each(weak)('the PIN "%s" is refused, and its digits are in no fault', async (pin) => {
  const error = await staff.add({ name: 'Ana', role: 'manager', pin }).catch((caught: unknown) => caught);
  expect(isFault(error, 'staff.pinWeak')).toBe(true);
  expect(pin.length > 2 && JSON.stringify(error, Object.getOwnPropertyNames(error)).includes(`"${pin}"`)).toBe(false);
  expect(staff.people()).toEqual([]);
});

test.each(['4711', '471193', '90210876'])('the PIN "%s" is taken', async (pin) => {
  await staff.add({ name: 'Ana', role: 'manager', pin });
  expect((await staff.admit({ name: 'ana', pin }, 'manageStaff')).name).toBe('Ana');
});

test.each(['', '4711', 'Ana 471193', 'x'.repeat(41), 'A\u0000b'])('the name "%s" is refused', async (name) => {
  expect(await refusal(() => staff.add({ name, role: 'manager', pin: '471193' }))).toBe('staff.name');
});

test('after five wrong PINs the name is locked, longer each time, also over a restart and a clock set forward', async () => {
  await withAna();
  const guess = () => refusal(() => staff.admit({ name: 'Ana', pin: '000001' }, 'sell'));
  for (let n = 0; n < 5; n++) expect(await guess()).toBe('staff.refused');
  expect(await guess()).toBe('staff.locked');
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.locked');
  const wall = { ...clock, now: () => clock.now() + 86_400_000 };
  journal.close();
  journal = openJournalUnsynced(file(), wall);
  staff = openStaff({ journal, clock: wall, random: chance.random, stretchCost, pepper });
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.locked');
  await clock.advance(59_999);
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.locked');
  await clock.advance(1);
  // A sixth wrong one locks for two minutes.
  expect(await guess()).toBe('staff.refused');
  await clock.advance(119_999);
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.locked');
  await clock.advance(1);
  expect((await staff.admit(ana, 'sell')).name).toBe('Ana');
  // The count begins anew.
  for (let n = 0; n < 4; n++) expect(await guess()).toBe('staff.refused');
  expect((await staff.admit(ana, 'sell')).name).toBe('Ana');
});

test('a machine that was started since the last guess has been up for a while at least, and no longer', async () => {
  await clock.advance(500_000);
  await withAna();
  for (let n = 0; n < 5; n++) await refusal(() => staff.admit({ name: 'Ana', pin: '000001' }, 'sell'));
  const fresh = virtualClock();
  await fresh.advance(30_000);
  journal.close();
  journal = openJournalUnsynced(file(), fresh);
  staff = openStaff({ journal, clock: fresh, random: chance.random, stretchCost, pepper });
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.locked');
  await fresh.advance(30_000);
  expect((await staff.admit(ana, 'sell')).name).toBe('Ana');
});

test('guesses side by side are counted one by one', async () => {
  await withAna();
  const guesses = Array.from({ length: 8 }, () => refusal(() => staff.admit({ name: 'Ana', pin: '000001' }, 'sell')));
  const refused = await Promise.all(guesses);
  expect(refused.filter((code) => code === 'staff.refused')).toHaveLength(5);
  expect(refused.filter((code) => code === 'staff.locked')).toHaveLength(3);
});

test('every change and every try is an entry; neither PIN nor unknown name is in the file', async () => {
  await withAna();
  await refusal(() => staff.admit({ name: '90210876', pin: '471193' }, 'sell'));
  await refusal(() => staff.admit({ name: 'Ana', pin: '55443322' }, 'sell'));
  const by = await staff.admit(ana, 'manageStaff');
  await staff.add({ name: 'Ben', role: 'technician', pin: '8254' }, by);
  await staff.changePin({ name: 'Ben', pin: '66028817' }, by);
  staff.remove('Ben', by);
  expect(kinds()).toEqual([
    ...['staffAdded', 'staffRefused', 'staffRefused', 'staffAdmitted', 'staffAdded', 'staffPin', 'staffRemoved'],
  ]);
  journal.tidy();
  const bytes = readFileSync(file()).toString('latin1');
  expect(['471193', '90210876', '55443322', '66028817'].filter((secret) => bytes.includes(secret))).toEqual([]);
  reopen();
  expect(staff.people()).toEqual([{ name: 'Ana', role: 'manager' }]);
});

test('a copy of the journal without the till’s key proves no PIN', async () => {
  await withAna();
  const elsewhere = openStaff({ journal, clock, random: chance.random, stretchCost, pepper: chance.random(32) });
  expect(await refusal(() => elsewhere.admit(ana, 'sell'))).toBe('staff.refused');
});

test('the last manager stays; a second one lets the first go', async () => {
  await withAna();
  const by = await staff.admit(ana, 'manageStaff');
  expect(await refusal(() => staff.remove('Ana', by))).toBe('staff.lastManager');
  await staff.add({ name: 'Mia', role: 'manager', pin: '8254' }, by);
  expect(staff.remove('Ana', by).name).toBe('Ana');
  expect(await refusal(() => staff.admit(ana, 'sell'))).toBe('staff.refused');
  expect(await refusal(() => staff.remove('Nobody', by))).toBe('staff.unknown');
});

test('a change that cannot be written down has not been made', async () => {
  await withAna();
  const by = await staff.admit(ana, 'manageStaff');
  const failing = openStaff({
    journal: {
      about: (subject) => journal.about(subject),
      write() {
        throw new Error('disk full');
      },
    },
    ...{ clock, random: chance.random, stretchCost, pepper },
  });
  await expect(failing.add({ name: 'Ben', role: 'cashier', pin: '8254' }, by)).rejects.toThrow('disk full');
  expect(failing.people()).toEqual([{ name: 'Ana', role: 'manager' }]);
});

test('by name alone somebody is told, with the role that does, and nobody is let in', async () => {
  await withAna();
  await staff.add({ name: 'Ben', role: 'technician', pin: '8254' }, { name: 'Ana', role: 'manager' });
  const before = kinds();
  expect(staff.named(' ana ', 'sell')).toEqual({ name: 'Ana', role: 'manager' });
  expect(await refusal(() => staff.named('Ben', 'sell'))).toBe('staff.notAllowed');
  expect(await refusal(() => staff.named('4761739001010010', 'sell'))).toBe('staff.unknown');
  expect(kinds()).toEqual(before);
});
