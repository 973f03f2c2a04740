import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../../../src/base/fault.ts';
import { openLog } from '../../../../src/gateway/server/http/log.ts';
import type { RequestFacts } from '../../../../src/gateway/server/http/observer.ts';
import { modeHere } from '../../../support/platform/platform.ts';
import { virtualClock } from '../../../support/time/virtual-clock.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
  file = join(folder, 'requests.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const clock = virtualClock();
const open = () => openLog({ to: { file }, clock, onLost: (reason) => expect.unreachable(reason) });
const lines = (path = file): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const facts: RequestFacts = {
  requestId: '1'.repeat(32),
  method: 'POST',
  endpoint: '/v1/payments/:id',
  status: 200,
  resultCode: '000.100.110',
  entityId: '2'.repeat(32),
  paymentId: '3'.repeat(32),
  paymentType: 'RF',
  durationMs: 12.3456,
  bytes: 700,
};

test('writes one line for each answer, with the listed fields and no others, whatever it is given', async () => {
  const log = await open();
  const oversizedFacts = { ...facts, 'card.number': '4200000000000000', headers: { authorization: 'Bearer secret' } };
  log.observer.onAnswer(oversizedFacts);
  const { endpoint, resultCode, entityId, paymentId, paymentType, ...withoutOptionalFacts } = facts;
  log.observer.onAnswer({ ...withoutOptionalFacts, status: 404 });
  await log.close();
  const time = '2026-01-02T12:00:00.000Z';
  expect(lines()).toEqual([
    { level: 'info', time, ...facts, durationMs: 12.3, msg: 'answered' },
    { level: 'info', time, ...withoutOptionalFacts, status: 404, durationMs: 12.3, msg: 'answered' },
  ]);
});

test('writes an internal error as a line of its own, without card numbers, control characters or a stack', async () => {
  const log = await open();
  log.logFault(new Fault('gateway.state', { why: 'row 4200000000000000 is\nbad' }));
  log.logFault(new TypeError('x is no function'));
  await log.close();
  expect(lines()).toMatchObject([
    { level: 'error', fault: 'gateway.state', msg: expect.stringContaining('420000******0000 is.bad') },
    { level: 'error', msg: 'x is no function' },
  ]);
  expect(readFileSync(file, 'utf8')).not.toContain('stack');
});

test('ten thousand lines are complete after closing, and only their owner can read them', async () => {
  const log = await open();
  for (let index = 0; index < 10_000; index += 1) log.observer.onAnswer({ ...facts, bytes: index });
  await log.close();
  expect(lines().map(({ bytes }) => bytes)).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
  expect(statSync(file).mode & 0o777).toBe(modeHere(0o600));
});

test('after a file was moved away and reopened, the old file keeps its lines and the new one gets the next', async () => {
  const log = await open();
  log.observer.onAnswer(facts);
  await log.close();
  const next = await open();
  renameSync(file, `${file}.1`);
  next.reopen();
  next.observer.onAnswer({ ...facts, bytes: 2 });
  await next.close();
  expect(lines(`${file}.1`).length + lines().length).toBe(2);
  expect(lines().map(({ bytes }) => bytes)).toEqual([2]);
});

test('names a file that cannot be opened', async () => {
  const to = { file: join(folder, 'no', 'such', 'folder.log') };
  await expect(openLog({ to, clock, onLost: () => {} })).rejects.toMatchObject({
    code: 'log.unwritable',
    facts: { path: to.file },
  });
});

test('a process that could not open its log ends without further output', async () => {
  const source = new URL('../../../../src/gateway/server/http/log.ts', import.meta.url).href;
  const program = `const { openLog } = await import(${JSON.stringify(source)});
    await openLog({ to: { file: ${JSON.stringify(join(folder, 'no', 'such.log'))} }, clock: Date, lost() {} }).catch(() => {});`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(await run).toEqual({ stdout: '', stderr: '' });
});
