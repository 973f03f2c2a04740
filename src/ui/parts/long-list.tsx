/**
 * A list of any length that reads and draws only its visible part: pages are loaded from the till as they are scrolled
 * to. Keyboard: arrows, Page Up and Down, Home, End, and Enter to choose.
 */
import { Box, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, type QueryKey, useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { Page } from '../../api/contract/wire.ts';
import { useWords } from '../locale/use-words.ts';
import { ProblemNote } from './problem.tsx';

type Props<Row> = {
  /** Names the query, including filters; pages are stored below it in the cache. */
  queryKey: QueryKey;
  read: (ask: { from: number; most: number }) => Promise<Page<Row>>;
  /** The list's name for screen readers. */
  label: string;
  /** The height of every row, px. */
  rowHeight: number;
  /** The height of the list, a CSS length; it fills its place if absent. */
  height?: string;
  /** One row, without anything in it that can be pressed. */
  children: (row: Row) => ReactNode;
  onChoose?: (row: Row) => void;
  empty?: ReactNode;
};

const PAGE = 50;
/** Pages scrolled past are dropped after this time. */
const KEPT_MS = 60_000;

/** The loaded rows by position; a hole where a page is not loaded yet. */
const useRows = <Row,>({ queryKey, read }: Pick<Props<Row>, 'queryKey' | 'read'>, pages: readonly number[]) => {
  const pageOf = (page: number) => ({
    queryKey: [...queryKey, 'page', page],
    queryFn: () => read({ from: page * PAGE, most: PAGE }),
    gcTime: KEPT_MS,
    placeholderData: keepPreviousData,
  });
  const first = useQuery(pageOf(0));
  const more = useQueries({ queries: pages.filter((page) => page !== 0).map(pageOf) });
  const at = new Map<number, Row>();
  for (const page of [first, ...more])
    page.data?.rows.forEach((row, index) => {
      at.set((page.data?.from ?? 0) + index, row);
    });
  return { first, at, failed: [first, ...more].find(({ error }) => error !== null), total: first.data?.total ?? 0 };
};

const steps: Readonly<Record<string, (at: number, rows: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, rows) => at + rows,
  PageUp: (at, rows) => at - rows,
  Home: () => 0,
  End: () => Number.MAX_SAFE_INTEGER,
};

/** The position and the visible part of the list, and its keyboard control. */
const useList = <Row,>({ queryKey, read, rowHeight, onChoose }: Props<Row>) => {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [pages, setPages] = useState<readonly number[]>([0]);
  const rows = useRows({ queryKey, read }, pages);
  const { at, total } = rows;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    onChange({ range }) {
      // Half a page ahead in both directions, so that rows are loaded before they are scrolled into view.
      const from = Math.floor(Math.max(0, (range?.startIndex ?? 0) - PAGE / 2) / PAGE);
      const to = Math.floor(Math.min(Math.max(0, total - 1), (range?.endIndex ?? 0) + PAGE / 2) / PAGE);
      if (pages[0] !== from || pages.at(-1) !== to)
        setPages(Array.from({ length: to - from + 1 }, (_, index) => from + index));
    },
  });
  const press = (event: KeyboardEvent): void => {
    const chosen = at.get(active);
    if (event.key === 'Enter' && chosen !== undefined) onChoose?.(chosen);
    const step = steps[event.key];
    if (step === undefined || total === 0) return;
    event.preventDefault();
    const seen = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const next = Math.min(total - 1, Math.max(0, step(active, seen)));
    setActive(next);
    virtual.scrollToIndex(next);
  };
  const choose = (index: number): void => {
    const row = at.get(index);
    setActive(index);
    if (row !== undefined) onChoose?.(row);
  };
  return { ...rows, box, active, virtual, press, choose };
};

export const LongList = <Row,>(props: Props<Row>) => {
  const { label, rowHeight, height = '100%', children, empty } = props;
  const { shared } = useWords('signIn');
  const id = useId();
  const { first, at, failed, total, box, active, virtual, press, choose } = useList(props);
  if (first.data === undefined && first.error)
    return <ProblemNote error={first.error} retry={() => void first.refetch()} />;
  if (first.data?.total === 0) return <>{empty ?? <Text c="dimmed">{shared.nothingHere}</Text>}</>;
  const option = (index: number, start: number) => {
    const row = at.get(index);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of its options.
      <div
        key={index}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        aria-posinset={index + 1}
        aria-setsize={total}
        className="tg-long-list-row"
        style={{ height: rowHeight, transform: `translateY(${start}px)` }}
        onClick={() => choose(index)}
      >
        {row === undefined ? <Skeleton height={16} aria-label={shared.loading} /> : children(row)}
      </div>
    );
  };
  return (
    <>
      {failed?.error && <ProblemNote error={failed.error} retry={() => void failed.refetch()} />}
      <div
        ref={box}
        className="tg-long-list"
        style={{ height }}
        role="listbox"
        aria-label={label}
        aria-busy={first.data === undefined}
        aria-activedescendant={at.has(active) ? `${id}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={press}
      >
        <Box role="presentation" pos="relative" h={virtual.getTotalSize()}>
          {virtual.getVirtualItems().map(({ index, start }) => option(index, start))}
        </Box>
      </div>
    </>
  );
};
