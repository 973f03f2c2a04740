/**
 * The words of what is printed or saved of the books: X and Z reports, batches and reconciliations on A4. They run from
 * left to right: who reads Arabic gets them in the shop's language, or in English.
 */

import { decimalMark } from '../base/money.ts';
import { fill, formatEnglish, formatMessage } from '../base/placeholders.ts';
import { languageOf, load as loadWords } from './load.ts';
import { english as englishMessages } from './messages/en/faults.ts';
import { reports as english, type ReportWords, reports } from './reports/en.ts';
import { en, type Language, type Words } from './screens.ts';
import type { MessageCatalogue } from './translate.ts';
import type { Translated } from './translation.ts';

/** A language of reports: its own words, and those that the screens have for the same things. */
export type ReportLanguage = {
  readonly language: Language;
  /** What stands before an amount's decimals. */
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

const others = {
  de: () => Promise.all([import('./reports/de.ts'), loadWords.de()]),
  fr: () => Promise.all([import('./reports/fr.ts'), loadWords.fr()]),
  es: () => Promise.all([import('./reports/es.ts'), loadWords.es()]),
};

const loaded = new Map<Language, Promise<ReportLanguage>>([['en', Promise.resolve(englishReports)]]);

/** A batch that is closed is told, in English if there is no other way. */
const load = (language: keyof typeof others): Promise<ReportLanguage> =>
  others[language]().then(
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

/** The first of these tags (BCP 47) that reports have words for, loaded when first asked for; English if none has. */
export const reportLanguage = (...tags: readonly (string | undefined)[]): Promise<ReportLanguage> => {
  for (const tag of tags) {
    const language = languageOf(tag);
    if (language === undefined) continue;
    const known = loaded.get(language);
    if (known !== undefined) return known;
    if (!Object.hasOwn(others, language)) continue;
    const coming = load(language as keyof typeof others);
    loaded.set(language, coming);
    return coming;
  }
  return Promise.resolve(englishReports);
};

/** Why something is open or differs. A Z report keeps it in English: it is hashed as it stands. */

export type Why = keyof typeof reports.whys;

export const whyWords = reports.whys;

/** What stands in a Z report in place of the gateway's sum. */
export const NO_ANSWER = reports.noAnswer;

/** The same in another language; words that are none of ours, a terminal's or a gateway's, stay as they are. */
export const whyIn = (why: string, { whys }: Pick<ReportWords, 'whys'>): string => {
  const code = /^asked, it said (\S+)$/.exec(why)?.[1];
  if (code !== undefined) return fill(whys.askedSaid, { code });
  const name = (Object.keys(whyWords) as Why[]).find((one) => whyWords[one] === why);
  return name === undefined ? why : whys[name];
};
