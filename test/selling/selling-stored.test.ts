/** A sale taken offline shows what became of it, whatever was sold since, also after a restart of the till. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

type Open = Awaited<ReturnType<Rig['open']>>;

const sellOffline = async ({ service, ended }: Open, key = 'key-00001'): Promise<LiveSale> => {
  rig.fates.push(...Array<'notReached'>(60).fill('notReached'));
  const offlineSale = await ended(await service.begin({ operation: 'sale', amount: eur('20.00') }, anna, key));
  expect(offlineSale.result).toMatchObject({ ending: 'approved', state: 'offline' });
  return offlineSale;
};

/** The waiting sale is sent and declined. */
const declineLater = async ({ running }: Open): Promise<void> => {
  rig.fates.splice(0);
  rig.approvals.push(false);
  await rig.clock.advance(40_000);
  await rig.clock.until(running.forwarder.drain('all'));
  await rig.clock.advance(3_000);
};

const eventsOf = ({ told }: Open, { id }: LiveSale) =>
  told.flatMap((event) =>
    (event.on === 'sale' || event.on === 'amended') && event.sale.id === id ? [event.sale.result] : [],
  );

const declined = {
  ...{ ending: 'declined', state: 'declined', reason: 'declinedOnForwarding' },
  unpaid: { state: 'open', missing: eur('20.00'), mayCharge: true },
};

test('a sale declined later shows that while its result is on the counter', async () => {
  const till = await rig.open();
  const offlineSale = await sellOffline(till);
  await declineLater(till);
  expect(eventsOf(till, offlineSale).at(-1)).toMatchObject(declined);
  await till.close();
});

test('a sale declined later shows that after another sale at the same counter', async () => {
  const till = await rig.open();
  const offlineSale = await sellOffline(till);
  await sellOffline(till, 'key-00002');
  await declineLater(till);
  expect(eventsOf(till, offlineSale).at(-1)).toMatchObject(declined);
  await till.close();
});

test('a sale declined later shows that after a restart of the till, and shows when it is paid', async () => {
  const first = await rig.open();
  const offlineSale = await sellOffline(first);
  await first.close();
  const till = await rig.open();
  await declineLater(till);
  expect(eventsOf(till, offlineSale)).toMatchObject([declined]);
  const retryRequest = { operation: 'sale', amount: eur('20.00'), chargesAgain: offlineSale.receipt } as const;
  const paid = await till.ended(await till.service.begin(retryRequest, anna, 'key-00003'));
  expect(paid.result?.ending).toBe('approved');
  expect(eventsOf(till, offlineSale).at(-1)).toMatchObject({
    unpaid: { state: 'chargedAgain', missing: eur('0.00'), again: [paid.receipt] },
  });
  expect(till.service.sale(paid.receipt)).toMatchObject({ chargesAgain: offlineSale.receipt });
  await till.close();
});

test('a second charge is refused for zero, for too much, with a tip, and while one is in progress', async () => {
  const till = await rig.open();
  const offlineSale = await sellOffline(till);
  const begin = (more: object, key: string) =>
    till.service.begin(
      { operation: 'sale', amount: eur('20.00'), chargesAgain: offlineSale.receipt, ...more },
      anna,
      key,
    );
  await expect(begin({}, 'key-00002')).rejects.toMatchObject({ code: 'unpaid.none' });
  await declineLater(till);
  await expect(begin({ amount: eur('20.01') }, 'key-00003')).rejects.toMatchObject({ code: 'unpaid.tooMuch' });
  await expect(begin({ tip: eur('1.00') }, 'key-00004')).rejects.toMatchObject({ code: 'request.malformed' });
  const first = await begin({}, 'key-00005');
  // The same key gives the same sale; another key is refused while that one is in progress.
  expect((await begin({}, 'key-00005')).id).toBe(first.id);
  await expect(begin({}, 'key-00006')).rejects.toMatchObject({ code: 'unpaid.underWay' });
  await till.ended(first);
  await expect(begin({}, 'key-00007')).rejects.toMatchObject({ code: 'unpaid.none' });
  expect(rig.host.books.filter(({ paymentType }) => paymentType === 'DB')).toHaveLength(2);
  await till.close();
});
