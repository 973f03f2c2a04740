/** The counter on a small screen in German: two terminals at once, the sales list, the lock; and dates and names. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser, type Page, screenshot } from '../support/screens/browser.ts';
import * as cashier from '../support/screens/cashier-page.ts';
import { findCuts } from '../support/screens/cuts.ts';
import { layoutProblems } from '../support/screens/geometry.ts';
import { closeManagers, showManager } from '../support/screens/manager-stage.ts';
import { endings, eur } from '../support/screens/scripted/selling-facts.ts';
import { openSignInPage } from '../support/screens/sign-in-page.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await cashier.quit();
});
afterEach(closeManagers);

const low = { width: 800, height: 480 };
const telephone = { width: 390, height: 844 };
const german = (page: Page): Promise<unknown> => page.evaluate(`localStorage.setItem('tillgate.language', 'de')`);

type Box = { left: number; top: number; right: number; bottom: number };
const boxesOf = (page: Page, selector: string): Promise<Box[]> =>
  page.evaluate<Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { left, top, right, bottom };
  })`);

/** How many pairs overlap. */
const overlaps = (boxes: readonly Box[]): number =>
  boxes.flatMap((first, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (second) =>
          Math.min(first.right, second.right) - Math.max(first.left, second.left) > 1 &&
          Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top) > 1,
      ),
  ).length;

describe.each([low, telephone])('$width × $height', (size) => {
  const open = async (): Promise<void> => {
    await cashier.open({ size, terminals: 2 });
    await german(cashier.page);
    await cashier.openCashier(cashier.page, /^Kassieren/);
  };
  const isWhole = async (): Promise<void> => {
    expect(await findCuts(cashier.page)).toEqual([]);
    const { cut, squeezed, overlapping } = await layoutProblems(cashier.page);
    expect({ cut, squeezed, overlapping }).toEqual({ cut: [], squeezed: [], overlapping: [] });
  };

  test('the keys, and two terminals at once, with their steps and endings', async () => {
    await open();
    const { page, till } = cashier;
    await isWhole();
    const [left] = await boxesOf(page, 'section[aria-label=Betrag]');
    const keys = await boxesOf(page, 'section[aria-label=Betrag] button');
    expect(keys.filter(({ right }) => right > (left?.right ?? 0))).toEqual([]);
    const first = await cashier.sell('1250');
    till.phase(first, 'presentCard', { usualMs: { from: 5000, to: 15_000 } });
    const second = await cashier.sell('640');
    till.phase(second, 'presentCard', { usualMs: { from: 5000, to: 15_000 } });
    const prompt = page.getByRole('heading', { name: 'Stecken, vorhalten' });
    await prompt.nth(1).waitFor();
    await isWhole();
    // A title that is partly scrolled out of view cannot be read.
    const amounts = await boxesOf(page, 'main section header bdi');
    const titles = await boxesOf(page, 'main section h2');
    expect(titles.map(({ top }, index) => top >= (amounts[index]?.bottom ?? 0) - 1)).toEqual([true, true]);
    await screenshot(page, `small-two-${size.width}`);
    await cashier.end(first, endings.approved, 'Fertig');
    await cashier.end(second, endings.declined, 'Fertig');
    await isWhole();
    // The instruction is visible, not only the ending; a phone is scrolled.
    for (const text of size === low ? ['Geben Sie den Beleg mit.', 'Bitten Sie um eine andere Karte.'] : []) {
      const next = page.locator('main section').getByText(text);
      const [{ bottom = 0 } = {}] = await boxesOf(page, 'main section [class*=outcome]');
      const box = await next.boundingBox();
      expect(box && box.y + box.height <= bottom + 1, text).toBe(true);
    }
    await screenshot(page, `small-two-ended-${size.width}`);
    expect(await cashier.leave()).toEqual([]);
  });

  test('rows of the sales list do not overlap', async () => {
    await open();
    const { page } = cashier;
    await page.keyboard.press('F7');
    await page.getByRole('option').nth(3).waitFor();
    await screenshot(page, `small-find-${size.width}`);
    expect(overlaps(await boxesOf(page, '[role=option] > div > *'))).toBe(0);
    await isWhole();
    expect(await cashier.leave()).toEqual([]);
  });

  test('every key of the lock is complete, and so is its button', async () => {
    const sessions = scriptedSessions('cashier');
    const { page, close } = await openSignInPage(browser, sessions, { ...size, language: 'de' });
    await page.getByRole('button', { name: /Anna/ }).waitFor();
    sessions.end();
    await page.locator('.tg-lock .tg-pin').waitFor();
    await screenshot(page, `small-lock-${size.width}`);
    const keys = await boxesOf(page, '.tg-lock .tg-pin button');
    expect(keys).toHaveLength(13);
    expect(overlaps(keys)).toBe(0);
    expect(keys.filter(({ right, bottom }) => right > size.width || bottom > size.height)).toEqual([]);
    await close();
  });
});

test('on the shortest screen everything fits beside waiting items, and with a bill under the offline bar', async () => {
  await cashier.open({ size: low });
  await german(cashier.page);
  await cashier.openCashier(cashier.page, /^Kassieren/);
  const { page, till } = cashier;
  /** Parts of the screen, and of what a terminal waits for, whose content overflows. */
  const overlapsOnPage = (): Promise<string[]> =>
    page.evaluate<string[]>(`[...document.querySelectorAll('main section, main section > div:has(> h2)')]
      .filter((part) => part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.textContent)`);
  const id = await cashier.sell('1250');
  till.phase(id, 'presentCard', { usualMs: { from: 5000, to: 15_000 } });
  const [first] = till.counters();
  if (first === undefined) throw new Error('there is no terminal');
  till.setCounters([{ ...first, waiting: [{ operation: 'void', receipt: 18, behind: 21 }] }]);
  await page.getByText('Storno zu Beleg 18 wartet').waitFor();
  await screenshot(page, 'small-waits');
  expect(await overlapsOnPage()).toEqual([]);
  till.setCounters([first]);
  await cashier.end(id, endings.approved, 'Fertig');
  till.setLine({ online: false, since: Date.now(), waiting: { count: 12, total: eur('189.60') } });
  await cashier.press(...'6000', 'F3');
  await page.getByRole('dialog').waitFor();
  await cashier.press('Enter');
  await page.getByText('Rest 60,00 EUR').waitFor();
  const part = await cashier.sell('');
  till.phase(part, 'presentCard', { usualMs: { from: 5000, to: 15_000 } });
  await page.getByRole('heading', { name: 'Stecken, vorhalten' }).waitFor();
  await screenshot(page, 'small-bill-offline');
  expect(await overlapsOnPage()).toEqual([]);
  const [sell] = await boxesOf(page, 'section[aria-label=Betrag] > button');
  const [halves] = await boxesOf(page, '[class*=halves]');
  expect(sell && halves && sell.bottom <= halves.bottom).toBe(true);
  expect(await cashier.leave()).toEqual([]);
});

test('dates, amounts and cards are in the reader’s own format', async () => {
  const { page, stage } = await showManager(browser, 'manager', low);
  await german(page);
  await page.goto(`${stage.url}manager/reconcile/r3`);
  await page.getByText('19.11.2026', { exact: true }).waitFor();
  await page.goto(`${stage.url}manager/limits`);
  await page.getByLabel('Eine Zahlung, bis zu', { exact: true }).first().fill('5');
  await page.getByText('war 50,00').waitFor();
  await cashier.open({ size: low });
  await german(cashier.page);
  await cashier.openCashier(cashier.page, /^Kassieren/);
  const id = await cashier.sell('500');
  cashier.till.phase(id, 'askingBank', { card: { last4: '0028', brand: 'GIFTCARD', entryMode: '' } });
  await cashier.page.getByText('Gutscheinkarte, endet auf 0028').waitFor();
  await cashier.end(id, { ...endings.approved, statusText: 'APPROVED' }, 'Fertig');
  // A host's own text for an approval belongs on the receipt.
  expect(await cashier.page.locator('main section').getByText('APPROVED', { exact: true }).count()).toBe(0);
  expect(await cashier.leave()).toEqual([]);
});
