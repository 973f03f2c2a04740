/**
 * A day by command line at the strictest simulated terminal of each protocol and at one that locks until the close:
 * what the till reports, and the terminal's turnover. By night at every dialect:
 * `test/system/every-dialect.nightly.test.ts`.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allRows, playAll } from '../support/dialects/table.ts';

const rows = allRows().filter(({ dialect }) => dialect === undefined);

test.each(rows.map((row) => [row.protocol, row] as const))('%s', { timeout: 120_000 }, async (_, row) => {
  const [played] = await playAll([row], 1);
  expect(played).toMatchObject({ wrong: [], day: { held: 430n, till: 430n } });
});

const program = join(import.meta.dirname, 'every-dialect.ts');

/** Runs `npm run simulate:dialects`. */
const runProgram = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

test('the command shows a terminal that locks until the close as one row', { timeout: 120_000 }, async () => {
  const { code, out, err } = await runProgram('zvt', '--dialect', 'locked-day');
  expect(code, out + err).toBe(0);
  expect(out).toMatch(
    /^protocol +dialect +sale +second sale +void +refund +close +held by +holds +till’s day +verdict$/m,
  );
  expect(out).toMatch(
    /^zvt +locked-day +approved, after a close +approved +voided +refunded +closed +terminal +4\.30 EUR +4\.30 EUR +agree$/m,
  );
  expect(out).toContain('every cent accounted for');
});

test.each([
  [['zwt'], 'There is no protocol "zwt": there are'],
  [['zvt', '--dialect', 'kinder'], 'There is no dialect "kinder" of zvt'],
  [['zvt', 'mpi'], 'One protocol at a time'],
  [['--jobs', '0'], '--jobs takes a whole number, not "0"'],
  [['--bare'], '--bare'],
])('the command refuses %s by name', async (args, text) => {
  const { code, out, err } = await runProgram(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(text);
});
