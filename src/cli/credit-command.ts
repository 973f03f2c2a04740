/** `till credit`: money to a card, without an earlier payment. Where a manager is known, one answers for it. */
import type { Command } from 'commander';
import { addWithCard } from './with-card.ts';

export const addCredit = (till: Command): void =>
  addWithCard(till, {
    command: 'credit <amount>',
    says: 'pay money out to a card without an earlier payment; a manager’s to do, once one is known here',
    operation: 'credit',
    permission: 'credit',
    start: ({ till: open }, request, hear) => open.credit(request, hear),
  });
