/** `till trace`: a recording side by side with its meaning, as wide as the screen, or as JSON. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { parseTape } from '../../drivers/links/tape-text.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { addTrace } from '../../src/cli/terminals/trace.ts';
import { tracedJson, tracedLines, tracedTape } from '../../src/terminals/trace/recording.ts';
import { file } from './mpi-scenes.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trace-'));
afterAll(() => rm(folder, { recursive: true }));

const tapePath = fileURLToPath(file('chip-online-pin'));
const messages = () => [...tracedTape(parseTape(readFileSync(tapePath, 'utf8')), mpi.narrator('stream'))];
const unpainted = (_: unknown, text: string) => text;

test.each([30, 40, 71, 72, 80, 100, 120, 200, 1_000])('on a screen of %i characters', (width) => {
  const lines = messages().flatMap((message) => tracedLines(message, { width, hexLinesMax: 4, paint: unpainted }));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  const text = lines.join('\n').replace(/\s+/g, ' ');
  expect(text).toContain('RESET');
  expect(text).toMatch(/… \d+ more/);
});

test('it stays readable below the width of any screen', () => {
  const [first] = messages();
  expect(first && tracedLines(first, { width: 1, hexLinesMax: 4, paint: unpainted })).toEqual([
    '    0.000s >  01 00 04 D0 00',
    '              00 00 D5',
    '              RESET',
  ]);
});

test('on a wide screen bytes and meaning are side by side', () => {
  const lines = messages().flatMap((message) => tracedLines(message, { width: 110, hexLinesMax: 4, paint: unpainted }));
  expect(lines[0]).toMatch(/^ {4}0\.000s > {2}01 00 04 D0 00 00 00 D5 +RESET$/);
  expect(
    new Set(lines.filter((line) => /RESET|KEYS\?|CLOCK/.test(line)).map((line) => line.search(/RESET|KEYS|CLOCK/)))
      .size,
  ).toBe(1);
});

test('a lost link, partial messages and missing times', () => {
  const tape = parseTape('> 0100\n> 04D0000000D5\nx');
  const runTrace = [...tracedTape(tape, mpi.narrator('stream'))];
  expect(runTrace.map(tracedJson)).toEqual([
    { line: 1, from: 'till', bytes: '0100', says: [] },
    { line: 2, from: 'till', bytes: '04D0000000D5', says: ['RESET'] },
    { line: 3, from: 'link', bytes: '', says: ['the link was lost'] },
  ]);
});

const run = async (...args: string[]) => {
  const [node = ''] = [process.execPath];
  const result = promisify(execFile)(node, [main, 'till', 'trace', ...args]);
  return result.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
};

test('the command prints the trace, without colours if there is no screen', async () => {
  const { code, stdout } = await run(tapePath);
  expect(code).toBe(0);
  expect(stdout).toMatch(/START CHIP purchase 99\.00 EUR/);
  expect(stdout).not.toContain('\u001b');
});

test('the command prints JSON, one object per line', async () => {
  const { stdout } = await run(tapePath, '--json');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { from: string; says: string[] });
  expect(rows.length).toBe(parseTape(readFileSync(tapePath, 'utf8')).steps.length);
  expect(rows[0]).toMatchObject({ from: 'till', seconds: 0, says: ['RESET'] });
});

/** The same command in this process; it prints nothing before it has read the recording. */
const runTrace = async (...args: string[]): Promise<unknown> => {
  const till = new Command().exitOverride();
  addTrace(till);
  return till.parseAsync(['trace', ...args], { from: 'user' });
};

const record = (text: string): string => {
  const path = join(folder, 'bad.tape');
  writeFileSync(path, text);
  return path;
};

const telex = '# tape 1 protocol=telex\n> 01';

test.each<[string, string, RegExp]>([
  [
    'a broken line',
    '# tape 1 protocol=mpi\n> 01\n< 0',
    /bad\.tape is not a recording of a terminal: line 3: "0" is no byte in hex/,
  ],
  ['no text', '\u007fELF\u0001', /line 1: no line of a recording starts with/],
  ['an unknown protocol', telex, /telex/],
])('%s is refused by name', async (_, text, pattern) => {
  await expect(runTrace(record(text))).rejects.toMatchObject({
    remedy: 'refuse',
    message: expect.stringMatching(pattern),
  });
});

test('a missing file is refused by name', async () => {
  const error = expect.stringMatching(/none\.tape cannot be read/);
  await expect(runTrace(join(folder, 'none.tape'))).rejects.toMatchObject({ remedy: 'refuse', message: error });
});

test('a refusal gives a text and an exit code', async () => {
  const { code, stdout, stderr } = await run(record(telex));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/telex/);
  expect(stderr).not.toMatch(/ {4}at /);
});
