/**
 * The example page of the docs that sells, in a browser and from its own origin: it sells once, however often it is
 * clicked, even while the ending of the first sale is unknown; the same for screens and programs beside it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LineState } from '../../src/api/contract/counters.ts';
import type { Problem } from '../../src/api/contract/problem.ts';
import type { SaleRow } from '../../src/api/contract/sales.ts';
import type { SignedIn } from '../../src/api/contract/session.ts';
import type { Page as Rows } from '../../src/api/contract/wire.ts';
import { channel, openDayLine } from '../support/day/line.ts';
import { type Browser, collectErrors, openBrowser, type Page, screenshot } from '../support/screens/browser.ts';
import { closings, folder, type Running, screensOf, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const amount = { amount: '12.50', currency: 'EUR' };
const shop = (): string => join(folder, 'shop');

const startTill = async (...flags: readonly string[]): Promise<{ till: Running; url: string; code: string }> => {
  const till = tillgate(['start', '--data', shop(), '--port', '0', '--no-open-browser', ...flags]);
  return { till, ...(await screensOf(till)) };
};

/** A page of another program, at its own origin. */
const posPage = async (): Promise<string> => {
  const html = readFileSync(join(import.meta.dirname, '../../docs/pos-example.html'));
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
};

const keyFor = async (name: string, ...origins: string[]): Promise<string> => {
  const created = await tillgate([
    ...['till', 'pos-key', 'add', name, '--data', shop()],
    ...origins.flatMap((origin) => ['--origin', origin]),
  ]).ended;
  expect(created.err).toContain('shown this once');
  return created.out.trim();
};

const sellAt = async (page: Page, { origin, url, key }: Record<'origin' | 'url' | 'key', string>): Promise<void> => {
  await page.goto(origin);
  await page.fill('#till', url.replace(/\/$/, ''));
  await page.fill('#key', key);
  await page.click('#sell');
};

test('the example page of the docs sells from its own origin, and from no other', async () => {
  const origin = await posPage();
  const key = await keyFor('Coffee page', origin);
  const elsewhere = await keyFor('Elsewhere', 'https://pos.example');
  const { till, url } = await startTill();
  const browser = await openBrowser();
  closings.push(() => void browser.close());
  const page = await (await browser.newContext()).newPage();
  const lines = collectErrors(page);
  await sellAt(page, { origin, url, key });
  await page.locator('#receipt').waitFor({ state: 'visible' });
  expect(await page.textContent('#state')).toBe('approved (test: no money moved)');
  expect(await page.textContent('#receipt')).toContain('12.50');
  expect(lines).toEqual([]);
  await screenshot(page, 'pos-example');
  expect(await page.evaluate(() => localStorage.getItem('sale'))).toBeNull();

  // The page has a key for another page: the till is not asked for anything.
  await sellAt(page, { origin, url, key: elsewhere });
  await page.getByText('refused', { exact: true }).waitFor();
  expect(await page.textContent('#words')).toContain('its key is not for this page');
  const rows = await fetch(`${url}api/sales`, { headers: { authorization: `Bearer ${key}` } });
  expect(await rows.json()).toMatchObject({ total: 1 });
  await browser.close();
  till.child.kill('SIGTERM');
  await till.ended;
});

type Answer<T> = { status: number; body: T };

type Way = { key: string } | { code: string };

/** A program with its own key, or a browser at the till's screens, by the start code. */
const openClient = async (url: string, method: Way) => {
  let headers: Record<string, string> = { 'content-type': 'application/json' };
  const ask = async <T>(path: string, body?: unknown, added: Record<string, string> = {}): Promise<Answer<T>> => {
    const answer = await fetch(`${url}api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...headers, ...added },
    });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) headers = { ...headers, cookie: cookie.split(';')[0] ?? '' };
    return { status: answer.status, body: (await answer.json()) as T };
  };
  if ('code' in method) {
    const { csrf } = (await ask<SignedIn>('session/code', method)).body;
    headers = { ...headers, 'x-csrf-token': csrf };
  } else headers = { ...headers, authorization: `Bearer ${method.key}` };
  const sell = (key: string) => ask<{ problem: Problem }>('sales', { amount }, { 'idempotency-key': key });
  const sales = async () => (await ask<Rows<SaleRow>>('sales')).body;
  return { ask, sell, sales };
};

/** A till at a gateway that receives the next sale, and dies before it answers. */
const startedAtDyingGateway = async () => {
  const books = mkdtempSync(join(tmpdir(), 'gateway-'));
  const line = await openDayLine(books);
  closings.push(() => void line.close().then(() => rmSync(books, { recursive: true, force: true })));
  const { till, url, code } = await startTill(
    ...['--gateway', line.baseUrl, '--channel', `${channel.entityId}:${channel.token}`],
  );
  const screen = await openClient(url, { code });
  await expect.poll(async () => (await screen.ask<LineState>('line')).body.online).toBe(true);
  // The first request of a started till is answered already: the next one is the sale's.
  expect((await screen.ask('machine/compare', {})).status).toBe(200);
  line.dieAtAnswer();
  return { line, till, url, code, screen };
};

/** The till's own screen, with an amount typed as a person types it. */
const openScreen = async (browser: Browser, url: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue without names' }).click();
  await page.getByRole('button', { name: /^Sell/ }).waitFor();
  await page.getByRole('button', { name: /^T1/ }).waitFor();
  for (const key of '1250') await page.keyboard.press(key, { delay: 40 });
  return page;
};

test('while the first sale’s ending is unknown a second click, a program and two screens sell nothing', async () => {
  const origin = await posPage();
  const key = await keyFor('Coffee page', origin);
  const otherKey = await keyFor('Other register');
  const { line, till, url, code, screen } = await startedAtDyingGateway();
  const browser = await openBrowser();
  closings.push(() => void browser.close());
  const page = await (await browser.newContext()).newPage();
  const state = page.locator('#state');
  const idle = page.locator('#sell:enabled');
  const keptKey = () => page.evaluate(() => localStorage.getItem('sale'));
  await sellAt(page, { origin, url, key });
  await state.getByText('unknown').waitFor();
  await idle.waitFor();
  const storedKey = await keptKey();
  expect(storedKey).not.toBeNull();

  await page.dblclick('#sell');
  await idle.waitFor();
  expect([await keptKey(), (await screen.sales()).total]).toEqual([storedKey, 1]);
  // A reload of the page does not sell either.
  await sellAt(page, { origin, url, key });
  await state.getByText('unknown').waitFor();
  await idle.waitFor();
  expect([await keptKey(), (await screen.sales()).total]).toEqual([storedKey, 1]);

  const clients = [screen, await openClient(url, { code }), await openClient(url, { key: otherKey })];
  for (const { status, body } of await Promise.all(clients.map(({ sell }) => sell('another-key')))) {
    expect([status, body.problem.code]).toEqual([409, 'sale.likely']);
    expect(body.problem.sales).toMatchObject([{ receipt: 1, amount, ending: 'unknown' }]);
  }
  const screens = await Promise.all([
    openScreen(browser, `${url}#code=${code}`),
    openScreen(browser, `${url}#code=${code}`),
  ]);
  await Promise.all(screens.map((one) => one.keyboard.press('Enter')));
  for (const one of screens) {
    const question = one.getByRole('dialog', { name: 'Was this charged already?' });
    await question.getByText('This amount may already have been charged: the result of 12.50 EUR, receipt 1').waitFor();
    await question.getByRole('button', { name: 'Do not charge' }).click();
    await question.waitFor({ state: 'detached' });
  }
  expect((await screen.sales()).total).toBe(1);
  await page.click('#next');
  await page.getByText('Receipt 1, 12.50 EUR').waitFor();
  await screenshot(page, 'pos-example-question');
  await page.click('#no');
  await page.getByText('Nothing was charged now.').waitFor();
  expect((await screen.sales()).total).toBe(1);

  // Once it is known the page says so by itself, and the next sale is a new one.
  await line.reconnect();
  await screen.ask('open-items/send', {});
  await state.getByText('declined').waitFor();
  await page.click('#sell');
  await state.getByText('approved').waitFor();
  await idle.waitFor();
  expect(await keptKey()).toBeNull();
  expect((await screen.sales()).rows.map(({ ending }) => ending)).toEqual(['approved', 'declined']);
  await browser.close();
  till.child.kill('SIGTERM');
  await till.ended;
});
