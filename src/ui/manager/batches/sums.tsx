/** A batch's sums: by kind, brand, entry mode and cashier, one table a currency. */
import { Stack, Table, Text } from '@mantine/core';
import type { BatchReport } from '../../../api/ports/books.ts';
import { countedName, programWords } from '../../../words/names.ts';
import { useWords } from '../../words/words.ts';
import { Panel } from '../parts.tsx';

type Currency = BatchReport['currencies'][number];
type Counted = Currency['cashiers'][number];

const parts = ['operations', 'brands', 'entryModes', 'cashiers'] as const;
const others = ['tips', 'refunds', 'voids', 'offline', 'declined', 'unknown', 'notSent'] as const;

export const CurrencyTables = ({ currencies }: { currencies: readonly Currency[] }) => (
  <Stack>
    {currencies.map((one) => (
      <CurrencyTable key={one.currency} of={one} />
    ))}
  </Stack>
);

const CurrencyTable = ({ of }: { of: Currency }) => {
  const { t } = useWords('manager');
  const counted = others.map((name): Counted => ({ ...of[name], name: t.batches.counted[name] }));
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
              rows={of[part].map((row) => ({ ...row, name: countedName(part, row.name, t) }))}
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
