/** Money through the selling service, from an auditor's view: the keys of requests, and who owns them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anna, counterRig, eur, type Rig } from '../selling/counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const program = (name: string) => ({ program: name, permissions: ['sell', 'refund'] }) as const;
const sale = { operation: 'sale', amount: eur('12.50') } as const;
const charged = (): number =>
  rig.host.books.filter(({ paymentType, code }) => paymentType === 'DB' && code === '000.100.110').length;

test('two programs with the same order numbers each charge their own customer', async () => {
  const first = await rig.open();
  const one = await first.ended(await first.service.begin(sale, program('POS 1'), 'order-0001'));
  const two = await first.ended(await first.service.begin(sale, program('POS 2'), 'order-0001'));
  expect(two.id).not.toBe(one.id);
  expect(charged()).toBe(2);
  const three = await first.ended(await first.service.begin(sale, anna, 'order-0001'));
  expect(charged()).toBe(3);
  await first.close();
  const second = await rig.open();
  expect((await second.service.begin(sale, program('POS 1'), 'order-0001')).id).toBe(one.id);
  expect((await second.service.begin(sale, program('POS 2'), 'order-0001')).id).toBe(two.id);
  // People share their keys: whoever is signed in later can ask what became of the sale.
  expect((await second.service.begin(sale, { ...anna, name: 'Ben' }, 'order-0001')).id).toBe(three.id);
  expect(charged()).toBe(3);
  await second.close();
});

test('a repeated request finds its sale and begins none', async () => {
  const { service, ended, close } = await rig.open();
  expect(service.repeated?.(sale, anna, 'key-00001')).toBeUndefined();
  const { id, receipt } = await ended(await service.begin(sale, anna, 'key-00001'));
  expect(service.repeated?.(sale, anna, 'key-00001')).toMatchObject({ id, result: { ending: 'approved' } });
  expect(service.repeated?.(sale, program('POS'), 'key-00001')).toBeUndefined();
  expect(() => service.repeated?.({ ...sale, amount: eur('1.00') }, anna, 'key-00001')).toThrow(/key/i);
  const back = { receipt, operation: 'refund' } as const;
  expect(service.repeated?.(back, anna, 'key-00002')).toBeUndefined();
  expect(service.sales({ from: 0, most: 9 }).total).toBe(1);
  await close();
});

test('parts of one bill paid at two counters at once never exceed the bill', async () => {
  const { service, ended, running, close } = await rig.open({ counters: 2 });
  const first = await service.begin({ ...sale, amount: eur('60.00'), billTotal: eur('100.00') }, anna, 'key-00001');
  const bill = first.receipt;
  const more = { ...sale, counter: 'T2', bill, amount: eur('40.01') };
  await expect(service.begin(more, anna, 'key-00002')).rejects.toMatchObject({ code: 'bill.tooMuch' });
  const rest = await service.begin({ ...more, amount: eur('40.00') }, anna, 'key-00002');
  await ended(first);
  await expect(service.begin({ ...more, amount: eur('0.01') }, anna, 'key-00003')).rejects.toMatchObject({
    code: 'bill.tooMuch',
  });
  await ended(rest);
  expect(service.sale(bill).bill).toMatchObject({ paid: eur('100.00'), left: eur('0.00') });
  await rig.clock.until(running.forwarder.drain('all'));
  await close();
});

test('simultaneous refunds at two counters return no more than was paid', async () => {
  const { service, ended, close } = await rig.open({ counters: 2 });
  const { receipt } = await ended(await service.begin(sale, anna, 'key-00001'));
  const back = { receipt, operation: 'refund' } as const;
  const first = await service.follow({ ...back, amount: eur('8.00'), counter: 'T1' }, anna, 'key-00002');
  const second = service.follow({ ...back, amount: eur('8.00'), counter: 'T2' }, anna, 'key-00003');
  await expect(second).rejects.toMatchObject({ code: 'till.refundTooHigh' });
  await expect(service.follow({ receipt, operation: 'void', counter: 'T2' }, anna, 'key-00004')).rejects.toMatchObject({
    code: 'till.cannotFollow',
  });
  await ended(first);
  const rest = await service.follow({ ...back, counter: 'T2' }, anna, 'key-00005');
  expect(rest.amount).toEqual(eur('4.50'));
  await ended(rest);
  await expect(service.follow({ ...back, amount: eur('0.01') }, anna, 'key-00006')).rejects.toMatchObject({
    code: 'till.nothingLeft',
  });
  await close();
});

test('offline limits apply to both counters together', async () => {
  rig.fates.push(...Array.from({ length: 200 }, () => 'notReached' as const));
  const { service, ended, close } = await rig.open({ counters: 2 });
  const receiptTexts: string[] = [];
  for (let n = 0; n < 14; n += 2) {
    const both = ['T1', 'T2'].map((counter, index) =>
      service.begin({ ...sale, counter, amount: eur('49.00') }, anna, `key-0000${n + index}`),
    );
    for (const started of await Promise.all(both)) {
      const { result } = await ended(started);
      if (result?.ending === 'approved') receiptTexts.push(started.id);
    }
  }
  // The limit is 500.00 in total: the eleventh sale would make 539.00.
  expect(receiptTexts).toHaveLength(10);
  expect(service.line().offline).toMatchObject({ used: eur('490.00'), most: eur('500.00') });
  await close();
});
