/** `till refund`: gives money back on an approved sale. */
import type { Command } from 'commander';
import { addFollowUp } from './follow-up.ts';

export const addRefund = (till: Command): void =>
  addFollowUp(till, {
    command: 'refund <receipt> [amount]',
    says: 'give money back on an approved sale; all that is left, or an amount',
    operation: 'refund',
    permission: 'refund',
  });
