/**
 * The texts of printed and saved reports: X and Z reports, batches and reconciliations on A4. They are written from
 * left to right: readers of Arabic get them in the shop's language, or in English.
 */

import { decimalMark } from '../base/money.ts';
import { fill, formatEnglish, formatMessage } from '../base/placeholders.ts';
import { languageOf, load as loadWords } from './load.ts';
import { english as englishMessages } from './messages/en/faults.ts';
import { reports as english, type ReportWords, reports } from './reports/en.ts';
import { en, type Language, type Words } from './screens.ts';
import type { MessageCatalogue } from './translate.ts';
import type { Translated } from './translation.ts';

/** A language of reports: its own texts, and those that it shares with the screens. */
export type ReportLanguage = {
  readonly language: Language;
  /** The decimal sign of amounts. */
  readonly mark: string;
  readonly reports: ReportWords;
  readonly words: Pick<Words, 'manager' | 'shared'>;
  readonly messages: MessageCatalogue;
  readonly format: ReturnType<typeof formatMessage>;
};

export const englishReports: ReportLanguage = {
  language: 'en',
  mark: decimalMark('en'),
  reports: english,
  words: en,
  messages: englishMessages,
  format: formatEnglish,
};

const otherLanguages = {
  de: () => Promise.all([import('./reports/de.ts'), loadWords.de()]),
  fr: () => Promise.all([import('./reports/fr.ts'), loadWords.fr()]),
  es: () => Promise.all([import('./reports/es.ts'), loadWords.es()]),
};

const loaded = new Map<Language, Promise<ReportLanguage>>([['en', Promise.resolve(englishReports)]]);

/** A closed batch is always reported, if necessary in English. */
const load = (language: keyof typeof otherLanguages): Promise<ReportLanguage> =>
  otherLanguages[language]().then(
    ([{ reports }, { words, messages }]) => ({
      language,
      mark: decimalMark(language),
      reports: reports as Translated<ReportWords> as ReportWords,
      words,
      messages,
      format: formatMessage(language),
    }),
    () => englishReports,
  );

/** The first of these tags (BCP 47) that reports support, loaded on first use; English if there is none. */
export const reportLanguage = (...tags: readonly (string | undefined)[]): Promise<ReportLanguage> => {
  for (const tag of tags) {
    const language = languageOf(tag);
    if (language === undefined) continue;
    const known = loaded.get(language);
    if (known !== undefined) return known;
    if (!Object.hasOwn(otherLanguages, language)) continue;
    const loading = load(language as keyof typeof otherLanguages);
    loaded.set(language, loading);
    return loading;
  }
  return Promise.resolve(englishReports);
};

/** Why something is open or differs. A Z report stores it in English, because it is hashed as it is. */

export type Why = keyof typeof reports.whys;

export const whyWords = reports.whys;

/** The text of a Z report in place of the gateway's sum. */
export const NO_ANSWER = reports.noAnswer;

/** The same in another language; texts of terminals and gateways are unchanged. */
export const textOfWhy = (why: string, { whys }: Pick<ReportWords, 'whys'>): string => {
  const code = /^asked, it said (\S+)$/.exec(why)?.[1];
  if (code !== undefined) return fill(whys.askedSaid, { code });
  const name = (Object.keys(whyWords) as Why[]).find((one) => whyWords[one] === why);
  return name === undefined ? why : whys[name];
};
