/**
 * The parts of a Z report besides its sums, on roll paper: gateway, terminal, open money, and what was settled since.
 */
import { add, type Money, money, parseAmount, printMoney } from '../../base/money.ts';
import { fill } from '../../base/placeholders.ts';
import { bookedBrandName, nameOfPart, type Part, programWords } from '../../locales/names.ts';
import type { ReportWords } from '../../locales/reports/en.ts';
import { NO_ANSWER, type ReportLanguage, textOfWhy } from '../../locales/reports.ts';
import { pair, type Row, rule } from '../../receipt/rows.ts';
import { safeFreeText, slipLines } from '../../receipt/safe-text.ts';
import type { SettledUnpaid } from '../../reconciliation/open-money.ts';
import type { CashierCounted, Counted, CurrencyReport, Report } from '../../reconciliation/report.ts';
import type { ZReport } from '../../reconciliation/z-report.ts';

const receiptNumber = (receipt: number): string => String(receipt).padStart(6, '0');

const plainRow = (text: string): Row => ({ kind: 'plain', text });
export const heading = (text: string): Row => plainRow(text.toUpperCase());
/** Indented text: a reason under its receipt, or a name under a sum. */
const indentedRow = (text: string): Row => plainRow(`  ${safeFreeText(text)}`);

export const gatewayRows = (
  { brands, differences }: ZReport,
  { reports: t, format, words: { manager } }: ReportLanguage,
): Row[] => {
  if (brands.length === 0) return [];
  const sideRows = (till: string, gateway: string): Row[] => [
    pair(`  ${manager.reconcile.till}`, till),
    pair(`  ${manager.reconcile.gateway}`, gateway === NO_ANSWER ? t.noAnswer : gateway),
  ];
  return [
    rule,
    heading(t.tillAndGateway),
    ...brands.flatMap(({ brand, currency, till, gateway, differing }) => [
      pair(
        `${bookedBrandName(brand, manager)} ${currency}`,
        differing === 0 ? t.agrees : format(t.differ, { count: differing }).toUpperCase(),
      ),
      ...sideRows(till, gateway),
    ]),
    ...differences.flatMap(({ receipt, till, gateway, why }) => [
      heading(fill(t.receiptDiffers, { receipt: receiptNumber(receipt) })),
      ...sideRows(till, gateway),
      indentedRow(textOfWhy(why, t)),
    ]),
  ];
};

/** Money under this terminal's id that is in none of the report's sums. */
export const unknownHereRows = ({ unknownHere = [] }: ZReport, { reports: t }: ReportLanguage): Row[] =>
  unknownHere.length === 0
    ? []
    : [
        rule,
        heading(t.unknownHere),
        ...unknownHere.flatMap(({ payment, paymentType, amount, at }) => [
          pair(`${paymentType} ${at.slice(0, 16)}`, amount),
          indentedRow(payment),
        ]),
        plainRow(t.unknownHereNext),
      ];

export const terminalRows = ({ terminal }: ZReport, { reports: t, words }: ReportLanguage): Row[] =>
  terminal === undefined
    ? []
    : [
        rule,
        heading(t.terminalsDay),
        pair(words.manager.reconcile.till.toUpperCase(), terminal.till),
        plainRow(comparedWords(terminal, t)),
        ...slipLines(terminal.lines).map(plainRow),
      ];

const comparedWords = ({ agrees, askedAgain }: NonNullable<ZReport['terminal']>, t: ReportWords): string =>
  agrees ? t.sameSum : askedAgain === true ? t.askedAgain : t.otherSum;

export const unbalancedRows = ({ unbalanced = [] }: ZReport, { reports: t }: ReportLanguage): Row[] =>
  unbalanced.length === 0
    ? []
    : [rule, heading(t.beyondSale), ...unbalanced.map(({ receipt, amount }) => pair(receiptNumber(receipt), amount))];

/** Where the sums come from when not from this journal alone, and whether the gateway was asked about them. */
export const provenanceRows = (
  { skipped, learned, notCompared }: Pick<ZReport, 'skipped' | 'learned' | 'notCompared'>,
  { reports: t }: ReportLanguage,
): Row[] => [
  ...(notCompared === true ? [heading(t.notCompared)] : []),
  ...(learned === undefined ? [] : [pair(t.learned.toUpperCase(), String(learned)), indentedRow(t.learnedHint)]),
  ...(skipped === undefined ? [] : [pair(t.skipped.toUpperCase(), String(skipped)), indentedRow(t.skippedHint)]),
];

export const openRows = ({ open, override }: ZReport, { reports: t }: ReportLanguage): Row[] =>
  open.length === 0 && override === undefined
    ? []
    : [
        rule,
        heading(t.openMoney),
        ...open.flatMap(({ receipt, amount, why }) => [
          pair(receiptNumber(receipt), amount),
          indentedRow(textOfWhy(why, t)),
        ]),
        ...(override
          ? [
              pair(t.overriddenBy.toUpperCase(), safeFreeText(override.by)),
              pair(t.reason.toUpperCase(), safeFreeText(override.reason)),
              pair(t.signature.toUpperCase(), `${override.signature.slice(0, 16)}…`),
            ]
          : []),
      ];

/** Each receipt, and the totals by currency, so that whoever signs the report has seen them. */
export const unpaidRows = ({ unpaid = [] }: Pick<ZReport, 'unpaid'>, { reports: t }: ReportLanguage): Row[] =>
  unpaid.length === 0
    ? []
    : [
        rule,
        heading(t.unpaid),
        ...unpaid.flatMap(({ receipt, batch, amount, why }) => [
          pair(fill(t.ofBatch, { receipt: receiptNumber(receipt), batch }), amount),
          indentedRow(t.unpaidWhys[why]),
        ]),
        ...totalsOf(unpaid.map(({ amount }) => amount)).map((total) => pair(t.unpaidTotal.toUpperCase(), total)),
      ];

export const unpaidOverRows = ({ unpaidOver = [] }: ZReport, { reports: t }: ReportLanguage): Row[] =>
  unpaidOver.length === 0
    ? []
    : [
        rule,
        heading(t.unpaidOver),
        ...unpaidOver.flatMap((one) => [
          pair(fill(t.ofBatch, { receipt: receiptNumber(one.receipt), batch: one.batch }), one.amount),
          indentedRow(unpaidEndIn(one, t)),
        ]),
      ];

/** How an unpaid sale was settled, in the reader's language. A person's own words stay as they are. */
export const unpaidEndIn = ({ how, again = [], by = '', reason = '' }: SettledUnpaid, t: ReportWords): string =>
  fill(t.unpaidHows[how], { receipts: again.map(receiptNumber).join(', '), who: by, reason });

/** Totals by currency, in order of first appearance. */
export const totalsOf = (amounts: readonly string[]): string[] => {
  const totals = new Map<string, Money>();
  for (const text of amounts) {
    const one = parsedMoney(text);
    totals.set(one.currency, add(totals.get(one.currency) ?? money(0n, one.currency), one));
  }
  return [...totals.values()].map(printMoney);
};

const parsedMoney = (text: string): Money => {
  const [amount = '', currency = ''] = text.split(' ');
  return parseAmount(amount, currency);
};

export const settledRows = ({ settled }: ZReport, { reports: t }: ReportLanguage): Row[] => {
  const places: Readonly<Record<string, string>> = t.buckets;
  return settled.length === 0
    ? []
    : [
        rule,
        heading(t.settledSince),
        ...settled.flatMap(({ receipt, batch, amount, place }) => [
          pair(fill(t.ofBatch, { receipt: receiptNumber(receipt), batch }), amount),
          indentedRow(places[place] ?? place),
        ]),
      ];
};

/** The figures of a batch on roll paper: sums by operation, brand, entry mode and cashier, and where the money is. */
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
            countRow(row, nameOfPart(part, row.name, words.manager)),
            ...keyRows(row, words.manager),
          ]),
        ];
  return [
    rule,
    { kind: 'pair', left: `${net.toUpperCase()} ${report.currency}`, right: report.net, large: true },
    ...parts.flatMap(table),
    rule,
    ...others.map((name) => countRow(report[name], words.manager.batches.counted[name])),
    ...report.places.flatMap(({ account, intended, beyond, buckets }) => [
      rule,
      pair(t[account].toUpperCase(), intended),
      ...(Number(beyond) === 0 ? [] : [pair(`  ${t.beyond}`, beyond)]),
      ...Object.entries(buckets).map(([name, sum]) => pair(`  ${bucketIn(t.buckets, name)}`, sum)),
    ]),
  ];
};

const bucketIn = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name;

/** Under a program's sum, the person responsible for its key. */
const keyRows = ({ program }: CashierCounted, manager: ReportLanguage['words']['manager']): Row[] =>
  program === undefined ? [] : [indentedRow(programWords(program, manager))];

const countRow = ({ count, sum }: Counted, name: string): Row =>
  pair(`${String(count).padStart(4)} ${safeFreeText(name.toUpperCase())}`, sum);
