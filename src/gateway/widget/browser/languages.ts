/** The built-in languages (spec 4, hosted widget rules, 4), and the other names by which shops know them. */
import { fill as filled, type PlaceholderValues } from '../../../base/placeholders.ts';
import type { LanguageTag } from '../../../locales/translation.ts';

/** The values of `wpwlOptions.locale`. */
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'dk',
  'fi',
  'se',
  'tr',
  'ja',
  'sl',
  'pt',
  'pl',
  'cz',
  'hu',
  'bg',
  'ro',
  'ru',
  'cn',
  'gr',
  'no',
  'sk',
  'ar',
  'ko',
] as const;

export type WidgetLanguage = (typeof languages)[number];

/** Language tags (BCP 47) where the widget's own value is not one. */
const tags: Readonly<Partial<Record<WidgetLanguage, LanguageTag>>> = {
  dk: 'da',
  se: 'sv',
  cz: 'cs',
  cn: 'zh',
  gr: 'el',
};

const aliases: Readonly<Record<string, WidgetLanguage>> = {
  da: 'dk',
  sv: 'se',
  cs: 'cz',
  zh: 'cn',
  el: 'gr',
  nb: 'no',
  nn: 'no',
  jp: 'ja',
  kr: 'ko',
  si: 'sl',
};

/** For `lang` attributes. */
export const tagOf = (language: WidgetLanguage): LanguageTag => tags[language] ?? (language as LanguageTag);

/**
 * An amount as the language writes it. Latin digits in every language, as on cards, receipts and the shop's own page:
 * left to themselves, one engine writes Arabic with Arabic-Indic digits and another does not.
 */
export const amountIn = (language: WidgetLanguage, amount: string, currency: string): string =>
  new Intl.NumberFormat(`${tagOf(language)}-u-nu-latn`, { style: 'currency', currency }).format(amount as `${number}`);

export const directionOf = (language: WidgetLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** `de`, `de_AT`, `de-AT`, `DE`, `sv`: the language, or undefined if it is not built in. */
export const languageOf = (locale: string): WidgetLanguage | undefined => {
  const primaryTag = locale.trim().toLowerCase().split(/[_-]/)[0] ?? '';
  return languages.find((language) => language === primaryTag) ?? aliases[primaryTag];
};

/** The first built-in language: of the shop's choice, then of the browser's preferences, otherwise English. */
export const chosenLanguage = (candidates: readonly (string | undefined)[]): WidgetLanguage => {
  for (const locale of candidates) {
    const language = locale === undefined ? undefined : languageOf(locale);
    if (language !== undefined) return language;
  }
  return 'en';
};

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/**
 * In right-to-left text a value is enclosed in Unicode isolates (UAX #9), so that `Visa 0091` and `05/34` keep their
 * order and do not affect the text around them.
 */
export const fill = <Text extends string>(text: Text, values: PlaceholderValues<Text>): string =>
  filled(text, values, RIGHT_TO_LEFT.test(text) ? (value) => `\u2068${value}\u2069` : String);
