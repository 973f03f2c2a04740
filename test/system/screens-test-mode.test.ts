/** Test mode on every screen and beside every result, and what is shown when a gateway answers in the other mode. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../src/api/contract/sales.ts';
import { byNight } from '../support/night/night.ts';
import { type Browser, barriers, openBrowser, type Page, screenshot } from '../support/screens/browser.ts';
import { closeModePages, openModePage } from '../support/screens/going-live-page.ts';
import { scriptedGoingLive } from '../support/screens/scripted/going-live.ts';
import { endings } from '../support/screens/scripted/selling-facts.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(closeModePages);

const SMALL = { width: 800, height: 480 };
const GO_LIVE = 'manager/go-live';

const bar = (page: Page) => page.locator('.tg-mode[role=note]');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const overflowsPage = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Buttons and links of the page whose text extends beyond the screen. */
const CUT = `[...document.querySelectorAll('main button, main a')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0)
  .map(({ textContent }) => textContent)`;

describe('the bar', () => {
  const screens = [
    ['cashier', '', 'main nav li'],
    ['manager', 'manager', 'h1'],
    ['technician', 'technician', 'h1, h2'],
    ['manager', GO_LIVE, 'h1'],
  ] as const;
  const views = [
    { scheme: 'light', language: 'en', words: 'Test mode · no money moves' },
    { scheme: 'dark', language: 'ar', words: 'وضع الاختبار · لا تُحوَّل أي أموال' },
    { scheme: 'dark', language: 'de', words: 'Testbetrieb · es fließt kein Geld' },
    { scheme: 'light', language: 'es', words: 'Modo de prueba · no se mueve dinero' },
    { scheme: 'light', language: 'fr', words: 'Mode test · aucun argent ne circule' },
  ] as const;
  // By day each screen and each language once.
  const seen = byNight({
    day: views.map((look, index) => ({ look, screen: screens[index % screens.length] ?? screens[0] })),
    night: views.flatMap((look) => screens.map((screen) => ({ look, screen }))),
  });

  test.each(seen)(
    '$screen.0 /$screen.1 in $look.language, $look.scheme: one line on the smallest screen',
    async (row) => {
      const { words, ...look } = row.look;
      const [role, path, ready] = row.screen;
      const { page, lines } = await openModePage(browser, { as: role, path, ...look, ...SMALL });
      await page.locator(ready).first().waitFor();
      await bar(page).getByText(words).waitFor();
      expect(await bar(page).locator('svg').count()).toBe(1);
      const box = await bar(page).boundingBox();
      expect(box).toMatchObject({ x: 0, y: 0, width: 800 });
      expect(box?.height).toBeLessThanOrEqual(28);
      expect(await bar(page).getByRole('link').count()).toBe(role === 'manager' ? 1 : 0);
      expect(await overflowsPage(page)).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await screenshot(page, `mode-${role}-${path.replace('/', '-')}-${look.language}-${look.scheme}`);
      expect(lines).toEqual([]);
    },
  );

  test('is shown at sign-in, over the lock and when the till is away, without a link', async () => {
    const { page, sessions, stage } = await openModePage(browser, { as: 'manager', ...SMALL });
    await bar(page).getByRole('link', { name: 'Go live' }).waitFor();
    sessions.end();
    const lock = page.getByRole('dialog', { name: 'Locked' });
    await lock.getByText('Test mode').waitFor();
    expect(await lock.getByRole('link').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Who is at the till?' }).waitFor();
    await bar(page).getByText('Test mode').waitFor();
    expect(await barriers(page)).toEqual([]);
    await stage.close();
    await bar(page).getByText('Test mode').waitFor();
  });

  test('is shown at a till’s first start, where nobody may go live yet', async () => {
    const { page } = await openModePage(browser, { people: {}, ...SMALL });
    await page.getByRole('heading', { name: 'No staff have been added yet' }).waitFor();
    await bar(page).getByText('Test mode').waitFor();
    expect(await bar(page).getByRole('link').count()).toBe(0);
  });

  test('is shown over a screen that crashed', async () => {
    const { page } = await openModePage(browser, { shop: { timeZone: 'Nowhere/None' } });
    await page.getByRole('alert').getByText('This screen stopped working').waitFor();
    await bar(page).getByText('Test mode').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('says what training is, and nothing at a live till', async () => {
    const training = await openModePage(browser, { as: 'cashier', mode: 'training' });
    await bar(training.page).getByText('Training · no card is charged').waitFor();
    const { page, goingLive } = await openModePage(browser, { mode: 'live' });
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(await bar(page).count()).toBe(0);
    expect(await page.getByText('TEST', { exact: true }).count()).toBe(0);
    expect(goingLive.calls).toEqual([]);
  });

  test('at 200 % nothing of the bar, the keypad and the checklist is lost', async () => {
    const half = { width: 400, height: 240 };
    for (const path of ['', GO_LIVE]) {
      const goingLive = scriptedGoingLive(['terminal', 'people', 'shop']);
      const { page } = await openModePage(browser, { path, goingLive, ...half, language: 'fr' });
      await bar(page).getByText('Mode test').waitFor();
      await page
        .getByRole('heading')
        .or(page.getByRole('button', { name: '7', exact: true }))
        .first()
        .waitFor();
      expect(await overflowsPage(page)).toBe(0);
      expect(await page.evaluate('document.querySelector("main").scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await page.evaluate(CUT)).toEqual([]);
      expect((await bar(page).boundingBox())?.height).toBeLessThanOrEqual(60);
    }
  });
});

const lists = [
  ['manager/batches/30', 'Z REPORT 30', 2],
  ['manager/reports', 'This month', 1],
] as const;

test.each(lists)('%s carries the mark', async (path, text, count) => {
  const { page } = await openModePage(browser, { path });
  await page.getByText(text).first().waitFor();
  expect(await page.locator('main').getByText('TEST', { exact: true }).count()).toBe(count);
});

const sell = async ({ page, selling }: Awaited<ReturnType<typeof openModePage>>, result: Result): Promise<void> => {
  await button(page, /^T1/).waitFor();
  for (const key of ['1', '2', '5', '0', 'Enter']) await page.keyboard.press(key, { delay: 40 });
  await expect.poll(() => selling.beginCalls.length).toBe(1);
  selling.end(selling.current().id, result);
};

const otherMode = (reason: 'testAnswer' | 'liveAnswer'): Result => ({
  ...{ ending: 'notSent', state: 'declined', reason, again: false },
  says: 'This till is live, but its gateway answered in test mode',
  money: 'Not charged.',
  next: 'Take no more cards here.',
});

describe('a result', () => {
  test('approved by a test till has the mark, and never says “charged”', async () => {
    const shown = await openModePage(browser, { as: 'cashier' });
    const { page } = shown;
    await sell(shown, endings.approved);
    await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor();
    const panel = page.getByRole('region', { name: /^T1/ });
    expect(await panel.getByText('TEST', { exact: true }).count()).toBe(1);
    await panel.getByText('No money moved: this till is in test mode.').waitFor();
    expect(await panel.getByText('Charged.', { exact: true }).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.locator('nav li button').first().click();
    await page
      .getByRole('dialog')
      .getByText(/No money moved/)
      .waitFor();
    expect(await page.getByRole('dialog').getByText('TEST', { exact: true }).count()).toBe(1);
  });

  test('approved by a live till says that it was charged, without the mark', async () => {
    const shown = await openModePage(browser, { as: 'cashier', mode: 'live' });
    await sell(shown, endings.approved);
    await shown.page.getByText('Charged.', { exact: true }).waitFor();
    expect(await shown.page.getByText('TEST', { exact: true }).count()).toBe(0);
  });

  test.each([
    ['live', 'testAnswer'],
    ['test', 'liveAnswer'],
  ] as const)('of a %s till: %s is a set-up error in solid red, not a decline', async (mode, reason) => {
    const shown = await openModePage(browser, { as: 'cashier', mode, ...SMALL });
    const { page } = shown;
    await sell(shown, otherMode(reason));
    const heading = page.getByRole('heading', { name: 'Set-up error', exact: true });
    await heading.waitFor();
    const colour = await page.evaluate('getComputedStyle(document.querySelector("[data-error=true]")).backgroundColor');
    expect(colour).toBe('rgb(165, 17, 17)');
    await page.getByText('Not charged.', { exact: true }).waitFor();
    await page.getByText('Take no more cards here.', { exact: true }).waitFor();
    expect(await page.getByRole('heading', { name: 'Declined' }).count()).toBe(0);
    expect(await button(page, 'Try again').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});
