/** Why something is open or differs. A Z report keeps it in English: it is hashed as it stands. */
import { type ReportWords, reports } from './en/reports.ts';
import { fill } from './fill.ts';

export type Why = keyof typeof reports.whys;

export const whyWords: Readonly<Record<Why, string>> = reports.whys;

/** What stands in a Z report in place of the gateway's sum. */
export const NO_ANSWER = reports.noAnswer;

/** The same in another language; words that are none of ours, a terminal's or a gateway's, stay as they are. */
export const whyIn = (why: string, { whys }: Pick<ReportWords, 'whys'>): string => {
  const code = /^asked, it said (\S+)$/.exec(why)?.[1];
  if (code !== undefined) return fill(whys.askedSaid, { code });
  const name = (Object.keys(whyWords) as Why[]).find((one) => whyWords[one] === why);
  return name === undefined ? why : whys[name];
};
