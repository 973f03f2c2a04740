/** Whose name is printed on a receipt. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../src/api/ports/session.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

test('a receipt’s cashier has any name without staff, then one’s own; a manager can name somebody else', async () => {
  const { running, service, ended, close } = await rig.open();
  const named = async (actor: Actor, cashier: string, key: string) =>
    (await ended(await service.begin({ operation: 'sale', amount: eur('5.00'), cashier }, actor, key))).cashier;
  expect(await named({ permissions: ['sell'] }, 'Kim', 'key-00001')).toBe('Kim');
  const mara = await rig.clock.until(running.staff.add({ name: 'Mara', role: 'manager', pin: '482915' }));
  await rig.clock.until(running.staff.add({ name: 'Anna', role: 'cashier', pin: '738204' }, mara));
  const manager = { name: 'Mara', role: 'manager', permissions: ['sell', 'seeAll'] } as const;
  expect(await named(anna, 'anna', 'key-00002')).toBe('Anna');
  expect(await named(manager, 'Anna', 'key-00003')).toBe('Anna');
  await expect(named(anna, 'Mara', 'key-00004')).rejects.toMatchObject({ code: 'staff.notAllowed' });
  await expect(named(manager, 'Kim', 'key-00005')).rejects.toMatchObject({ code: 'staff.unknown' });
  const program = { program: 'POS', permissions: ['sell'] } as const;
  await expect(named(program, 'Anna', 'key-00006')).rejects.toMatchObject({ code: 'request.malformed' });
  await close();
});
