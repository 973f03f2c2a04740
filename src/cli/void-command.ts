/** `till void`: takes a whole sale or credit back, as if it had not been. */
import type { Command } from 'commander';
import { addFollowUp } from './follow-up.ts';

export const addVoid = (till: Command): void =>
  addFollowUp(till, {
    command: 'void <receipt>',
    says: 'take a whole sale or credit back; one that was not sent yet is never sent',
    operation: 'void',
    permission: 'void',
  });
