/** The languages in which a shop reads what the till writes for it. */
import type { Config } from '../../folder/config.ts';
import { type ReportLanguage, reportLanguage } from '../../words/reports.ts';

/** The reader's own (BCP 47 tags, the best first), or that of the shop's screens, or of its receipts. */
export const languageFor = (
  readers: readonly string[] | undefined,
  { screens, paper }: Pick<Config, 'screens' | 'paper'>,
): Promise<ReportLanguage> => reportLanguage(...(readers ?? []), screens?.language, paper?.language);
