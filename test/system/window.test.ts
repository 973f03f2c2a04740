/**
 * A till beside a console window: Control-C there ends it, and closing the window during a sale does not interrupt the
 * sale.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { findOwner, waitForProcessEnd } from '../../src/owner/client.ts';
import { nobodysHeaders } from '../support/servers/visitor.ts';
import { folder, screensOf, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const shop = (): string => join(folder, 'shop');

/** The window's program, and the till beside it, which is another process. */
const start = async () => {
  const args = ['start', '--data', shop(), '--port', '0', '--no-open-browser'];
  const window = tillgate(args, [], join(import.meta.dirname, 'window-child.ts'));
  const at = await screensOf(window);
  const till = (await findOwner(shop()))?.now.pid ?? 0;
  expect(till).not.toBe(window.child.pid);
  return { window, till, ...at };
};

const begin = async ({ url, code }: { url: string; code: string }): Promise<void> => {
  const headers = await nobodysHeaders((path, request) => fetch(new URL(path, url), request), code);
  const sale = { method: 'POST', headers: { ...headers, 'idempotency-key': 'a-sale-in-a-window' } };
  const amount = { amount: '12.50', currency: 'EUR' };
  expect((await fetch(`${url}api/sales`, { ...sale, body: JSON.stringify({ amount }) })).status).toBe(201);
};

const sales = async () => {
  const { code, out, err } = await tillgate(['till', 'sales', '--json', '--data', shop()]).ended;
  expect(code, err).toBe(0);
  expect(err).not.toContain('was stopped in the middle of a sale');
  return (JSON.parse(out) as { sales: Record<string, unknown>[] }).sales;
};

test('a window closed during a sale: the till finishes the sale, then exits', async () => {
  const { window, till, ...at } = await start();
  await begin(at);
  window.child.kill('SIGKILL');
  await waitForProcessEnd(till, systemClock);
  const salesEnd = await sales();
  expect(salesEnd).toMatchObject([{ receipt: 1 }]);
  expect(salesEnd[0]).not.toMatchObject({ ending: 'unknown' });
});

test('Control-C in the window ends the till, and the window’s program reports it', async () => {
  const { window } = await start();
  window.child.kill('SIGINT');
  expect(await window.ended).toMatchObject({ code: 0, err: expect.stringContaining('The till has ended.') });
});
