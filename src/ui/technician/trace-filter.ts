/** Messages found by their words or bytes, and written as text. */
import type { TraceNode, TraceRow } from '../../api/ports/devices.ts';

const wordsIn = (nodes: readonly TraceNode[]): string =>
  nodes.map(({ text, below }) => `${text}\n${wordsIn(below ?? [])}`).join('\n');

/** In the meaning as it is written, in the bytes without the spaces between them. */
export const matches = ({ hex, says, counter }: TraceRow, words: string): boolean => {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return true;
  const bytes = wanted.replace(/\s+/g, '');
  return `${counter}\n${wordsIn(says)}`.toLowerCase().includes(wanted) || hex.toLowerCase().includes(bytes);
};

const arrows = { toTerminal: '>', fromTerminal: '<', lost: 'x' } as const;

const treeLines = (nodes: readonly TraceNode[], indent: string): string[] =>
  nodes.flatMap(({ text, below }) => [`${indent}${text}`, ...treeLines(below ?? [], `${indent}  `)]);

/** What is on the screen, with the same bytes masked: `14:02:11.120 T1 > 01 00 **`, and its meaning below. */
export const asText = (rows: readonly TraceRow[], time: (at: number) => string): string =>
  rows
    .flatMap(({ at, counter, way, hex, says }) => [
      `${time(at)} ${counter} ${arrows[way]} ${(hex.match(/../g) ?? []).join(' ')}`.trimEnd(),
      ...treeLines(says, '    '),
    ])
    .join('\n')
    .concat('\n');
