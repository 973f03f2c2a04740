/** One sale by chip on each terminal, from the till's first request to the card's final answer. */
import { counter, expect } from '../counter.ts';
import { note, type Scene } from '../tap.ts';
import { type Make, makes } from '../terminals.ts';

const saleScene = (make: Make): Scene => ({
  name: `${make.name}: a sale by chip with PIN, a tap and a decline`,
  async play() {
    const { terminal, shop } = await counter(make);
    terminal.present({ card: 'visa-credit', by: 'chip' });
    const { sale } = await shop.sell('42.00');
    expect(sale.ending === 'approved', `it is ${sale.ending}: ${sale.why}`);
    note(`card ${sale.card?.maskedPan}, ${sale.card?.entryMode}, verified by ${sale.card?.verification}`);
    expect(sale.card?.verification === (make.tellsPin ? 'onlinePin' : 'none'), 'that is not how it was verified');
    terminal.present({ card: 'mastercard-tap', by: 'tap' });
    expect((await shop.sell('8.20')).sale.ending === 'approved', 'the tap was not approved');
    terminal.present({ card: 'visa-poor', by: 'chip' });
    expect((await shop.sell('64.00')).sale.reason === 'declinedByHost', 'the decline is none of the host');
    await shop.account();
  },
});

export const sales: readonly Scene[] = Object.values(makes).map(saleScene);
