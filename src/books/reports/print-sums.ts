/** What a batch came to, on roll paper: sums by operation, brand, entry mode and cashier, and where the money is. */
import { pair, type Row, rule } from '../../receipt/rows.ts';
import { safeFreeText } from '../../receipt/safe-text.ts';
import type { CashierCounted, Counted, CurrencyReport, Report } from '../../reconciliation/report.ts';
import { countedName, type Part, programWords } from '../../words/names.ts';
import type { ReportLanguage } from '../../words/reports.ts';
import { below, heading, receiptNumber } from './print-parts.ts';

export const reportRows = ({ sales, receipts, currencies }: Report, language: ReportLanguage): Row[] => {
  const { reports: t, words } = language;
  return [
    pair(t.entries.toUpperCase(), String(sales)),
    ...(receipts
      ? [
          pair(
            words.manager.batches.receipts.toUpperCase(),
            `${receiptNumber(receipts.first)}-${receiptNumber(receipts.last)}`,
          ),
        ]
      : []),
    ...currencies.flatMap((report) => currencyRows(report, language)),
  ];
};

const parts = ['operations', 'brands', 'entryModes', 'cashiers'] as const;
const others = ['tips', 'refunds', 'voids', 'offline', 'declined', 'notSent', 'unknown'] as const;

const currencyRows = (report: CurrencyReport, language: ReportLanguage): Row[] => {
  const { reports: t, words } = language;
  const { net, kinds } = words.manager.batches;
  const table = (part: Part): Row[] =>
    report[part].length === 0
      ? []
      : [
          rule,
          heading(kinds[part]),
          ...report[part].flatMap((row) => [
            counted(row, countedName(part, row.name, words.manager)),
            ...keyRows(row, words.manager),
          ]),
        ];
  return [
    rule,
    { kind: 'pair', left: `${net.toUpperCase()} ${report.currency}`, right: report.net, large: true },
    ...parts.flatMap(table),
    rule,
    ...others.map((name) => counted(report[name], words.manager.batches.counted[name])),
    ...report.places.flatMap(({ account, intended, beyond, buckets }) => [
      rule,
      pair(t[account].toUpperCase(), intended),
      ...(Number(beyond) === 0 ? [] : [pair(`  ${t.beyond}`, beyond)]),
      ...Object.entries(buckets).map(([name, sum]) => pair(`  ${bucketIn(t.buckets, name)}`, sum)),
    ]),
  ];
};

const bucketIn = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name;

/** Under a program's sum, who stands for its key. */
const keyRows = ({ program }: CashierCounted, manager: ReportLanguage['words']['manager']): Row[] =>
  program === undefined ? [] : [below(programWords(program, manager))];

const counted = ({ count, sum }: Counted, name: string): Row =>
  pair(`${String(count).padStart(4)} ${safeFreeText(name.toUpperCase())}`, sum);
