/**
 * Prints the contract as a table, drivers across and cases down: `node test/contract/terminal-table.ts [room]`. The
 * reasons of failed cases follow the table, and the exit code is then 1.
 */
import { errorText } from '../../src/base/fault.ts';
import { type Case, type DriverUnderTest, driversUnderTest } from './terminal.ts';
import type { Steps } from './terminal-steps.ts';
import { topics } from './terminal-topics.ts';

export type Cell = { mark: string; why?: string };
export type Line = { says: string; cells: readonly Cell[] };

export const runCases = async ({ run }: Case, subject: DriverUnderTest, steps?: Steps): Promise<Cell> => {
  try {
    return { mark: await run(subject, steps) };
  } catch (error) {
    return { mark: 'FAILS', why: `${subject.name}: ${errorText(error)}` };
  }
};

/** Rows of a Markdown table; every column is as wide as its widest cell. */
export const tableOf = (heads: readonly string[], lines: readonly Line[]): string => {
  const rows = [heads, ...lines.map(({ says, cells }) => [says, ...cells.map(({ mark }) => mark)])];
  const widths = heads.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const print = (row: readonly string[]): string =>
    `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = '', ...body] = rows.map(print);
  return [head, rule, ...body].join('\n');
};

const printTable = async (only: string | undefined): Promise<number> => {
  let failed = 0;
  for (const [topic, cases] of Object.entries(topics)) {
    if (only !== undefined && topic !== only) continue;
    const lines: Line[] = [];
    for (const one of cases) {
      const cells: Cell[] = [];
      for (const subject of driversUnderTest) cells.push(await runCases(one, subject));
      lines.push({ says: one.says, cells });
    }
    const reasons = lines.flatMap(({ says, cells }) =>
      cells.flatMap(({ why }) => (why === undefined ? [] : [`${says}: ${why}`])),
    );
    failed += reasons.length;
    process.stdout.write(`${tableOf([topic, ...driversUnderTest.map(({ name }) => name)], lines)}\n\n`);
    for (const reason of reasons) process.stdout.write(`${reason}\n`);
  }
  return failed;
};

if (import.meta.main) process.exitCode = (await printTable(process.argv[2])) > 0 ? 1 : 0;
