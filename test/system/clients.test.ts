/** Runs docs/clients.md word for word: its gateway and every block of commands, with the output it shows. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meaningOf, resultCodes } from '../../src/gateway/spec/results.ts';
import { reservePort } from '../support/servers/reserved-port.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'clients.md'), 'utf8');
const START = 'npm run gateway -- --port 8700 --data data/gateway ';

type Block = { heading: string; commands: string; says: string };

/** The shell blocks, each with the text block after it. */
const blocks: readonly Block[] = page.split(/^## /m).flatMap((section) => {
  const [heading = ''] = section.split('\n');
  const found = section.matchAll(/```sh\n(.*?)```(?:\n+```text\n(.*?)```)?/gs);
  return [...found].map(([, commands = '', text = '']) => ({ heading, commands, says: text }));
});
const [start, ...calls] = blocks;

let folder: string;
let port: number;
let gateway: ChildProcess | undefined;
/** The output of each block, in order. */
let written: readonly string[];

/** The page's own port and folder are replaced: a developer may be using them. */
const toLocal = (commands: string): string =>
  commands.replaceAll('8700', String(port)).replace('data/gateway', join(folder, 'gateway'));

const environment = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clients-'));
  port = await reservePort();
  // A process group of its own, because the package manager stands between us and the gateway.
  gateway = spawn('bash', ['-c', toLocal(start?.commands ?? '')], { cwd: root, env: environment, detached: true });
  await listening(gateway);
  const SEAM = '-- the next block --';
  const script = calls.map(({ commands }) => toLocal(commands)).join(`\necho '${SEAM}'\n`);
  const result = spawnSync('bash', ['-c', `set -euo pipefail\n${script}`], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  });
  expect([result.stderr, result.status]).toEqual(['', 0]);
  written = result.stdout.split(`${SEAM}\n`);
});

afterAll(async () => {
  const { pid, exitCode } = gateway ?? {};
  if (gateway !== undefined && pid !== undefined && exitCode === null) {
    const exited = new Promise((resolve) => gateway?.once('close', resolve));
    process.kill(-pid, 'SIGTERM');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

const listening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += text;
        if (output.includes(`listening on http://127.0.0.1:${port}/`)) resolve();
      });
    }
    child.once('close', (code) => reject(new Error(`the gateway ended with ${code}: ${output}`)));
  });

/** `…` stands for any text within its line. */
const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('.*')}$`,
  );

test('the page starts a gateway, and shows commands with their output', () => {
  expect(start?.commands).toContain(START);
  expect(calls.length).toBeGreaterThan(8);
  expect(calls.filter(({ says }) => says === '')).toEqual([]);
});

test.each(calls.map(({ heading, says }, index) => ({ heading, says, at: index })))('$heading', ({ says, at }) => {
  const expected = says.trimEnd().split('\n');
  const output = (written[at] ?? '').trimEnd().split('\n');
  expect(output.length, written[at]).toBe(expected.length);
  for (const [line, pattern] of expected.entries()) expect(output[line]).toMatch(patternOf(pattern));
});

test('the client is as small as the page says', () => {
  const client = readFileSync(join(root, 'docs', 'host-api-client.mjs'), 'utf8');
  expect(client.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  expect(client).not.toMatch(/^import/m);
});

const LISTED = '000.000.100';

test('the table of result codes agrees with the gateway', () => {
  const rows = [...page.matchAll(/^\| `(\^.*?)` \| (\w+)/gm)].map(
    ([, pattern = '', means]) => [new RegExp(pattern.replaceAll('\\|', '|')), means] as const,
  );
  const notify = (code: string) => rows.find(([pattern]) => pattern.test(code))?.[1] ?? 'declined';
  const codes = resultCodes.map(({ code }) => code);
  // LISTED is the code of lists, and never of a payment.
  const wanted = (code: string) => (code === LISTED ? 'answered' : meaningOf(code).replace('refused', 'declined'));
  expect(rows.length).toBeGreaterThan(5);
  expect(codes.filter((code) => notify(code) !== wanted(code)).map((code) => [code, wanted(code)])).toEqual([]);
});
