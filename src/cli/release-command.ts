/** `till release`: lets go of what a pre-authorisation holds. */
import type { Command } from 'commander';
import { addFollowUp } from './follow-up.ts';

export const addRelease = (till: Command): void =>
  addFollowUp(till, {
    command: 'release <receipt>',
    says: 'let go of what a pre-authorisation holds; nothing is charged',
    operation: 'release',
    permission: 'void',
  });
