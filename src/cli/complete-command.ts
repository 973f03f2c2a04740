/** `till complete`: charges what a pre-authorisation holds, or a part of it and gives the rest back. */
import type { Command } from 'commander';
import { addFollowUp } from './follow-up.ts';

export const addComplete = (till: Command): void =>
  addFollowUp(till, {
    command: 'complete <receipt> [amount]',
    says: 'charge what a pre-authorisation holds; all that is left, or an amount, and the rest goes back to the customer',
    operation: 'completion',
    permission: 'preauthorise',
    tips: true,
    keeps: true,
  });
