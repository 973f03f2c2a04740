/**
 * `npm run test:windows` runs the product under Wine 10 and writes the results to `report.md`. Options: `--wine
 * FOLDER`, made by `make-wine.sh`; `--only NAME`, may be repeated; `--keep`, to keep the installed packages.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Check, checks } from './checks.ts';
import { nodeVersion, prepareShop } from './shop.ts';
import { openWindows, type Windows } from './wine.ts';

const { values } = parseArgs({
  options: {
    wine: { type: 'string', default: '/var/lib/tillgate-wine' },
    only: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Row = { check: Check; passed: boolean; seen: string; ms: number };

const main = async (): Promise<number> => {
  if (values.help) return print(`npm run test:windows -- [--wine FOLDER] [--keep] [--only NAME]…\n${names()}`);
  const unknown = values.only.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) return print(`There is no check "${unknown}". ${names()}`, 2);
  const windows = await openWindows(values.wine);
  prepareShop(windows, { keep: values.keep });
  const rows: Row[] = [];
  for (const check of checks)
    if (values.only.length === 0 || values.only.includes(check.name)) rows.push(await runCheck(check, windows));
  windows.end();
  if (values.only.length === 0) writeFileSync(join(import.meta.dirname, 'report.md'), reportOf(rows, windows));
  return rows.every(({ passed }) => passed) ? 0 : 1;
};

const runCheck = async (check: Check, windows: Windows): Promise<Row> => {
  const since = performance.now();
  const outcome = await check.run(windows).then(
    (seen) => ({ passed: true, seen }),
    (error: unknown) => ({ passed: false, seen: error instanceof Error ? error.message : String(error) }),
  );
  const row = { check, ...outcome, ms: performance.now() - since };
  print(`${row.passed ? '✓' : '✗'} ${check.name} (${seconds(row)} s): ${row.seen}`);
  return row;
};

const reportOf = (rows: readonly Row[], { version }: Windows): string => {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const head = [
    '# The last run on Windows',
    '',
    `Made by \`npm run test:windows\` on ${new Date().toISOString().slice(0, 10)}, after commit ${commit}: Wine ${version},`,
    `Node ${nodeVersion()} for Windows. Wine is not Windows. What it cannot show is listed in`,
    '[docs/technician.md](../../docs/technician.md).',
    '',
    '| check | description | result | seconds | output |',
    '|---|---|---|---:|---|',
  ];
  const table = rows.map(
    (row) =>
      `| ${row.check.name} | ${row.check.says} | ${row.passed ? 'passed' : '**failed**'} | ${seconds(row)} | ${cell(row.seen)} |`,
  );
  return [...head, ...table, ''].join('\n');
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, '<br>');
const seconds = ({ ms }: Row): number => Math.round(ms / 1000);
const names = (): string => `Checks: ${checks.map(({ name }) => name).join(', ')}.`;

const print = (text: string, code = 0): number => {
  process.stdout.write(`${text}\n`);
  return code;
};

process.exitCode = await main();
