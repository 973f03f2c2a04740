/** The trace on the screen: earlier messages and live ones, held back while paused. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { TraceNode, TraceRow } from '../../api/contract/diagnosis.ts';
import { api, got } from '../api.ts';

/** As many as the till keeps. */
const ROWS_MOST = 500;

export type Live = {
  rows: readonly TraceRow[];
  /** Arrived while paused. */
  waiting: number;
  paused: boolean;
  isLive: boolean;
  error: unknown;
  pause(): void;
  clear(): void;
};

const appendRows = (known: readonly TraceRow[], arrived: readonly TraceRow[]): TraceRow[] => {
  const last = known.at(-1)?.n ?? 0;
  return [...known, ...arrived.filter(({ n }) => n > last)].slice(-ROWS_MOST);
};

export const useTrace = (): Live => {
  const [rows, setRows] = useState<readonly TraceRow[]>([]);
  const [unshown, setUnshown] = useState<readonly TraceRow[]>([]);
  const [paused, setPaused] = useState(false);
  const [isLive, setIsLive] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Everything up to this one was cleared from the screen. */
  const [cleared, setCleared] = useState(0);
  const isPaused = useRef(false);

  useEffect(() => {
    let isOver = false;
    // The stream is opened first: a message that arrives in between is in both, and counted once.
    const source = new EventSource('/api/trace/live');
    source.addEventListener('row', (message: MessageEvent<string>) => {
      const row = JSON.parse(message.data) as TraceRow;
      if (isPaused.current) setUnshown((previous) => appendRows(previous, [row]));
      else setRows((previous) => appendRows(previous, [row]));
    });
    const read = async (): Promise<void> => {
      try {
        const earlierRows = await got(api.trace.$get());
        if (!isOver) setRows((live) => appendRows(earlierRows, live));
        setError(undefined);
      } catch (failed) {
        if (!isOver) setError(failed);
      }
    };
    source.onopen = () => {
      setIsLive(true);
      void read();
    };
    source.onerror = () => setIsLive(false);
    void read();
    return () => {
      isOver = true;
      source.close();
    };
  }, []);

  const pause = useCallback((): void => {
    isPaused.current = !isPaused.current;
    setPaused(isPaused.current);
    if (isPaused.current) return;
    setUnshown((waiting) => {
      setRows((previous) => appendRows(previous, waiting));
      return [];
    });
  }, []);
  const clear = useCallback(() => setCleared(rows.at(-1)?.n ?? 0), [rows]);
  return { rows: rows.filter(({ n }) => n > cleared), waiting: unshown.length, paused, isLive, error, pause, clear };
};

// Finds messages by text or bytes, and writes them as text.

const textOfNodes = (nodes: readonly TraceNode[]): string =>
  nodes.map(({ text, below }) => `${text}\n${textOfNodes(below ?? [])}`).join('\n');

/** Searches the meaning as written, and the bytes without the spaces between them. */
export const isMatch = ({ hex, says, counter }: TraceRow, text: string): boolean => {
  const needle = text.trim().toLowerCase();
  if (needle === '') return true;
  const bytes = needle.replace(/\s+/g, '');
  return `${counter}\n${textOfNodes(says)}`.toLowerCase().includes(needle) || hex.toLowerCase().includes(bytes);
};

const arrows = { toTerminal: '>', fromTerminal: '<', lost: 'x' } as const;

const treeLines = (nodes: readonly TraceNode[], indent: string): string[] =>
  nodes.flatMap(({ text, below }) => [`${indent}${text}`, ...treeLines(below ?? [], `${indent}  `)]);

/** The visible messages with the same masking: `14:02:11.120 T1 > 01 00 **`, with the meaning below. */
export const traceText = (rows: readonly TraceRow[], time: (at: number) => string): string =>
  rows
    .flatMap(({ at, counter, way, hex, says }) => [
      `${time(at)} ${counter} ${arrows[way]} ${(hex.match(/../g) ?? []).join(' ')}`.trimEnd(),
      ...treeLines(says, '    '),
    ])
    .join('\n')
    .concat('\n');
