/** A manager takes a served till live at its screens, and the next sale there is charged by a processor. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { type UpstreamHost, upstreamHost } from '../support/gateway/upstream-host.ts';
import { barriers, collectErrors, openBrowser, openPage, screenshot } from '../support/screens/browser.ts';
import { LIVE_ENTITY, LIVE_TOKEN, openReadyFolder, PIN } from '../support/till/ready-till.ts';

let shop: ReturnType<typeof openReadyFolder>;
let processor: UpstreamHost;
let served: ServedTill;

beforeEach(async () => {
  shop = openReadyFolder();
  processor = await upstreamHost({ approval: '000.000.000' });
  const page = join(import.meta.dirname, '../../dist/ui');
  served = await serveTill({
    ...shop.options,
    at: { port: 0 },
    version: '1',
    page,
    answerCheck,
    services: tillServices,
  });
});
afterEach(async () => {
  await served.close();
  await processor.close();
  shop.remove();
});

test('from the first start in test mode to the first receipt of the live till', async () => {
  const browser = await openBrowser();
  const page = await openPage(browser, served.address, { viewport: { width: 1280, height: 800 } });
  const lines = collectErrors(page);
  const bar = page.locator('.tg-mode');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sell = async (ending: string): Promise<void> => {
    await button(/^T1/).waitFor();
    for (const key of '1250') await page.keyboard.press(key, { delay: 40 });
    await button(/^Sell/).click();
    await page.getByRole('heading', { name: ending, exact: true }).waitFor();
  };

  await page.goto(`${served.address}#code=${served.startCode()}`);
  await page.getByLabel('Name').fill('Max');
  await page.getByLabel('PIN, 4 to 12 digits').fill(PIN);
  await page.getByLabel('PIN again').fill(PIN);
  await button('Add the first manager').click();
  await button('Menu of Max').click();
  await page.getByRole('menuitem', { name: 'Cashier' }).click();
  // The built-in gateway does not have the keys of this simulated processor's card.
  await sell('Declined');
  await page.getByRole('region', { name: /^T1/ }).getByText('TEST', { exact: true }).waitFor();

  await bar.getByRole('link', { name: 'Go live' }).click();
  await page.getByLabel('Address').fill(processor.baseUrl);
  await page.getByLabel('Entity ID').fill(LIVE_ENTITY);
  await page.getByLabel('Access token').fill(LIVE_TOKEN);
  await button('Test it').click();
  await page.getByText('Everything is ready.').waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'going-live-ready');
  await page.locator('main').getByRole('button', { name: 'Go live', exact: true }).click();
  await button('Go live now').click();

  await page.getByLabel('PIN of Max').waitFor();
  expect(await bar.count()).toBe(0);
  expect(served.running().mode).toBe('live');
  await page.getByLabel('PIN of Max').fill(PIN);
  await page.keyboard.press('Enter');
  await button('Menu of Max').click();
  await page.getByRole('menuitem', { name: 'Cashier' }).click();
  await sell('Approved');
  await page.getByText('Sale · Receipt 1', { exact: true }).waitFor();
  expect(processor.booked).toMatchObject([{ code: '000.000.000', form: { entityId: LIVE_ENTITY, amount: '12.50' } }]);
  expect(await page.getByText('TEST', { exact: true }).count()).toBe(0);
  expect(lines).toEqual([]);
  await browser.close();
});
