/**
 * The cable is pulled at every step of a sale and plugged into another port: the money is accounted for, and the next
 * sale succeeds.
 */
import { counter, expect } from '../counter.ts';
import { ports } from '../gadget.ts';
import type { Step } from '../shop.ts';
import type { Scene } from '../tap.ts';
import { type Make, makes } from '../terminals.ts';

/** The possible endings at each step, and how long the till may take to end the sale. */
const steps: readonly { at: Step; ends: readonly string[] }[] = [
  { at: 'presentCard', ends: ['notSent'] },
  { at: 'reading', ends: ['notSent'] },
  { at: 'enterPin', ends: ['notSent'] },
  { at: 'askingHost', ends: ['declined'] },
  { at: 'hostAnswered', ends: ['declined'] },
  { at: 'completing', ends: ['declined'] },
  { at: 'ended', ends: ['approved'] },
];

/** The links check their device every second; a write takes at most five. */
const noticedMs = 6_000;

/** This long after the first sign of a card the customer is typing. */
const typingMs = 500;

const pulledAt = (make: Make): Scene => ({
  name: `${make.name}: pulled at every step of a sale, plugged in again, and used for a sale`,
  async play() {
    const { terminal, shop } = await counter(make);
    for (const [turn, { at, ends }] of steps.entries()) {
      if (at !== 'presentCard') terminal.present({ card: 'visa-credit', by: 'chip' });
      // If the till is not told of the PIN entry, the cable is pulled while the customer types.
      const isUnreported = at === 'enterPin' && !make.tellsPin;
      const unplug = () => terminal.unplug();
      const broken = isUnreported
        ? { at: 'reading' as const, act: () => void setTimeout(unplug, typingMs) }
        : { at, act: unplug };
      const { sale, afterMs } = await shop.sell('10.00', broken);
      expect(ends.includes(sale.ending), `pulled at ${at} it is ${sale.ending} (${sale.reason})`);
      expect(afterMs < noticedMs, `pulled at ${at} it took ${afterMs} ms to end`);
      await terminal.waitUntilGone();
      terminal.nobodyComes();
      await terminal.plugIn((turn + 1) % ports);
      terminal.present({ card: 'mastercard-tap', by: 'tap' });
      expect((await shop.sell('1.00')).sale.ending === 'approved', `after ${at} the next sale is not approved`);
      await shop.account();
    }
  },
});

export const unplugged: readonly Scene[] = Object.values(makes).map(pulledAt);
