/** A long list of which only the rows in sight are drawn, and only the pages around them are read from the till. */
import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import type { Page } from '../../api/ports/wire.ts';
import { ProblemNote } from './problem.tsx';

export type PagedColumn<Row> = {
  name: string;
  /** `8rem`; what is `auto` shares the rest. */
  width: string;
  isNumber?: true;
  cell(row: Row): ReactNode;
};

type Props<Row> = {
  label: string;
  columns: readonly PagedColumn<Row>[];
  /** The list's name among what was read; another one is another list. */
  name: readonly unknown[];
  read(from: number, most: number): Promise<Page<Row>>;
  /** How many there are, as the first page told. */
  total: number;
  height: string;
};

/** Rows of a page, and the height of a row in px: a finger's width. */
export const PAGE = 100;
const ROW = 48;

/** Pages that hold these rows. */
export const pagesOf = (first: number, last: number): number[] => {
  const from = Math.floor(first / PAGE);
  return Array.from({ length: Math.floor(Math.max(first, last) / PAGE) - from + 1 }, (_, at) => from + at);
};

export const PagedTable = <Row,>({ label, columns, name, read, total, height }: Props<Row>) => {
  const frame = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const seen = virtual.getVirtualItems();
  // Half a page ahead either way, so that what is scrolled to has come before it is in sight.
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
  const before = seen[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0);
  return (
    <>
      {failed && <ProblemNote error={failed.error} again={() => void failed.refetch()} />}
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
            <Gap height={before} />
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

/** A frame that is scrolled needs the focus for it. */
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
