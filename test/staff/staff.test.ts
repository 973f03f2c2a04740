/** Who can sign in and who cannot, and that the journal alone is enough to restore the staff. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayDo, type Permission, permissions, type Role, roles } from '../../src/api/contract/roles.ts';
import { isFault } from '../../src/base/fault.ts';
import { ana, refusal, type StaffRig, staffRig } from '../support/till/staff-rig.ts';

let rig: StaffRig;
beforeEach(() => {
  rig = staffRig(20260102);
});
afterEach(() => rig.end());

const kinds = (): string[] => rig.journal.about('staff').map(({ kind }) => kind);

test('the first person is a manager and needs no approval; the second needs one', async () => {
  expect(await refusal(() => rig.staff.admit(ana, 'sell'))).toBe('staff.nobody');
  expect(await refusal(() => rig.staff.add({ name: 'Ben', role: 'cashier', pin: '8254' }))).toBe('staff.firstManager');
  await rig.withAna();
  expect(await refusal(() => rig.staff.add({ name: 'Eve', role: 'manager', pin: '8254' }))).toBe('staff.needed');
  const by = await rig.staff.admit(ana, 'manageStaff');
  await rig.staff.add({ name: 'Ben', role: 'cashier', pin: '8254' }, by);
  rig.reopen();
  expect(rig.staff.people()).toEqual([
    { name: 'Ana', role: 'manager' },
    { name: 'Ben', role: 'cashier' },
  ]);
  expect(await rig.staff.admit({ name: 'BEN', pin: '8254' }, 'sell')).toEqual({ name: 'Ben', role: 'cashier' });
});

const rows: readonly (readonly [string, Role[]])[] = [
  ['sell', ['cashier', 'manager']],
  ['refund', ['cashier', 'manager']],
  ['void', ['cashier', 'manager']],
  ['credit', ['manager']],
  ['forceEnding', ['manager']],
  ['settleUnpaid', ['manager']],
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

test('a role without the permission is refused despite a right PIN, and this is recorded', async () => {
  await rig.withAna();
  await rig.staff.add({ name: 'Ben', role: 'cashier', pin: '8254' }, { name: 'Ana', role: 'manager' });
  expect(await refusal(() => rig.staff.admit({ name: 'Ben', pin: '8254' }, 'forceEnding'))).toBe('staff.notAllowed');
  expect(JSON.parse(rig.journal.about('staff').at(-1)?.body ?? '')).toMatchObject({
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
  const error = await rig.staff.add({ name: 'Ana', role: 'manager', pin }).catch((caught: unknown) => caught);
  expect(isFault(error, 'staff.pinWeak')).toBe(true);
  expect(pin.length > 2 && JSON.stringify(error, Object.getOwnPropertyNames(error)).includes(`"${pin}"`)).toBe(false);
  expect(rig.staff.people()).toEqual([]);
});

test.each(['4711', '471193', '90210876'])('the PIN "%s" is taken', async (pin) => {
  await rig.staff.add({ name: 'Ana', role: 'manager', pin });
  expect((await rig.staff.admit({ name: 'ana', pin }, 'manageStaff')).name).toBe('Ana');
});

test.each(['', '4711', 'Ana 471193', 'x'.repeat(41), 'A\u0000b'])('the name "%s" is refused', async (name) => {
  expect(await refusal(() => rig.staff.add({ name, role: 'manager', pin: '471193' }))).toBe('staff.name');
});

test('every change and every try is an entry; no PIN and no unknown name is in the file', async () => {
  await rig.withAna();
  await refusal(() => rig.staff.admit({ name: '90210876', pin: '471193' }, 'sell'));
  await refusal(() => rig.staff.admit({ name: 'Ana', pin: '55443322' }, 'sell'));
  const by = await rig.staff.admit(ana, 'manageStaff');
  await rig.staff.add({ name: 'Ben', role: 'technician', pin: '8254' }, by);
  await rig.staff.changePin({ name: 'Ben', pin: '66028817' }, by);
  rig.staff.remove('Ben', by);
  expect(kinds()).toEqual([
    ...['staffAdded', 'staffRefused', 'staffRefused', 'staffAdmitted', 'staffAdded', 'staffPin', 'staffRemoved'],
  ]);
  rig.journal.tidy();
  const bytes = readFileSync(rig.file).toString('latin1');
  expect(['471193', '90210876', '55443322', '66028817'].filter((secret) => bytes.includes(secret))).toEqual([]);
  rig.reopen();
  expect(rig.staff.people()).toEqual([{ name: 'Ana', role: 'manager' }]);
});

test('a copy of the journal without the till’s key cannot verify a PIN', async () => {
  await rig.withAna();
  const elsewhere = rig.openStaff({ pepper: rig.random(32) });
  expect(await refusal(() => elsewhere.admit(ana, 'sell'))).toBe('staff.refused');
  elsewhere.close();
});

test('the last manager cannot be removed; with a second one the first can', async () => {
  await rig.withAna();
  const by = await rig.staff.admit(ana, 'manageStaff');
  expect(await refusal(() => rig.staff.remove('Ana', by))).toBe('staff.lastManager');
  await rig.staff.add({ name: 'Mia', role: 'manager', pin: '8254' }, by);
  expect(rig.staff.remove('Ana', by).name).toBe('Ana');
  expect(await refusal(() => rig.staff.admit(ana, 'sell'))).toBe('staff.refused');
  expect(await refusal(() => rig.staff.remove('Nobody', by))).toBe('staff.unknown');
});

test('a change that cannot be written is not made', async () => {
  await rig.withAna();
  const by = await rig.staff.admit(ana, 'manageStaff');
  const failing = rig.openStaff({
    journal: {
      about: (subject) => rig.journal.about(subject),
      sql: rig.journal.sql,
      write() {
        throw new Error('disk full');
      },
    },
  });
  await expect(failing.add({ name: 'Ben', role: 'cashier', pin: '8254' }, by)).rejects.toThrow('disk full');
  expect(failing.people()).toEqual([{ name: 'Ana', role: 'manager' }]);
});

test('looking up a person by name checks their role, and signs nobody in', async () => {
  await rig.withAna();
  await rig.staff.add({ name: 'Ben', role: 'technician', pin: '8254' }, { name: 'Ana', role: 'manager' });
  const before = kinds();
  expect(rig.staff.named(' ana ', 'sell')).toEqual({ name: 'Ana', role: 'manager' });
  expect(await refusal(() => rig.staff.named('Ben', 'sell'))).toBe('staff.notAllowed');
  expect(await refusal(() => rig.staff.named('4761739001010010', 'sell'))).toBe('staff.unknown');
  expect(kinds()).toEqual(before);
});
