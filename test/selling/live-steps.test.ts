/** The steps of a sale, as they are reported to listeners. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

test('the steps of a sale are reported as they come, numbered from 1', async () => {
  const { service, told, ended, close } = await rig.open();
  const { id } = await ended(await service.begin({ operation: 'sale', amount: eur('12.50') }, anna, 'key-00001'));
  const sales = told.flatMap((event) => (event.on === 'sale' && event.sale.id === id ? [event.sale] : []));
  const steps = service.liveSale(id).steps ?? [];
  expect(steps.map(({ n }) => n)).toEqual(steps.map((_, index) => index + 1));
  const names = steps.map(({ step }) => step);
  expect(names.filter((name) => name.startsWith('ask') || name.startsWith('card'))).toEqual([
    ...['askingBank', 'cardFinishing'],
  ]);
  const isTold = steps.map(({ n }) => sales.some((one) => one.steps?.at(-1)?.n === n));
  expect(isTold).toEqual(steps.map(() => true));
  await close();
});
