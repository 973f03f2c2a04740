/** `npm run shop -- --port 0 --json`, as its user runs it: the addresses on one line, a payment, and the exit. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pay, reload, typeCard } from '../support/gateway/shop-rig.ts';
import { openBrowser, type Page } from '../support/screens/browser.ts';

const root = join(import.meta.dirname, '../..');

test('opens shop and gateway, takes a payment, and closes', async () => {
  // A process group of its own: npm, its shell and the program all get the signal, as from a terminal.
  const child = spawn('npm', ['run', '--silent', 'shop', '--', '--port', '0', '--json'], { cwd: root, detached: true });
  const exited = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  let errorOutput = '';
  child.stderr.on('data', (text) => {
    errorOutput += text;
  });
  const browser = await openBrowser();
  try {
    const addresses = await new Promise<{ shop: string; gateway: string; entityId: string }>((resolve, failed) => {
      child.stdout.on('data', (text) => {
        output += text;
        const line = output.split('\n').find((each) => each.startsWith('{') && each.endsWith('}'));
        if (line !== undefined) resolve(JSON.parse(line));
      });
      void exited.then(() => failed(new Error(`the shop ended: ${errorOutput}`)));
    });
    expect(new URL(addresses.shop).hostname).toBe('127.0.0.1');
    expect(new URL(addresses.gateway).origin).not.toBe(new URL(addresses.shop).origin);
    expect(addresses.entityId).toMatch(/^[0-9a-f]{32}$/);
    const page: Page = await browser.newPage();
    await page.goto(addresses.shop);
    await reload(page, { flow: 'card' });
    await typeCard(page, '4200000000000091');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
  } finally {
    await browser.close();
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await exited;
  }
  expect(errorOutput).toBe('');
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).not.toContain('4200000000000091');
});
