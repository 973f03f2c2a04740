/** All Spanish words of the screens. */
import { facts } from '../../messages/es/facts.ts';
import { faults, money } from '../../messages/es/faults.ts';
import * as texts from '../../messages/es/messages.ts';
import { reasons } from '../../messages/es/reasons.ts';
import type { TranslatedCatalogue } from '../../translate.ts';
import { cashier } from './cashier.ts';
import { manager } from './manager.ts';
import { shared, signIn } from './shared.ts';
import { technician } from './technician.ts';

export const catalogue: TranslatedCatalogue = {
  words: { shared, signIn, cashier, manager, technician },
  messages: { reasons, faults, money, facts, texts },
};
