/** All batches, newest first. */
import { Anchor, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { BatchRow } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconStack2 } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Listed } from '../../parts/problem.tsx';
import { Empty, Head, Panel } from '../parts.tsx';
import { useRead } from '../use-action.tsx';
import { addressOf, areOfSeveral, terminalOf } from './batch-facts.tsx';

export const batchColours = { open: 'blue', closing: 'yellow', closed: 'green' } as const;

/** More are drawn on request. */
const AT_ONCE = 100;

export const Batches = () => {
  const { t, number } = useWords('manager');
  const batches = useRead(['batches'], () => got(api.batches.$get({ query: {} })));
  const [most, setMost] = useState(AT_ONCE);
  return (
    <>
      <Head title={t.sections.batches}>
        <Button component={Link} href="/manager/close" size="md">
          {t.sections.closing}
        </Button>
      </Head>
      <Panel>
        <Listed
          query={batches}
          isEmpty={(rows) => rows.length === 0}
          empty={<Empty icon={<IconStack2 size={48} />}>{t.batches.empty}</Empty>}
        >
          {(rows) => (
            <Stack>
              <BatchTable rows={rows.toSorted((left, right) => right.openedAt - left.openedAt).slice(0, most)} />
              {rows.length > most && (
                <Group justify="center">
                  <Text c="dimmed">{fill(t.shown, { count: number(most), total: number(rows.length) })}</Text>
                  <Button size="md" variant="light" onClick={() => setMost(most + AT_ONCE)}>
                    {fill(t.more, { count: number(Math.min(AT_ONCE, rows.length - most)) })}
                  </Button>
                </Group>
              )}
            </Stack>
          )}
        </Listed>
      </Panel>
    </>
  );
};

const BatchTable = ({ rows }: { rows: readonly BatchRow[] }) => {
  const { t, shared, number, money, dateTime, day } = useWords('manager');
  const isOfSeveral = areOfSeveral(rows);
  return (
    <Table.ScrollContainer minWidth={600} type="native" tabIndex={0} role="group" aria-label={t.sections.batches}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.batches.number}</Table.Th>
            {isOfSeveral && <Table.Th>{shared.fields.counter}</Table.Th>}
            <Table.Th>{t.batches.state}</Table.Th>
            <Table.Th>{t.batches.day}</Table.Th>
            <Table.Th>{t.batches.closed}</Table.Th>
            <Table.Th ta="end">{t.batches.z}</Table.Th>
            <Table.Th ta="end">{t.count}</Table.Th>
            <Table.Th ta="end">{t.batches.net}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.terminalId} ${row.batch}`}>
              <Table.Td>
                <Anchor component={Link} href={addressOf(row)} fw={600} className="m-target">
                  {fill(t.batches.batch, { batch: row.batch })}
                </Anchor>
              </Table.Td>
              {isOfSeveral && (
                <Table.Td>
                  <bdi>{terminalOf(row)}</bdi>
                </Table.Td>
              )}
              <Table.Td>
                <Badge variant="light" size="lg" autoContrast color={row.override ? 'orange' : batchColours[row.state]}>
                  {t.batches.states[row.state]}
                </Badge>
              </Table.Td>
              <Table.Td>
                <bdi>{day(row.day)}</bdi>
              </Table.Td>
              <Table.Td>{row.closedAt === undefined ? '–' : dateTime(row.closedAt)}</Table.Td>
              <Table.Td ta="end">{row.z === undefined ? '–' : number(row.z)}</Table.Td>
              <Table.Td ta="end">{number(row.made ?? row.sales)}</Table.Td>
              <Table.Td ta="end" className="m-number">
                {row.net.map(money).join(' · ') || '–'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};
