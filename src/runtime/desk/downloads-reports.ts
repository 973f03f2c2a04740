/** Z reports and reconciliations as they are printed on A4. */
import type { BatchReport, ReconciliationDetail } from '../../api/ports/books.ts';
import type { Amount } from '../../api/ports/wire.ts';
import type { Counted, CurrencyReport } from '../../reconciliation/report.ts';
import { FIRST, type ZReport } from '../../reconciliation/z-report.ts';
import type { Block, Column } from './report-pdf.ts';

export type Reported = { title: string; about: string; foot: string; blocks: Block[] };

const right = (title: string, width: number): Column => ({ title, width, align: 'right' });
const printed = ({ amount, currency }: Amount): string => `${amount} ${currency}`;
const receipt = (number: number | undefined): string => (number === undefined ? '' : String(number).padStart(6, '0'));

/** `z` is missing of a batch that is not closed yet. `at` writes a time as the store's wall has it. */
export const batchPaper = (
  batch: BatchReport,
  { z, at }: { z: ZReport | undefined; at: (ms: number) => string },
): Reported => ({
  title: batch.z === undefined ? `Batch ${batch.batch}, not closed` : `Z report ${batch.z}`,
  about: `Batch ${batch.batch} of terminal ${batch.terminalId}`,
  foot: z === undefined ? 'Not a Z report: the batch is still open.' : `Hash ${z.hash}`,
  blocks: [
    {
      kind: 'facts',
      rows: [
        ['Business day', batch.day],
        ['Opened', at(batch.openedAt)],
        ...(batch.closedAt === undefined ? [] : [['Closed', at(batch.closedAt)] as const]),
        ['Entries', String(batch.sales)],
        ...(batch.receipts
          ? [['Receipts', `${receipt(batch.receipts.first)} to ${receipt(batch.receipts.last)}`] as const]
          : []),
        ...batch.net.map((net): readonly [string, string] => ['Net', printed(net)]),
        ...(batch.override
          ? [['Closed with open money', `${batch.override.by}: ${batch.override.reason}`] as const]
          : []),
      ],
    },
    ...batch.currencies.flatMap(currencyBlocks),
    ...(z === undefined ? [] : zBlocks(z)),
  ],
});

const currencyBlocks = (report: CurrencyReport): Block[] => {
  const { currency } = report;
  const table = (title: string, rows: readonly Counted[]): Block[] => {
    const some = rows.filter(({ count }) => count > 0);
    if (some.length === 0) return [];
    return [
      {
        kind: 'table',
        columns: [{ title, width: 3 }, right('Sales', 1), right(currency, 2)],
        rows: some.map(({ name, count, sum }) => [name, String(count), sum]),
      },
    ];
  };
  const { tips, refunds, voids, offline, declined, unknown, notSent } = report;
  const others = { tips, refunds, voids, offline, declined, unknown, 'not sent': notSent };
  return [
    { kind: 'heading', text: `${currency}: net ${report.net}` },
    ...spaced([
      ...table('By kind', report.operations),
      ...table('By brand', report.brands),
      ...table('By entry mode', report.entryModes),
      ...table('By cashier', report.cashiers),
      ...table(
        'Also',
        Object.entries(others).map(([name, one]) => ({ ...one, name })),
      ),
    ]),
  ];
};

const spaced = (blocks: readonly Block[]): Block[] => blocks.flatMap((block) => [block, { kind: 'words', text: '' }]);

const zBlocks = ({ brands, differences, open, settled, previous, terminal }: ZReport): Block[] => [
  ...section('Till and gateway', {
    columns: [{ title: 'Brand', width: 3 }, right('Till', 2), right('Gateway', 2), right('Differing', 1.2)],
    rows: brands.map((one) => [...[`${one.brand} ${one.currency}`, one.till, one.gateway], String(one.differing)]),
  }),
  ...section('Sales that differ', {
    columns: [{ title: 'Receipt', width: 1 }, right('Till', 2), right('Gateway', 2), { title: 'Why', width: 4 }],
    rows: differences.map((one) => [receipt(one.receipt), one.till, one.gateway, one.why]),
  }),
  ...section('Left open', {
    columns: [{ title: 'Receipt', width: 1 }, right('Amount', 2), { title: 'Why', width: 6 }],
    rows: open.map((one) => [receipt(one.receipt), one.amount, one.why]),
  }),
  ...section('Settled since', {
    columns: [
      { title: 'Receipt', width: 1 },
      { title: 'Batch', width: 1 },
      right('Amount', 2),
      { title: 'Now', width: 4 },
    ],
    rows: settled.map((one) => [receipt(one.receipt), String(one.batch), one.amount, one.place]),
  }),
  ...(terminal
    ? ([
        { kind: 'heading', text: 'The terminal’s own day' },
        {
          kind: 'words',
          text: `The till has ${terminal.till}; the terminal ${terminal.agrees ? 'agrees' : 'does not'}.`,
        },
        ...terminal.lines.map((text): Block => ({ kind: 'words', text })),
      ] satisfies Block[])
    : []),
  { kind: 'heading', text: 'Chain' },
  {
    kind: 'words',
    text: previous === FIRST ? 'This is the first Z report.' : `The report before this one: ${previous}`,
  },
];

const section = (text: string, table: { columns: readonly Column[]; rows: readonly (readonly string[])[] }): Block[] =>
  table.rows.length === 0
    ? []
    : [
        { kind: 'heading', text },
        { kind: 'table', ...table },
      ];

export const reconciliationPaper = (detail: ReconciliationDetail, at: (ms: number) => string): Reported => ({
  title: 'Reconciliation',
  about: detail.file,
  foot: `Reconciliation ${detail.id}`,
  blocks: [
    {
      kind: 'facts',
      rows: [
        ['Payments of', detail.days.first === '' ? 'no day' : `${detail.days.first} to ${detail.days.last}`],
        ['Reconciled', `${at(detail.at)}${detail.by === undefined ? '' : `, ${detail.by}`}`],
        ['Lines', `${detail.records} read, ${detail.refusedCount} not read`],
        ['Agreeing sales', String(detail.agreeing)],
        ['Differences', `${detail.differences}, of which ${detail.resolved} are resolved`],
        ...detail.payout.map((sum): readonly [string, string] => ['Paid out', printed(sum)]),
      ],
    },
    ...section('Differences', {
      columns: [
        { title: 'Receipt', width: 1.1 },
        right('Till', 1.4),
        right('Gateway', 1.4),
        right('Settled', 1.4),
        { title: 'Explanation, and what was done', width: 4.6 },
      ],
      rows: detail.findings.map((one) => [
        one.receipt === undefined ? `line ${one.lines[0] ?? '?'}` : receipt(one.receipt),
        ...[one.till.amount, one.gateway?.amount ?? '', one.settled.amount],
        explained(one, at),
      ]),
    }),
    ...(detail.more ? [{ kind: 'words' as const, text: `${detail.more} more differences are not listed.` }] : []),
    ...section('What else makes the payout', {
      columns: [{ title: 'Reason', width: 5 }, right('Count', 1), right('Amount', 2)],
      rows: (detail.fine ?? []).map(({ says, count, amount }) => [says, String(count), printed(amount)]),
    }),
    ...section('Lines that were not read', {
      columns: [right('Line', 1), { title: 'Why', width: 8 }],
      rows: detail.refused.map(({ line, why, says = why }) => [String(line), says]),
    }),
  ],
});

const explained = ({ reasons, resolution }: ReconciliationDetail['findings'][number], at: (ms: number) => string) => {
  const why = reasons.map(({ says, amount }) => (amount ? `${says} (${printed(amount)})` : says)).join('; ');
  if (resolution === undefined) return `${why}. Open: ${reasons[0]?.toDo ?? ''}`;
  const { choice, note, by } = resolution;
  const what = note === '' ? choice : `${choice}, ${note}`;
  return `${why}. Resolved: ${what} (${by ?? 'nobody signed in'}, ${at(resolution.at)})`;
};
