/**
 * A data folder on a second machine, and an old copy of one: what a served till answers and shows, and what a second
 * copy of the journal adds.
 */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MachineState } from '../../src/api/contract/machine.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import type { SessionState } from '../../src/api/contract/session.ts';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import type { MachineIdentity } from '../../src/folder/machine.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { afterEvents, endedSale } from '../support/api/ended-sale.ts';
import { type Browser, barriers, closePages, openBrowser, openPage, type Page } from '../support/screens/browser.ts';
import { HERE, openCopies, sell, THERE } from '../support/till/folder-copies.ts';

let browser: Browser;
let shop: ReturnType<typeof openCopies>;
let served: ServedTill | undefined;
const pages: Page[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(() => {
  shop = openCopies();
});
afterEach(async () => {
  for (const page of pages.splice(0)) await closePages(page);
  await served?.close();
  served = undefined;
  await shop.remove();
});

const serve = async (dataDir: string, identity: MachineIdentity): Promise<void> => {
  const options = { ...shop.options(dataDir), boundTo: { identity } };
  served = await serveTill({ ...options, at: { port: 0 }, version: '1', answerCheck, services: tillServices });
};

const address = (): string => served?.address ?? '';

/** A browser with its own cookie and CSRF token, at a till without people. */
const seat = async () => {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const ask = async (path: string, body?: unknown, key?: string): Promise<Response> => {
    const answer = await fetch(`${address()}api/${path}`, {
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie !== undefined) headers['cookie'] = cookie;
    return answer;
  };
  const get = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>;
  const session = async (): Promise<SessionState> => {
    const state = await get<SessionState>('session');
    headers['x-csrf-token'] = state.signedIn?.csrf ?? '';
    return state;
  };
  await ask('session/code', { code: served?.startCode() });
  await session();
  const sale = (key: string) => ask('sales', { operation: 'sale', amount: { amount: '7.00', currency: 'EUR' } }, key);
  const sellAndWait = async (key: string): Promise<LiveSale> => {
    const { id } = (await (await sale(key)).json()) as LiveSale;
    return endedSale(address(), headers, () => get<LiveSale>(`live/${id}`));
  };
  /** A restart comes after the answer. */
  const until = (condition: () => Promise<boolean>) =>
    afterEvents({ address: address(), headers }, async () => ((await condition()) ? true : undefined));
  return { ask, get, session, sale, sold: sellAndWait, until };
};

const refusal = async (answer: Response) => [answer.status, await answer.json()];

test('on a second machine the API refuses sales and reports, and sells once the move is confirmed', async () => {
  await shop.during((till) => sell(till, 1_000n));
  await serve(shop.copyTo('moved'), THERE);
  const max = await seat();
  expect(await max.session()).toMatchObject({ shop: { held: 'other' } });
  expect(await max.get<MachineState>('machine')).toMatchObject({ binding: 'elsewhere' });
  expect(await refusal(await max.sale('held-key-0001'))).toMatchObject([409, { problem: { code: 'machine.other' } }]);
  expect(await refusal(await max.ask('x-reports', {}))).toMatchObject([409, { problem: { code: 'machine.other' } }]);
  expect(await refusal(await max.ask('closing', {}))).toMatchObject([409, { problem: { code: 'machine.other' } }]);
  expect((await max.ask('machine/moved', {})).status).toBe(204);
  await max.until(async () => (await max.get<MachineState>('machine')).binding === 'here');
  expect(await max.session()).not.toMatchObject({ shop: { held: expect.anything() } });
  expect(await max.sold('moved-key-0001')).toMatchObject({ result: { ending: 'approved' } });
  expect(await refusal(await max.ask('machine/moved', {}))).toMatchObject([
    409,
    { problem: { code: 'machine.settled' } },
  ]);
});

const open = async (path = ''): Promise<Page> => {
  const page = await openPage(browser, address(), { viewport: { width: 1280, height: 800 } });
  pages.push(page);
  await page.goto(`${address()}${path}#code=${served?.startCode()}`);
  await page.getByRole('button', { name: 'Continue without names' }).click();
  return page;
};
const bar = (page: Page) => page.locator('.tg-held[role=alert]');

test('a folder from yesterday says so on every screen, and sells once the gateway’s sales are taken over', async () => {
  await shop.during((till) => sell(till, 1_000n));
  const yesterday = shop.copyTo('yesterday');
  await shop.during((till) => sell(till, 2_000n));
  await serve(yesterday, HERE);
  const max = await seat();
  await max.ask('machine/compare', {});
  expect(await max.get<MachineState>('machine')).toMatchObject({ comparison: { state: 'behind', sales: 1 } });
  expect(await refusal(await max.sale('held-key-0001'))).toMatchObject([409, { problem: { code: 'machine.behind' } }]);

  const page = await open();
  await bar(page).getByText('The gateway has sales that are missing here').waitFor();
  await bar(page).getByRole('link', { name: 'Resolve' }).click();
  await page.getByText('The gateway has sales under this terminal number that are missing here: 1.').waitFor();
  expect(await barriers(page)).toEqual([]);
  const takesOver = page.getByRole('button', { name: 'Import them' });
  expect(await takesOver.isDisabled()).toBe(true);
  await page.getByLabel('No other till sells under this terminal number').check();
  await takesOver.click();
  await page.getByText('Imported: 1. Not decided yet: 0. Set aside for you under open items: 0.').waitFor();
  await page.getByText('The gateway has no sales of this till that are missing here.').waitFor();
  await bar(page).waitFor({ state: 'detached' });
  expect(await max.get('sales')).toMatchObject({ rows: [{ receipt: 2, learned: true }, { receipt: 1 }] });
  expect(await max.sold('learned-key-0001')).toMatchObject({ result: { ending: 'approved' } });
});

test('a manager says on the screen that the folder is a copy, and gives it its own terminal number', async () => {
  await shop.during((till) => sell(till, 1_000n));
  await serve(shop.copyTo('copy'), THERE);
  const page = await open('manager/machine');
  await page.getByText('The data folder belongs to another machine. Until you decide').waitFor();
  await page.getByRole('button', { name: 'It is a copy' }).click();
  await page.getByText('must be 1 to 32 digits').or(page.getByText('request')).first().waitFor();
  await page.getByLabel('New number for T1 (it was 70001)').fill('70002');
  await page.getByRole('button', { name: 'It is a copy' }).click();
  await page.getByText('The data folder belongs to this machine.').waitFor();
  await bar(page).waitFor({ state: 'detached' });
  const max = await seat();
  expect(await max.get<MachineState>('machine')).toMatchObject({ terminals: [{ terminalId: '70002' }] });
  expect(await max.sold('copied-key-0001')).toMatchObject({ result: { ending: 'approved' } });
  expect(shop.issuer.books.map(({ pos }) => pos?.terminalId)).toEqual(['70001', '70002']);
});

test('a second copy has the exact numbers of the Z reports', async () => {
  await shop.remove();
  shop = openCopies((config, place) => ({ ...config, secondCopy: join(place, 'second') }));
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    await till.secondCopy?.waitUntilCaughtUp();
  });
  const yesterday = shop.copyTo('yesterday');
  await shop.during(async (till) => {
    for (const minor of [2_000n, 3_000n]) await sell(till, minor);
    await till.books.close();
    await sell(till, 4_000n);
    await till.secondCopy?.waitUntilCaughtUp();
  });
  const restored = await shop.start(yesterday);
  await restored.place.takeOver();
  // In the lost folder one batch was closed, and a second one was opened.
  expect(await restored.books.close()).toMatchObject({ number: 2, skipped: 1, batch: 1 });
  await sell(restored, 100n);
  expect(await restored.books.close()).toMatchObject({ number: 3, batch: 3 });
});
