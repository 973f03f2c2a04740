/** X and Z reports for 58 and 80 mm paper, in the reader's language, with times on the store's clock. */
import type { DisplayMode } from '../../base/mode.ts';
import { fill } from '../../base/placeholders.ts';
import type { Config } from '../../folder/config.ts';
import { englishReports, type ReportLanguage, reportLanguage } from '../../locales/reports.ts';
import { receiptLanguage } from '../../locales/shopper.ts';
import { withModeMark } from '../../receipt/mode-mark.ts';
import { centreRow, markPairs, pair, type Row, rule } from '../../receipt/rows.ts';
import { safeFreeText } from '../../receipt/safe-text.ts';
import { receiptText, type Width } from '../../receipt/text.ts';
import { momentOf, wallTimes } from '../../reconciliation/business-day.ts';
import type { XReport } from '../../reconciliation/report.ts';
import type { ZReport } from '../../reconciliation/z-report.ts';
import {
  gatewayRows,
  heading,
  openRows,
  provenanceRows,
  reportRows,
  settledRows,
  terminalRows,
  unbalancedRows,
  unknownHereRows,
  unpaidOverRows,
  unpaidRows,
} from './print-parts.ts';

export type PaperLayout = {
  width: Width;
  /** Whether real money was moved: every mode except `live` is marked on the paper. */
  mode: DisplayMode;
  /** English if absent. */
  language?: ReportLanguage;
};

export const xLines = (x: XReport, config: Config, layout: PaperLayout): string[] => {
  const { language = englishReports } = layout;
  const { reports: t, words } = language;
  const at = wallOf(config);
  return printRows(
    [
      ...headRows(config, fill(t.xReport, { n: x.number })),
      ...batchRows(x, language),
      pair(capitals(words.manager.batches.opened), at(x.openedAt)),
      pair(capitals(t.printedAt), at(x.at)),
      ...provenanceRows(x, language),
      ...reportRows(x.report, language),
      ...unpaidRows(x, language),
      rule,
      centreRow(words.manager.batches.xHint),
    ],
    layout,
  );
};

export const zLines = (z: ZReport, config: Config, layout: PaperLayout): string[] =>
  printRows([...zHeadRows(z, config, layout), ...zRows(z, config, layout)], layout);

/** A reprint, which differs only by the word that marks it as a copy. */
export const zCopyLines = (z: ZReport, config: Config, layout: PaperLayout): string[] => {
  const { reports: t } = layout.language ?? englishReports;
  const copy = centreRow(capitals(t.duplicate));
  return printRows([...zHeadRows(z, config, layout), copy, ...zRows(z, config, layout)], layout);
};

/** The terminal's own lines, laid out by the terminal, are not changed. */
const printRows = (rows: readonly Row[], { width, mode, language = englishReports }: PaperLayout): string[] => {
  const { words } = receiptLanguage(language.language);
  return receiptText(withModeMark(markPairs(rows, language.mark), mode, words), width);
};

const capitals = (text: string): string => text.toUpperCase();

const wallOf = ({ businessDay }: Config): ((text: string) => string) => {
  const wall = wallTimes(businessDay?.timeZone);
  return (text) => wall(momentOf(text));
};

const zHeadRows = (z: ZReport, config: Config, { language = englishReports }: PaperLayout): Row[] =>
  headRows(config, fill(language.reports.zReport, { n: z.number }));

const zRows = (z: ZReport, config: Config, { language = englishReports }: PaperLayout): Row[] => {
  const { reports: t, words } = language;
  const at = wallOf(config);
  return [
    ...batchRows(z, language),
    pair(capitals(words.manager.batches.opened), at(z.openedAt)),
    pair(capitals(words.manager.batches.closed), at(z.closedAt)),
    ...provenanceRows(z, language),
    ...reportRows(z.report, language),
    ...gatewayRows(z, language),
    ...unknownHereRows(z, language),
    ...terminalRows(z, language),
    ...unbalancedRows(z, language),
    ...openRows(z, language),
    ...unpaidRows(z, language),
    ...settledRows(z, language),
    ...unpaidOverRows(z, language),
    rule,
    heading(t.previous),
    ...hashRows(z.previous),
    heading(t.thisReport),
    ...hashRows(z.hash),
  ];
};

const headRows = ({ merchant }: Config, title: string): Row[] => [
  centreRow(safeFreeText(merchant.name)),
  { kind: 'blank' },
  { kind: 'centre', text: capitals(title), large: true },
  { kind: 'blank' },
];

const batchRows = (
  { terminalId, batch, day }: Pick<ZReport, 'terminalId' | 'batch' | 'day'>,
  { reports: t, words: { manager } }: ReportLanguage,
): Row[] => [
  pair(capitals(t.terminal), terminalId),
  pair(capitals(manager.batches.number), String(batch)),
  pair(capitals(manager.batches.day), day.date),
  ...(day.trusted ? [] : [{ kind: 'plain', text: t.ownClock } as const]),
];

const hashRows = (hash: string): Row[] => [centreRow(hash.slice(0, 32)), centreRow(hash.slice(32))];

/** The language of the reader (BCP 47 tags, best first), else of the shop's screens, else of its receipts. */
export const languageFor = (
  readers: readonly string[] | undefined,
  { screens, paper }: Pick<Config, 'screens' | 'paper'>,
): Promise<ReportLanguage> => reportLanguage(...(readers ?? []), screens?.language, paper?.language);
