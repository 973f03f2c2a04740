/** All German words of the screens. */
import type { TranslatedTable } from '../said.ts';
import { cashier } from './cashier.ts';
import { facts } from './facts.ts';
import { faults } from './faults.ts';
import { manager } from './manager.ts';
import * as messages from './messages.ts';
import { reasons } from './reasons.ts';
import { shared, signIn } from './shared.ts';
import { technician } from './technician.ts';

export const table: TranslatedTable = {
  words: { shared, signIn, cashier, manager, technician },
  said: { reasons, faults, facts, told: messages },
};
