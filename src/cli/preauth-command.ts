/** `till preauth`: holds an amount on the customer's card. */
import type { Command } from 'commander';
import { addWithCard } from './with-card.ts';

export const addPreauth = (till: Command): void =>
  addWithCard(till, {
    command: 'preauth <amount>',
    says: 'hold an amount on a card, to be completed or released later',
    operation: 'preauthorisation',
    permission: 'preauthorise',
    start: ({ till: open }, request, hear) => open.preauthorise(request, hear),
  });
