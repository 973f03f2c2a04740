/**
 * What the till sends as codes, on a screen in another language: no English sentence, and Arabic from right to left.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tellItem } from '../../src/locales/messages/en/books.ts';
import { tellEvidence, tellOpen } from '../../src/locales/messages/en/sales.ts';
import { type Browser, openBrowser, screenshot } from '../support/screens/browser.ts';
import { closeManagers, showManager } from '../support/screens/manager-stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(closeManagers);
afterAll(() => browser.close());

test.each([
  ['de', 'ltr', /ans Gateway/],
  ['ar', 'rtl', /يرسلها الصندوق إلى البوابة/],
])(
  'an open item in %s',
  async (language, direction, pattern) => {
    const { page, stage, books } = await showManager(browser, 'manager/open-items');
    const items = books.service.openItems();
    const toldItems = items.map((item) => ({
      ...item,
      evidence: item.evidence.map((one) => ({ ...one, told: tellEvidence('hostSilent', { why: 'no answer came' }) })),
      told: {
        known: tellOpen('noEnding'),
        next: tellOpen('forward', { from: { at: 0 }, tried: '' }),
        person: tellItem(item.kind),
        why: tellOpen('note', { why: 'no answer came' }),
      },
    }));
    books.service.openItems = () => toldItems;
    await page.evaluate((tag) => localStorage.setItem('tillgate.language', tag), language);
    await page.goto(`${stage.url}manager/open-items/${items[0]?.receipt}`);
    await page.getByText(pattern).first().waitFor();
    expect(await page.locator('html').getAttribute('dir')).toBe(direction);
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/\b(the|were|and|not|have|with|nothing)\b/i);
    await screenshot(page, `told-open-item-${language}`);
  },
  60_000,
);
