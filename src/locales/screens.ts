/** The texts of one language by area. Every other language has the keys of the English one. */
import { cashier } from './screens/en/cashier.ts';
import { manager } from './screens/en/manager.ts';
import { shared, signIn } from './screens/en/shared.ts';
import { technician } from './screens/en/technician.ts';
import type { Translated } from './translation.ts';

export const en = { shared, signIn, cashier, manager, technician };

/** With the English texts as types, from which `fill` reads the placeholders of a text. */
export type Words = typeof en;
/** The same keys in any language. */
export type Translation = Translated<Words>;
export type Area = keyof Words;

/** The languages of the screens, as people who speak them call them. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' } as const;
export type Language = keyof typeof languages;
