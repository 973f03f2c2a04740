/** Batches and their Z reports for printing on A4, in the reader's language. */
import type { BatchReport } from '../../api/contract/books.ts';
import type { Amount } from '../../api/contract/wire.ts';
import { withMark } from '../../base/money.ts';
import { fill } from '../../base/placeholders.ts';
import { bookedBrandName, nameOfPart, type Part, programWords } from '../../locales/names.ts';
import { NO_ANSWER, type ReportLanguage, textOfWhy } from '../../locales/reports.ts';
import type { CashierCounted, Counted, CurrencyReport } from '../../reconciliation/report.ts';
import { FIRST, type ZReport } from '../../reconciliation/z-report.ts';
import { unpaidEndIn } from './print-parts.ts';
import type { PdfBlock, PdfColumn } from './report-pdf.ts';

export type PdfReport = { title: string; about: string; foot: string; blocks: PdfBlock[] };
/** `at` formats a time on the store's clock. */
export type ReportContext = ReportLanguage & { at(ms: number): string };

export const rightColumn = (title: string, width: number): PdfColumn => ({ title, width, align: 'right' });
export const printAmount = ({ amount, currency }: Amount): string => `${amount} ${currency}`;
export const receiptNumber = (number: number | undefined): string =>
  number === undefined ? '' : String(number).padStart(6, '0');

/** `z` is absent for a batch that is not closed. */
export const batchPaper = (batch: BatchReport, z: ZReport | undefined, reporting: ReportContext): PdfReport => {
  const { reports: t, words, mark } = reporting;
  const number = { batch: batch.batch };
  return {
    title: batch.z === undefined ? fill(t.notClosed, number) : fill(t.zReport, { n: batch.z }),
    about: fill(t.ofTerminal, { ...number, terminal: batch.terminalId }),
    foot: z === undefined ? t.notZ : fill(t.hash, { hash: z.hash }),
    blocks: [
      { kind: 'facts', rows: [...batchFacts(batch, reporting), ...provenanceFacts(z, reporting)] },
      ...batch.currencies.flatMap((one) => currencyBlocks(one, { t, manager: words.manager, mark })),
      ...(z === undefined ? [] : zBlocks(z, reporting)),
    ],
  };
};

const batchFacts = (batch: BatchReport, { reports: t, words, at }: ReportContext): [string, string][] => {
  const w = words.manager.batches;
  const { receipts, closedAt, override } = batch;
  return [
    [w.day, batch.day],
    [w.opened, at(batch.openedAt)],
    ...(closedAt === undefined ? [] : ([[w.closed, at(closedAt)]] satisfies [string, string][])),
    [t.entries, String(batch.sales)],
    ...(receipts === undefined ? [] : ([[w.receipts, range(receipts, t)]] satisfies [string, string][])),
    ...batch.net.map((net): [string, string] => [w.net, printAmount(net)]),
    ...(override ? ([[t.openMoney, `${override.by}: ${override.reason}`]] satisfies [string, string][]) : []),
  ];
};

const provenanceFacts = (z: ZReport | undefined, { reports: t }: ReportContext): [string, string][] => [
  ...(z?.notCompared === true ? ([[t.notCompared, '']] satisfies [string, string][]) : []),
  ...(z?.learned === undefined ? [] : ([[t.learned, `${z.learned}. ${t.learnedHint}`]] satisfies [string, string][])),
  ...(z?.skipped === undefined ? [] : ([[t.skipped, `${z.skipped}. ${t.skippedHint}`]] satisfies [string, string][])),
];

const range = (
  { first, last }: NonNullable<BatchReport['receipts']>,
  { range: words }: ReportLanguage['reports'],
): string => fill(words, { first: receiptNumber(first), last: receiptNumber(last) });

const parts = ['operations', 'brands', 'entryModes', 'cashiers'] as const;
const others = ['tips', 'refunds', 'voids', 'offline', 'declined', 'unknown', 'notSent'] as const;

type Sums = Pick<ReportLanguage, 'mark'> & {
  t: ReportLanguage['reports'];
  manager: ReportLanguage['words']['manager'];
};

const currencyBlocks = (report: CurrencyReport, { t, manager, mark }: Sums): PdfBlock[] => {
  const { currency, net } = report;
  const { kinds, counted } = manager.batches;
  const table = (title: string, rows: readonly Counted[]): PdfBlock[] => {
    const nonEmpty = rows.filter(({ count }) => count > 0);
    if (nonEmpty.length === 0) return [];
    return [
      {
        kind: 'table',
        columns: [{ title, width: 3 }, rightColumn(manager.count, 1), rightColumn(currency, 2)],
        rows: nonEmpty.map(({ name, count, sum }) => [name, String(count), sum]),
      },
    ];
  };
  const nameOf = (part: Part, { name, program }: CashierCounted): string => {
    const counted = nameOfPart(part, name, manager);
    return program === undefined ? counted : `${counted} (${programWords(program, manager)})`;
  };
  const of = (part: Part) => report[part].map((one) => ({ ...one, name: nameOf(part, one) }));
  return [
    { kind: 'heading', text: fill(t.netOf, { currency, net: withMark(net, mark) }) },
    ...withSpaces([
      ...parts.flatMap((part) => table(kinds[part], of(part))),
      ...table(
        kinds.other,
        others.map((name) => ({ ...report[name], name: counted[name] })),
      ),
    ]),
  ];
};

const withSpaces = (blocks: readonly PdfBlock[]): PdfBlock[] =>
  blocks.flatMap((block) => [block, { kind: 'words', text: '' }]);

const zBlocks = (z: ZReport, { reports: t, words: { manager }, mark }: ReportContext): PdfBlock[] => {
  const { till, gateway } = manager.reconcile;
  const places: Readonly<Record<string, string>> = t.buckets;
  return [
    ...section(t.tillAndGateway, {
      columns: [
        { title: t.brand, width: 3 },
        rightColumn(till, 2),
        rightColumn(gateway, 2),
        rightColumn(t.differing, 1.2),
      ],
      rows: z.brands.map((one) => [
        `${bookedBrandName(one.brand, manager)} ${one.currency}`,
        one.till,
        one.gateway,
        String(one.differing),
      ]),
    }),
    ...section(t.salesDiffer, {
      columns: [
        { title: t.receipt, width: 1 },
        rightColumn(till, 2),
        rightColumn(gateway, 2),
        { title: t.why, width: 4 },
      ],
      rows: z.differences.map((one) => [
        receiptNumber(one.receipt),
        one.till,
        one.gateway === NO_ANSWER ? t.noAnswer : one.gateway,
        textOfWhy(one.why, t),
      ]),
    }),
    ...unknownHereBlocks(z, { t, manager }),
    ...section(t.leftOpen, {
      columns: [{ title: t.receipt, width: 1 }, rightColumn(manager.amount, 2), { title: t.why, width: 6 }],
      rows: z.open.map((one) => [receiptNumber(one.receipt), one.amount, textOfWhy(one.why, t)]),
    }),
    ...section(t.settledSince, {
      columns: [
        { title: t.receipt, width: 1 },
        { title: manager.batches.number, width: 1 },
        rightColumn(manager.amount, 2),
        { title: t.now, width: 4 },
      ],
      rows: z.settled.map((one) => [
        receiptNumber(one.receipt),
        String(one.batch),
        one.amount,
        places[one.place] ?? one.place,
      ]),
    }),
    ...unpaidBlocks(z, { t, manager }),
    ...terminalBlocks(z, { t, mark }),
    { kind: 'heading', text: t.chain },
    { kind: 'words', text: z.previous === FIRST ? t.firstZ : fill(t.before, { hash: z.previous }) },
  ];
};

const unknownHereBlocks = ({ unknownHere = [] }: ZReport, { t, manager }: Pick<Sums, 't' | 'manager'>): PdfBlock[] => {
  const table = section(t.unknownHere, {
    columns: [
      { title: manager.audit.when, width: 2 },
      { title: manager.reconcile.gateway, width: 4 },
      rightColumn(manager.amount, 2),
    ],
    rows: unknownHere.map((one) => [one.at.slice(0, 16), `${one.paymentType} ${one.payment}`, one.amount]),
  });
  return table.length === 0 ? [] : [...table, { kind: 'words', text: t.unknownHereNext }];
};

const unpaidBlocks = (
  { unpaid = [], unpaidOver = [] }: ZReport,
  { t, manager }: Pick<Sums, 't' | 'manager'>,
): PdfBlock[] => {
  const columns = (last: string) => [
    { title: t.receipt, width: 1 },
    { title: manager.batches.number, width: 1 },
    rightColumn(manager.amount, 2),
    { title: last, width: 4 },
  ];
  const facts = ({ receipt, batch, amount }: { receipt: number; batch: number; amount: string }): string[] => [
    receiptNumber(receipt),
    String(batch),
    amount,
  ];
  return [
    ...section(t.unpaid, {
      columns: columns(t.why),
      rows: unpaid.map((one) => [...facts(one), t.unpaidWhys[one.why]]),
    }),
    ...section(t.unpaidOver, {
      columns: columns(t.now),
      rows: unpaidOver.map((one) => [...facts(one), unpaidEndIn(one, t)]),
    }),
  ];
};

const terminalBlocks = ({ terminal }: ZReport, { t, mark }: Pick<Sums, 't' | 'mark'>): PdfBlock[] =>
  terminal === undefined
    ? []
    : [
        { kind: 'heading', text: t.terminalsDay },
        {
          kind: 'words',
          text: fill(terminal.agrees ? t.terminalAgrees : t.terminalDiffers, { sum: withMark(terminal.till, mark) }),
        },
        ...terminal.lines.map((text): PdfBlock => ({ kind: 'words', text })),
      ];

/** A heading and its table. Nothing for a table without rows. */
export const section = (
  text: string,
  table: { columns: readonly PdfColumn[]; rows: readonly (readonly string[])[] },
): PdfBlock[] =>
  table.rows.length === 0
    ? []
    : [
        { kind: 'heading', text },
        { kind: 'table', ...table },
      ];
