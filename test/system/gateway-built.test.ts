/** The gateway as `npm run gateway` starts it: built, in few files, and equivalent to its sources. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildGateway, isGatewayFresh, withSourcePaths } from '../../build/gateway.ts';
import { gatewayFlags } from '../../build/v8-flags.mjs';
import { entityId, payment, token } from '../support/gateway/gateway.ts';
import { clientOf } from '../support/gateway/gateway-process.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { gateway: string } };
const [, ...script] = scripts.gateway.split(' ');

let folder: string;
let started: ChildProcess | undefined;
beforeAll(async () => {
  if (!isGatewayFresh()) await buildGateway();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'built-'));
});
afterEach(() => {
  started?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('its script has the launcher’s flags, so that no second process is needed', () => {
  expect(script.filter((argument) => argument.startsWith('--'))).toEqual(gatewayFlags);
});

test('the gateway takes a payment, serves the files beside its sources, and exits when told', async () => {
  const flags = ['--port', '0', '--data', folder, '--channel', `${entityId}:${token}`];
  const child = spawn(process.execPath, [...script, ...flags], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  started = child;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
      const found = /^listening on http:\/\/127\.0\.0\.1:(\d+)\/$/m.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}`)));
  });
  const { post } = clientOf(port, { entityId, token });
  expect(await post('v1/payments', payment())).toMatchObject({ status: 200, code: '000.100.110' });
  const widget = await fetch(`http://127.0.0.1:${port}/v1/paymentWidgets.js?checkoutId=none`);
  expect(await widget.text()).toBe(readFileSync(join(root, 'dist/widget/paymentWidgets.js'), 'utf8'));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('the commands beside it work too', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [...script, 'webhook', '--help'], { cwd: root });
  expect(stdout).toContain('Usage: tillgate gateway webhook');
});

test('a source that reads files beside it finds them at their old place', () => {
  const code = "join(import.meta.dirname, 'x'); new URL('./core.ts', import.meta.url); createRequire(import.meta.url)";
  expect(withSourcePaths(code, join(root, 'src/gateway/a.ts'))).toBe(
    "join(process.getBuiltinModule('node:url').fileURLToPath(new URL('../../src/gateway', import.meta.url)), 'x'); " +
      "new URL('./core.js', import.meta.url); createRequire(new URL('../../src/gateway/a.ts', import.meta.url).href)",
  );
});

test('only the expression for its own place is replaced in a source', () => {
  const code = "sql.get('SELECT hash FROM entry WHERE entry = ?'); import.meta.resolve('pdfkit')";
  expect(withSourcePaths(code, join(root, 'src/journal/a.ts'))).toBe(code);
});
