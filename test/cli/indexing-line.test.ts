/** The progress line of a till that rebuilds its indexes before it sells. */
import { expect, test } from 'vitest';
import { indexingText } from '../../src/app/indexing-text.ts';
import { indexingLine } from '../../src/cli/terms.ts';

test.each([
  { isTTY: false, lines: ['0', '11', '20', '100'] },
  { isTTY: true, lines: ['0', '11', '20', '21', '100'] },
])('the command line shows the progress, but not too often: %j', ({ isTTY, lines }) => {
  let written = '';
  const line = indexingLine({
    isTTY,
    write: (text) => {
      written += text;
    },
  });
  for (const doneCount of [0, 4, 119, 119, 200, 219, 1_000])
    line({ indexes: ['search'], done: doneCount, total: 1_000 });
  const says = (percent: string): string => `Rebuilding the search index: ${percent} % of 1,000 events`;
  expect(written).toBe(
    lines.map((one) => (isTTY ? `\r${says(one)}` : `${says(one)}\n`)).join('') + (isTTY ? '\n' : ''),
  );
});

test.each([
  [['takings'], 'the totals index'],
  [['search'], 'the search index'],
  [['takings', 'search'], '2 indexes'],
])('%j are called %s', (indexes, called) => {
  expect(indexingText({ indexes, done: 999, total: 1_000 })).toBe(`Rebuilding ${called}: 99 % of 1,000 events`);
});
