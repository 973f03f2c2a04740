/** Screens with little room, in languages with long words: nothing is cut off, squeezed, or overlapped. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { byNight } from '../support/night/night.ts';
import { type Browser, openBrowser, type Page, screenshot } from '../support/screens/browser.ts';
import * as cashier from '../support/screens/cashier-page.ts';
import { sideways } from '../support/screens/cuts.ts';
import { layoutProblems } from '../support/screens/geometry.ts';
import { closeManagers, showManager } from '../support/screens/manager-stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await cashier.quit();
});
afterEach(closeManagers);

const telephone = { width: 390, height: 844 };
const noProblems = { cut: [], squeezed: [], broken: [], touching: [], overlapping: [] };

/** Sets the language as the person menu does. */
const speak = (page: Page, language: string): Promise<unknown> =>
  page.evaluate(`localStorage.setItem('tillgate.language', '${language}')`);

const places = [
  ['manager', '.m-item'],
  ['manager/batches', '.mantine-Table-td'],
  ['manager/open-items/17417', '.m-item-head'],
  ['manager/limits', '.m-limits'],
  ['manager/staff', '.m-people'],
  ['manager/close', '.m-whole'],
  ['manager/reconcile/r3', '.m-join'],
] as const;

const sizes = byNight({
  day: [telephone],
  night: [telephone, { width: 800, height: 480 }, { width: 1024, height: 768 }],
});

test.each(sizes)('the manager’s screens at $width × $height', async (size) => {
  const { page, stage } = await showManager(browser, 'manager', size);
  await speak(page, 'de');
  for (const [path, part] of places) {
    await page.goto(stage.url + path);
    await page.locator(part).first().waitFor();
    expect(await layoutProblems(page), path).toEqual(noProblems);
    await screenshot(page, `narrow-${path.replaceAll('/', '-')}-${size.width}`);
  }
});

const languages = byNight({ day: ['de'], night: ['de', 'en', 'fr', 'es', 'ar'] });
const counters = languages.flatMap((language) => [
  { language, width: 1024, height: 768 },
  { language, ...telephone },
]);

test.each(counters)('the cashier’s screen at $width × $height, in $language', async ({ language, ...size }) => {
  await cashier.open({ size });
  await speak(cashier.page, language);
  await cashier.page.reload();
  await cashier.page.locator('button[aria-keyshortcuts=F4]').waitFor();
  expect(await layoutProblems(cashier.page)).toEqual(noProblems);
  expect(await sideways(cashier.page)).toEqual([]);
  await screenshot(cashier.page, `narrow-cashier-${language}-${size.width}`);
  expect(await cashier.leave()).toEqual([]);
});
