/** The languages of the screens: English comes with the page, each other one when somebody chooses it. */
import { english } from './messages/en/faults.ts';
import { en, type Language, languages } from './screens.ts';
import type { Catalogue, TranslatedCatalogue } from './translate.ts';

/** Its texts have the placeholders of the English ones, which tests compare. */
const asEnglish = ({ catalogue }: { catalogue: TranslatedCatalogue }): Catalogue => catalogue as Catalogue;

/** Rejects when the till cannot be reached. */
export const load: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve({ words: en, messages: english }),
  de: () => import('./screens/de/catalogue.ts').then(asEnglish),
  fr: () => import('./screens/fr/catalogue.ts').then(asEnglish),
  es: () => import('./screens/es/catalogue.ts').then(asEnglish),
  ar: () => import('./screens/ar/catalogue.ts').then(asEnglish),
};

/** The language of a BCP 47 tag (`de-AT` is `de`); undefined if the screens do not have it. */
export const languageOf = (tag: string | null | undefined): Language | undefined => {
  const name = tag?.toLowerCase().split('-')[0] ?? '';
  return Object.hasOwn(languages, name) ? (name as Language) : undefined;
};

/** `['de', 'Deutsch']` */
export const languageNames = Object.entries(languages) as [Language, string][];
