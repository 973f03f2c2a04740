/** The manager's screen in a browser: every section in both sizes, used by hand and by keyboard. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { byNight, isNight } from '../support/night/night.ts';
import { type Browser, barriers, openBrowser, type Page, screenshot } from '../support/screens/browser.ts';
import { findCuts } from '../support/screens/cuts.ts';
import { button, closeManagers, showManager, text } from '../support/screens/manager-stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(closeManagers);

const sign = async (page: Page, pin = '4711'): Promise<void> => {
  await page.getByLabel('PIN of Max').fill(pin);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
};

const places = [
  ['today', 'manager', 'Last 14 days'],
  ['batches', 'manager/batches', 'Batch 30'],
  ['batch', 'manager/batches/30', 'Z REPORT 30'],
  ['reconcile', 'manager/reconcile', 'settlement-2026-11-19.csv'],
  ['difference', 'manager/reconcile/r3', 'Receipt 17207'],
  ['open-items', 'manager/open-items/17417', 'What is known'],
  ['limits', 'manager/limits', 'Last month under these limits'],
  ['staff', 'manager/staff', 'Who may do what'],
  ['audit', 'manager/audit', 'Entries: 100,000'],
  ['reports', 'manager/reports', 'This month'],
  ['close', 'manager/close', 'Preview of the Z report'],
] as const;

describe.each([
  ['light', { width: 1366, height: 800, colorScheme: 'light' }, 0],
  ['dark-small', { width: 800, height: 480, colorScheme: 'dark' }, 1],
] as const)('%s', (look, size, turn) => {
  // By day each section in one of the two sizes, alternately.
  const shown = byNight<readonly (typeof places)[number][]>({
    day: places.filter((_, index) => index % 2 === turn),
    night: places,
  });

  test('every section is accessible, and nothing is wider than the screen', async () => {
    const { page, stage, lines } = await showManager(browser, 'manager', size);
    for (const [name, path, texts] of shown) {
      // By day without a reload.
      if (isNight) await page.goto(stage.url + path);
      else await page.evaluate(`history.pushState(null, '', '/${path}')`);
      await text(page, texts).waitFor();
      expect(await barriers(page), name).toEqual([]);
      const overflowPx = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflowPx, name).toBe(0);
      expect(await findCuts(page), name).toEqual([]);
      await screenshot(page, `manager-${name}-${look}`);
    }
    expect(lines).toEqual([]);
  });
});

test('a new till has a text for every empty list', async () => {
  const { page, stage, lines } = await showManager(browser, 'manager', { situation: 'empty' });
  for (const [path, texts] of [
    ['manager', 'No sales yet today.'],
    ['manager/batches', 'No batches yet.'],
    ['manager/reconcile', 'No settlement file has been read yet.'],
    ['manager/open-items', 'Nothing is open.'],
    ['manager/close', 'There is nothing to close'],
  ] as const) {
    await page.goto(stage.url + path);
    await text(page, texts).waitFor();
    expect(await barriers(page), path).toEqual([]);
  }
  await page.goto(`${stage.url}manager`);
  await text(page, 'No sales yet today.').waitFor();
  await screenshot(page, 'manager-today-empty');
  expect(lines).toEqual([]);
});

test('a section that cannot be loaded says so, and is loaded again', async () => {
  const { page } = await showManager(browser, 'manager', { situation: 'failing' });
  await page.getByRole('alert').first().waitFor();
  await text(page, 'Contradiction').waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'manager-today-failing');
});

test('thousands of open items are rendered fifty at a time', async () => {
  const { page } = await showManager(browser, 'manager/open-items', { situation: 'much' });
  await text(page, '50 of 2,000 are shown').waitFor();
  await button(page, 'Show 50 more').click();
  await text(page, '100 of 2,000 are shown').waitFor();
});

test('the rail names every section on the shortest and the narrowest screen, and no word is cut off', async () => {
  const { page } = await showManager(browser, 'manager', { width: 800, height: 480 });
  for (const language of byNight({ day: ['fr'], night: ['en', 'de', 'fr', 'es', 'ar'] })) {
    await page.evaluate(`localStorage.setItem('tillgate.language', '${language}')`);
    await page.reload();
    await page.locator(`html[lang=${language}] .m-link`).first().waitFor();
    for (const size of [
      { width: 800, height: 480 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      const texts = await page.evaluate<{ text: string; isWhole: boolean }[]>(`
        [...document.querySelectorAll('.m-link-word')].map((word) => {
          const box = word.getBoundingClientRect();
          const isSeen = box.width > 10 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          return { text: word.textContent, isWhole: isSeen && word.scrollWidth <= word.clientWidth };
        })`);
      expect(texts).toHaveLength(9);
      expect(
        texts.filter(({ isWhole }) => !isWhole),
        `${language}, ${size.width}`,
      ).toEqual([]);
      await screenshot(page, `manager-rail-${size.width}-${language}`);
    }
  }
});

test('the rail shows keyboard shortcuts once a key was used, on later pages too', async () => {
  const { page } = await showManager(browser, 'manager');
  const names = page.locator('kbd');
  expect(await names.first().isVisible()).toBe(false);
  await page.keyboard.press('Alt+Digit5');
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  expect(await names.first().isVisible()).toBe(true);
  await page.reload();
  await names.first().waitFor();
});

test('Alt and a digit, the arrow keys and the browser’s Back button move between sections', async () => {
  const { page } = await showManager(browser, 'manager');
  await page.keyboard.press('Alt+Digit5');
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  // No focus frame around the page after a jump; only when it is reached by Tab.
  const frame = () => page.evaluate<string>('getComputedStyle(document.querySelector("main")).outlineStyle');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  expect(await frame()).toBe('none');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await frame()).toBe('solid');
  await page.getByRole('link', { name: 'Limits' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Staff' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  expect(page.url()).toContain('/manager/limits');
});

test('each chart is also a table, for people who cannot see it', async () => {
  const { page } = await showManager(browser, 'manager');
  const hidden = page.getByRole('table', { name: 'By card brand' });
  await expect.poll(() => hidden.getByRole('cell', { name: '1,204.30 EUR' }).count()).toBe(1);
  await button(page, 'By card brand: As a table').click();
  await expect.poll(() => hidden.getByRole('cell', { name: '1,204.30 EUR' }).isVisible()).toBe(true);
});

test('the day is closed by keyboard alone, once, with few keys', async () => {
  const { page, books } = await showManager(browser, 'manager', { situation: 'calm' });
  let presses = 0;
  const press = async (key: string): Promise<void> => {
    presses += 1;
    await page.keyboard.press(key);
  };
  await press('Alt+Digit0');
  const focused = () => page.locator('button:focus').textContent({ timeout: 5_000 });
  await expect.poll(focused).toBe('Close batch 31');
  await press('Enter');
  await expect.poll(focused).toBe('Sign and close');
  await screenshot(page, 'manager-close-sign');
  expect(await barriers(page)).toEqual([]);
  await press('Enter');
  await page.getByLabel('PIN of Max').waitFor();
  await screenshot(page, 'manager-close-pin');
  expect(await barriers(page)).toEqual([]);
  for (const key of [...'4711', 'Enter']) await press(key);
  await text(page, 'Batch 31 is closed.').waitFor();
  await screenshot(page, 'manager-close-done');
  process.stdout.write(`closing the day: ${presses} key presses\n`);
  expect(presses).toBe(3 + '4711'.length + 1);
  expect(books.calls).toMatchObject([{ name: 'close', facts: { by: 'Max' } }]);
});

test('all PIN keys are visible on a small screen, after a wrong PIN too', async () => {
  const look = { situation: 'calm', width: 800, height: 480 } as const;
  const { page } = await showManager(browser, 'manager/close', look);
  await button(page, 'Close batch 31').click();
  await button(page, 'Sign and close').click();
  await sign(page, '0000');
  await page.getByRole('alert').filter({ hasText: 'PIN' }).waitFor();
  await screenshot(page, 'manager-close-pin-small');
  for (const key of [...'1234567890'].map((digit) => button(page, digit)).concat(button(page, 'Sign'))) {
    const { y = Number.NaN, height = Number.NaN } = (await key.last().boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(480);
  }
});

test('a close waits for the sale in progress, names it, and can be cancelled', async () => {
  const { page, stage, books } = await showManager(browser, 'manager/close', { situation: 'selling' });
  await text(page, /waits for 1 sale in progress/).waitFor();
  await button(page, 'Close batch 31').click();
  await button(page, 'Sign and close').click();
  await sign(page);
  await expect.poll(() => books.calls.map(({ name }) => name)).toEqual(['close']);
  const { waits } = books.service.closingWait();
  stage.events.tell({ on: 'closing', waits });
  await text(page, /Waiting for the sale in progress: receipt 431, 12\.50.EUR, at T1\./).waitFor();
  await screenshot(page, 'manager-close-waits');
  expect(await barriers(page)).toEqual([]);
  await button(page, 'Do not close').click();
  await page.getByRole('alert').getByText('The close was cancelled').waitFor();
  expect(books.calls.map(({ name }) => name)).toEqual(['close', 'cancelClosing']);
});

test('a double click on Close asks once', async () => {
  const { page, books } = await showManager(browser, 'manager/close', { situation: 'calm' });
  await button(page, 'Close batch 31').click();
  await button(page, 'Sign and close').dblclick();
  await sign(page);
  await text(page, 'Batch 31 is closed.').waitFor();
  expect(books.calls.filter(({ name }) => name === 'close')).toHaveLength(1);
});

test('open sales are named before they are left open, and a reason is required', async () => {
  const { page, books } = await showManager(browser, 'manager/close');
  expect(await button(page, 'Close batch 31').isDisabled()).toBe(true);
  await button(page, 'Close with open money …').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('64.00 EUR').first().waitFor();
  const closeButton = dialog.getByRole('button', { name: 'Close with open money (7)' });
  expect(await closeButton.isDisabled()).toBe(true);
  await dialog.getByLabel(/Why this cannot wait/).fill('<script>alert(1)</script> the van leaves');
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'manager-close-override');
  await closeButton.click();
  await sign(page);
  await text(page, 'Batch 31 is closed.').waitFor();
  expect(books.calls.at(-1)?.facts).toMatchObject({ override: '<script>alert(1)</script> the van leaves', by: 'Max' });
});

test('a refused close says why, and what is needed', async () => {
  const { page, books } = await showManager(browser, 'manager/close', { situation: 'calm' });
  await button(page, 'Close batch 31').click();
  await button(page, 'Sign and close').click();
  await sign(page, '9999');
  await page.getByRole('alert').getByText('The name or the PIN is wrong').waitFor();
  await screenshot(page, 'manager-close-wrong-pin');
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('This needs your PIN: close the batch').waitFor();
  expect(books.calls).toEqual([]);
});

test('a red row’s button fixes it', async () => {
  const { page, books } = await showManager(browser, 'manager/close');
  await button(page, 'Send now').click();
  await expect.poll(() => books.calls.map(({ name }) => name)).toContain('sendAll');
  await expect.poll(() => page.getByText('Receipt 17410').count()).toBe(0);
});
