/** Numbers at a glance: large figures side by side, each with a short description; and charts. */
import {
  ActionIcon,
  Card,
  Group,
  SimpleGrid,
  Skeleton,
  Table,
  Text,
  Title,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { IconChartBar, IconTable } from '../icons/icons.ts';

type Figure = { name: string; value: string; hint?: ReactNode; colour?: string; icon?: ReactNode };

export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0} spacing="sm">
    {figures.map(({ name, value, hint, colour, icon }) => (
      <Card
        key={name}
        withBorder
        padding="sm"
        radius="md"
        style={{ borderInlineStart: `4px solid var(--mantine-color-${colour ?? 'gray'}-5)` }}
      >
        <Text component="dt" c="dimmed" fw={500} className="m-figure-name">
          {icon}
          <span>{name}</span>
        </Text>
        <Text component="dd" m={0} fz={{ base: '1.15rem', md: '1.7rem', xl: '2.1rem' }} fw={700} lh={1.3}>
          <bdi style={{ overflowWrap: 'anywhere' }}>{value}</bdi>
        </Text>
        {hint !== undefined && (
          <Text component="dd" m={0} size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Card>
    ))}
  </SimpleGrid>
);

export type ChartColumn = { name: string; isNumber?: true };

type TableProps = { title: string; columns: readonly ChartColumn[]; rows: readonly (readonly string[])[] };

const ChartTable = ({ title, columns, rows }: TableProps) => (
  <Table aria-label={title} verticalSpacing={6}>
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ name, isNumber }) => (
          <Table.Th key={name} ta={isNumber ? 'end' : 'start'}>
            {name}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row) => (
        <Table.Tr key={row[0]}>
          {row.map((cell, i) => (
            <Table.Td key={columns[i]?.name} ta={columns[i]?.isNumber ? 'end' : 'start'}>
              <bdi>{cell}</bdi>
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

type Props = TableProps & {
  /** Shown instead of the chart when there are no rows. */
  empty: string;
  switchTexts: { asTable: string; asChart: string };
  height: number;
  children: ReactNode;
};

/** A chart that is also available as a table, for people who cannot see it or want the figures. */
export const Chart = ({ title, columns, rows, empty, switchTexts, height, children }: Props) => {
  const [isTable, setIsTable] = useState(false);
  const switchTo = isTable ? switchTexts.asChart : switchTexts.asTable;
  return (
    <Card withBorder padding="md" radius="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h4">
          {title}
        </Title>
        {rows.length > 0 && (
          <Tooltip label={switchTo}>
            <ActionIcon
              size={48}
              variant="subtle"
              color="gray"
              aria-label={`${title}: ${switchTo}`}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? <IconChartBar size={22} /> : <IconTable size={22} />}
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {rows.length === 0 && (
        <Text c="dimmed" py="lg" ta="center">
          {empty}
        </Text>
      )}
      {rows.length > 0 && isTable && <ChartTable {...{ title, columns, rows }} />}
      {rows.length > 0 && !isTable && (
        <>
          <div aria-hidden style={{ height: `${height / 16}rem` }}>
            <Suspense fallback={<Skeleton height={height} />}>{children}</Suspense>
          </div>
          <VisuallyHidden>
            <ChartTable {...{ title, columns, rows }} />
          </VisuallyHidden>
        </>
      )}
    </Card>
  );
};
