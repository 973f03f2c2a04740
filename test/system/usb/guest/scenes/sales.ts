/** One sale by chip on each terminal, from the till's first request to the card's final answer. */
import { counter, expect } from '../counter.ts';
import { note, type Scene } from '../tap.ts';
import { type Make, makes } from '../terminals.ts';

const sold = (make: Make): Scene => ({
  name: `${make.name}: a sale by chip with PIN, a tap and a decline`,
  async play() {
    const { terminal, shop } = await counter(make);
    terminal.comes({ card: 'visa-credit', by: 'chip' });
    const { ended } = await shop.sell('42.00');
    expect(ended.ending === 'approved', `it is ${ended.ending}: ${ended.why}`);
    note(`card ${ended.card?.maskedPan}, ${ended.card?.entryMode}, verified by ${ended.card?.verification}`);
    expect(ended.card?.verification === (make.tellsPin ? 'onlinePin' : 'none'), 'that is not how it was verified');
    terminal.comes({ card: 'mastercard-tap', by: 'tap' });
    expect((await shop.sell('8.20')).ended.ending === 'approved', 'the tap was not approved');
    terminal.comes({ card: 'visa-poor', by: 'chip' });
    expect((await shop.sell('64.00')).ended.reason === 'declinedByHost', 'the decline is none of the host');
    await shop.account();
  },
});

export const sales: readonly Scene[] = Object.values(makes).map(sold);
