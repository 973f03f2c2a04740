/** Everything that was done at this till and by whom: a list as long as the journal, read in pages. */
import { Badge, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import type { AuditEntry } from '../../../api/contract/store.ts';
import type { Page } from '../../../api/contract/wire.ts';
import { fill } from '../../../base/placeholders.ts';
import { textFor } from '../../../locales/names.ts';
import { api, got } from '../../api.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Download, Empty, Head } from '../parts.tsx';
import { useRead } from '../use-action.tsx';

type Filter = { kind: string; by: string };

const fetchAudit = ({ kind, by }: Filter, from: number, most: number) =>
  got(
    api.audit.$get({ query: { from: String(from), most: String(most), kind: kind || undefined, by: by || undefined } }),
  );

export const Audit = () => {
  const { t, number } = useWords('manager');
  const [filter, setFilter] = useState<Filter>({ kind: '', by: '' });
  const name = ['audit', filter.kind, filter.by];
  const first = useRead([...name, 0], () => fetchAudit(filter, 0, PAGE), true);
  return (
    <>
      <Head title={t.sections.audit} subtitle={t.audit.intro}>
        <Download of="audit" as="csv" />
      </Head>
      <Stack>
        <Group align="flex-end">
          <Filters filter={filter} setFilter={setFilter} />
          <Text role="status" c="dimmed" pb="xs">
            {first.data ? fill(t.audit.total, { count: number(first.data.total) }) : ''}
          </Text>
        </Group>
        <Listed query={first} isEmpty={({ total }) => total === 0} empty={<Empty>{t.audit.empty}</Empty>}>
          {({ total }) => <Rows key={name.join(' ')} name={name} filter={filter} total={total} />}
        </Listed>
      </Stack>
    </>
  );
};

const Filters = ({ filter, setFilter }: { filter: Filter; setFilter(filter: Filter): void }) => {
  const { t } = useWords('manager');
  const people = useRead(['staff'], () => got(api.staff.$get()));
  const all = { value: '', label: t.audit.all };
  const kinds = Object.entries(t.audit.kinds).map(([value, label]) => ({ value, label }));
  return (
    <>
      <NativeSelect
        size="md"
        label={t.audit.who}
        value={filter.by}
        data={[all, ...(people.data ?? []).map(({ name }) => ({ value: name, label: name }))]}
        onChange={({ currentTarget }) => setFilter({ ...filter, by: currentTarget.value })}
      />
      <NativeSelect
        size="md"
        label={t.audit.what}
        value={filter.kind}
        data={[all, ...kinds]}
        onChange={({ currentTarget }) => setFilter({ ...filter, kind: currentTarget.value })}
      />
    </>
  );
};

const FullText = ({ text }: { text: string }) => <span title={text}>{text}</span>;

const Rows = ({ name, filter, total }: { name: readonly string[]; filter: Filter; total: number }) => {
  const { t, shared, dateTime } = useWords('manager');
  const messages = useMessages();
  const columns: PagedColumn<AuditEntry>[] = [
    { name: t.audit.when, width: '10.5rem', cell: ({ at }) => dateTime(at) },
    { name: t.audit.who, width: '8rem', cell: ({ by }) => <bdi>{by ?? t.nobody}</bdi> },
    {
      name: t.audit.what,
      width: '12rem',
      cell: ({ kind }) => (
        <Badge variant="light" color="gray" tt="none" size="lg" autoContrast maw="100%">
          {textFor(t.audit.kinds, kind) ?? kind}
        </Badge>
      ),
    },
    { name: shared.details, width: 'auto', cell: ({ words, told }) => <FullText text={messages.text(told, words)} /> },
  ];
  return (
    <PagedTable
      label={t.audit.rows}
      columns={columns}
      name={['manager', ...name]}
      read={(from, most) => fetchAudit(filter, from, most)}
      total={total}
      height="max(20rem, calc(100dvh - 17rem))"
    />
  );
};

// A long list that draws only visible rows, and reads only the pages around them from the till.

type PagedColumn<Row> = {
  name: string;
  /** `8rem`; `auto` columns share the rest. */
  width: string;
  isNumber?: true;
  cell(row: Row): ReactNode;
};

type Props<Row> = {
  label: string;
  columns: readonly PagedColumn<Row>[];
  /** The query name of the list; another name is another list. */
  name: readonly unknown[];
  read(from: number, most: number): Promise<Page<Row>>;
  /** The number of rows, according to the first page. */
  total: number;
  height: string;
};

/** Rows per page, and the height of a row in px: the width of a finger. */
const PAGE = 100;
const ROW = 48;

/** The pages that contain these rows. */
export const pagesOf = (first: number, last: number): number[] => {
  const from = Math.floor(first / PAGE);
  return Array.from({ length: Math.floor(Math.max(first, last) / PAGE) - from + 1 }, (_, i) => from + i);
};

const PagedTable = <Row,>({ label, columns, name, read, total, height }: Props<Row>) => {
  const frame = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const seen = virtual.getVirtualItems();
  // Half a page ahead in both directions, so that rows are loaded before they are scrolled into view.
  const pages = pagesOf(
    Math.max(0, (seen[0]?.index ?? 0) - PAGE / 2),
    Math.min(total - 1, (seen.at(-1)?.index ?? 0) + PAGE / 2),
  );
  const queries = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...name, page],
      queryFn: () => read(page * PAGE, PAGE),
      staleTime: 30_000,
    })),
  });
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  const rowAt = (index: number): Row | undefined =>
    queries[pages.indexOf(Math.floor(index / PAGE))]?.data?.rows[index % PAGE];
  const heightAbove = seen[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0);
  return (
    <>
      {failed && <ProblemNote error={failed.error} retry={() => void failed.refetch()} />}
      <section ref={frame} className="m-rows" style={{ height }} {...scrolledByKeys} aria-label={label}>
        <table aria-label={label} aria-rowcount={total + 1}>
          <colgroup>
            {columns.map(({ name: one, width }) => (
              <col key={one} style={{ width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ name: one, isNumber }) => (
                <th key={one} style={{ textAlign: isNumber ? 'end' : 'start' }}>
                  {one}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap height={heightAbove} />
            {seen.map(({ index }) => (
              <PagedRow key={index} columns={columns} index={index} row={rowAt(index)} />
            ))}
            <Gap height={after} />
          </tbody>
        </table>
      </section>
    </>
  );
};

/** A scrolling frame must be focusable. */
const scrolledByKeys = { tabIndex: 0 };

/** As tall as the rows that are not drawn. */
const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden style={{ height }} /> : null);

type RowProps<Row> = { columns: readonly PagedColumn<Row>[]; index: number; row: Row | undefined };

const PagedRow = <Row,>({ columns, index, row }: RowProps<Row>) => (
  <tr aria-rowindex={index + 2} style={{ height: ROW }}>
    {columns.map((column) => (
      <td key={column.name} style={{ textAlign: column.isNumber ? 'end' : 'start' }}>
        {row === undefined ? <Skeleton height={14} /> : column.cell(row)}
      </td>
    ))}
  </tr>
);
