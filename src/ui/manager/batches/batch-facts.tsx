/**
 * The sums of a batch by kind, brand, entry mode and cashier, one table per currency; and the batch's name and address.
 */
import { Stack, Table, Text } from '@mantine/core';
import type { BatchReport, BatchRow } from '../../../api/contract/books.ts';
import type { Formats } from '../../../locales/formats.ts';
import { nameOfPart, programWords } from '../../../locales/names.ts';
import type { Words } from '../../../locales/screens.ts';
import { useWords } from '../../locale/use-words.ts';
import { Panel } from '../parts.tsx';

type Currency = BatchReport['currencies'][number];
type Counted = Currency['cashiers'][number];

const parts = ['operations', 'brands', 'entryModes', 'cashiers'] as const;
const otherCounts = ['tips', 'refunds', 'voids', 'offline', 'declined', 'unknown', 'notSent'] as const;

export const CurrencyTables = ({ currencies }: { currencies: readonly Currency[] }) => (
  <Stack>
    {currencies.map((one) => (
      <CurrencyTable key={one.currency} of={one} />
    ))}
  </Stack>
);

const CurrencyTable = ({ of }: { of: Currency }) => {
  const { t } = useWords('manager');
  const counted = otherCounts.map((name): Counted => ({ ...of[name], name: t.batches.counted[name] }));
  return (
    <Panel title={of.currency}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th ta="end">{t.count}</Table.Th>
            <Table.Th ta="end">{t.total}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {parts
          .filter((part) => of[part].length > 0)
          .map((part) => (
            <Rows
              key={part}
              title={t.batches.kinds[part]}
              currency={of.currency}
              rows={of[part].map((row) => ({ ...row, name: nameOfPart(part, row.name, t) }))}
            />
          ))}
        <Rows title={t.batches.kinds.other} currency={of.currency} rows={counted.filter(({ count }) => count > 0)} />
      </Table>
    </Panel>
  );
};

const Rows = ({ title, rows, currency }: { title: string; rows: readonly Counted[]; currency: string }) => {
  const { t, number, money } = useWords('manager');
  return rows.length === 0 ? null : (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th colSpan={3} scope="rowgroup" c="dimmed" pt="sm">
          {title}
        </Table.Th>
      </Table.Tr>
      {rows.map(({ name, count, sum, program }) => (
        <Table.Tr key={program === undefined ? name : JSON.stringify([name, program])}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {name}
            {program && (
              <Text size="sm" c="dimmed">
                {programWords(program, t)}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="end">{number(count)}</Table.Td>
          <Table.Td ta="end" className="m-number">
            {money({ amount: sum, currency })}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
};

// The name and the address of a batch: each terminal counts its own batches, so with several terminals both include it.

type NamedBatch = Pick<BatchRow, 'batch' | 'terminalId' | 'counter'>;

/** Whether these batches belong to more than one terminal. */
export const areOfSeveral = (rows: readonly NamedBatch[]): boolean =>
  new Set(rows.map(({ terminalId }) => terminalId)).size > 1;

/** `T2`, or the acquirer's id of a terminal that was removed. */
export const terminalOf = ({ counter, terminalId }: NamedBatch): string => counter ?? terminalId;

/** A text about a batch, preceded by its terminal if needed: `T2 · Close batch 1`. */
export const ofTerminal = (text: string, row: NamedBatch, isOfSeveral: boolean): string =>
  isOfSeveral ? `${terminalOf(row)} · ${text}` : text;

export const addressOf = ({ batch, terminalId }: NamedBatch): string =>
  `/manager/batches/${batch}/${encodeURIComponent(terminalId)}`;

type NamingTools = { t: Pick<Words['manager'], 'batches' | 'today'> } & Pick<Formats, 'format' | 'number'>;

/** How many sales succeeded, and how many were attempted if that differs. */
export const attemptsText = (
  { sales, made = sales }: Pick<BatchRow, 'sales' | 'made'>,
  { t, format, number }: NamingTools,
): string => (made === sales ? number(made) : format(t.batches.madeOf, { made: number(made), begun: sales }));

/** `12 sales (15 attempts)` */
export const salesOf = (
  { sales, made = sales }: Pick<BatchRow, 'sales' | 'made'>,
  { t, format }: NamingTools,
): string => format(made === sales ? t.today.takenHint : t.today.takenBegun, { count: made, begun: sales });
