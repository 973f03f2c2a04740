/** `till increment`: holds more on a pre-authorisation. */
import type { Command } from 'commander';
import { addFollowUp } from './follow-up.ts';

export const addIncrement = (till: Command): void =>
  addFollowUp(till, {
    command: 'increment <receipt> <amount>',
    says: 'hold more on the card of a pre-authorisation',
    operation: 'increment',
    permission: 'preauthorise',
  });
