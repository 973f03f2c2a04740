/** A reconciliation for printing on A4, in the reader's language. */
import type { DifferenceRow, ReconciliationDetail } from '../../api/contract/reconciliations.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { withMark } from '../../base/money.ts';
import { fill } from '../../base/placeholders.ts';
import { textFor } from '../../locales/names.ts';
import { translate } from '../../locales/translate.ts';
import { type PdfReport, printAmount, type ReportContext, receiptNumber, rightColumn, section } from './batch-pdf.ts';
import type { PdfBlock } from './report-pdf.ts';

export const reconciliationPaper = (detail: ReconciliationDetail, reporting: ReportContext): PdfReport => {
  const { reports: t, format, words } = reporting;
  return {
    title: t.reconciliation,
    about: detail.file,
    foot: fill(t.reconciliationId, { id: detail.id }),
    blocks: [
      { kind: 'facts', rows: facts(detail, reporting) },
      ...differences(detail, reporting),
      ...(detail.more ? [{ kind: 'words' as const, text: format(t.more, { count: detail.more }) }] : []),
      ...section(words.manager.reconcile.atTerminals, {
        columns: [
          { title: words.shared.fields.counter, width: 5 },
          rightColumn(t.count, 1),
          rightColumn(words.manager.amount, 2),
        ],
        rows: (detail.atTerminals ?? []).map((one) => [one.terminalId, String(one.count), printAmount(one.amount)]),
      }),
      ...section(t.restOfPayout, {
        columns: [{ title: t.reason, width: 5 }, rightColumn(t.count, 1), rightColumn(words.manager.amount, 2)],
        rows: (detail.fine ?? []).map((one) => [
          translatedText(reporting, one),
          String(one.count),
          printAmount(one.amount),
        ]),
      }),
      ...section(t.notRead, {
        columns: [rightColumn(t.lineNumber, 1), { title: t.why, width: 8 }],
        rows: detail.refused.map((one) => [String(one.line), refusalText(reporting, one)]),
      }),
    ],
  };
};

const facts = (detail: ReconciliationDetail, { reports: t, format, words, at }: ReportContext): [string, string][] => {
  const { days, records, refusedCount, by, agreeing } = detail;
  return [
    [t.paymentsOf, days.first === '' ? t.noDay : fill(t.range, days)],
    [t.reconciled, `${at(detail.at)}${by === undefined ? '' : `, ${by}`}`],
    [t.lines, fill(t.linesRead, { read: records, refused: refusedCount })],
    [t.agreeing, String(agreeing)],
    [t.differences, format(t.resolvedOf, { count: detail.differences, resolved: detail.resolved })],
    ...detail.payout.map((sum): [string, string] => [words.manager.reconcile.payout, printAmount(sum)]),
  ];
};

const differences = ({ findings }: ReconciliationDetail, reporting: ReportContext): PdfBlock[] => {
  const { reports: t, words } = reporting;
  const { till, gateway } = words.manager.reconcile;
  return section(t.differences, {
    columns: [
      { title: t.receipt, width: 1.1 },
      rightColumn(till, 1.4),
      rightColumn(gateway, 1.4),
      rightColumn(t.settled, 1.4),
      { title: t.explanation, width: 4.6 },
    ],
    rows: findings.map((one) => [
      one.receipt === undefined ? fill(t.line, { line: one.lines[0] ?? '?' }) : receiptNumber(one.receipt),
      one.till.amount,
      one.gateway?.amount ?? '',
      one.settled.amount,
      explanationText(one, reporting),
    ]),
  });
};

const explanationText = ({ reasons, resolution }: DifferenceRow, reporting: ReportContext): string => {
  const { reports: t, words, at } = reporting;
  const reason = reasons
    .map((one) =>
      one.amount
        ? `${translatedText(reporting, one)} (${withMark(printAmount(one.amount), reporting.mark)})`
        : translatedText(reporting, one),
    )
    .join('; ');
  if (resolution === undefined) {
    const [first] = reasons;
    const next = translatedText(reporting, { says: first?.toDo ?? '', told: first?.toldToDo });
    return fill(t.open, { why: reason, next });
  }
  const { choice, note, by = words.manager.noCashier } = resolution;
  const name = textFor<string>(words.manager.reconcile.choices, choice) ?? choice;
  return fill(t.resolved, { why: reason, what: note === '' ? name : `${name}, ${note}`, by, when: at(resolution.at) });
};

/** The translation by code, or the till's English text when the language has none. */
const translatedText = (
  { at: dateTime, ...language }: ReportContext,
  { told: one, says }: { told?: LocalizedMessage; says: string },
): string => (one === undefined ? says : translate({ ...language, dateTime }, one));

const refusalText = (
  { language, words }: ReportContext,
  { why, says = why }: ReconciliationDetail['refused'][number],
): string => (language === 'en' ? says : (textFor<string>(words.manager.reconcile.refusals, why) ?? says));
