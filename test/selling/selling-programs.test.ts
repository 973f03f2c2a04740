/** Whom a sale by a program at the counter names. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../src/api/ports/session.ts';
import { counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

test('a program’s sales and refunds name who made and approved its key, but no manager’s approval', async () => {
  const { service, running, ended, close } = await rig.open();
  const key = { madeBy: 'Tom', approvedBy: 'Ana' };
  const kiosk: Actor = { program: 'Kiosk', permissions: ['sell', 'refund'], key };
  const firstSale = await ended(await service.begin({ operation: 'sale', amount: eur('12.50') }, kiosk, 'key-00001'));
  const refundRequest = { receipt: firstSale.receipt, operation: 'refund', amount: eur('1.00') } as const;
  const first = await ended(await service.follow(refundRequest, kiosk, 'key-00002'));
  const more = { ...refundRequest, amount: eur('2.00') };
  const second = await ended(await service.follow(more, { ...kiosk, name: 'Max' }, 'key-00003'));
  const sellerOf = (receipt: number) => {
    const { cashier, program } = running.till.find(receipt).intent;
    return { cashier, program };
  };
  expect([firstSale, first, second].map(({ receipt }) => sellerOf(receipt))).toEqual([
    { cashier: 'Kiosk', program: key },
    { cashier: 'Kiosk', program: key },
    { cashier: 'Max', program: undefined },
  ]);
  await close();
});
