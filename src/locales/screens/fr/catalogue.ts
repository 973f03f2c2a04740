/** All French words of the screens. */

import { facts } from '../../messages/fr/facts.ts';
import { faults } from '../../messages/fr/faults.ts';
import * as messages from '../../messages/fr/messages.ts';
import { reasons } from '../../messages/fr/reasons.ts';
import type { TranslatedTable } from '../../translate.ts';
import { cashier } from './cashier.ts';
import { manager } from './manager.ts';
import { shared, signIn } from './shared.ts';
import { technician } from './technician.ts';

export const table: TranslatedTable = {
  words: { shared, signIn, cashier, manager, technician },
  said: { reasons, faults, facts, told: messages },
};
