/** What the cashier's screen guards: an unpaid bill, the browser's own keys, a decline in the reader's language. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { keyNames } from '../../src/ui/cashier/keys.ts';
import { barriers, screenshot } from '../support/screens/browser.ts';
import { end, leave, open, openCashier, page, press, quit, sell, till } from '../support/screens/cashier-page.ts';
import { endings } from '../support/screens/scripted/selling-facts.ts';

afterAll(quit);
afterEach(async () => {
  expect(await leave()).toEqual([]);
});

test('an unpaid bill is dropped for another one only after a yes', async () => {
  await open();
  const dialog = page.getByRole('dialog', { name: 'Split the bill' });
  const split = async (amount: string): Promise<void> => {
    await press(...amount, 'F3');
    await dialog.waitFor();
  };
  const restShown = (amount: string): Promise<void> => page.getByText(`rest ${amount} EUR`, { exact: true }).waitFor();
  await split('6000');
  await press('Enter');
  await restShown('60.00');
  // Nothing of the bill is paid yet: the safe answer has the focus, and the typed amount stays.
  await split('1000');
  await dialog.getByText('60.00 EUR of the bill of 60.00 EUR is not paid.', { exact: false }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await restShown('60.00');
  await press('Escape');
  await press('Enter');
  await expect.poll(() => till.beginCalls.length).toBe(1);
  await end(till.current().id, endings.approved);
  await restShown('30.00');
  await split('1000');
  await dialog.getByText('30.00 EUR of the bill of 60.00 EUR is not paid.', { exact: false }).waitFor();
  await screenshot(page, 'cashier-split-other-bill');
  await dialog.getByRole('button', { name: 'Close that bill and split 10.00 EUR' }).click();
  await press('Enter');
  await restShown('10.00');
  expect(till.beginCalls).toHaveLength(1);
});

test('a function key over a dialog or menu reaches neither the browser nor the screen below', async () => {
  await open();
  await page.evaluate(`window.heard = []; addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (/^F\\d/.test(key)) heard.push(key + (defaultPrevented ? '' : ' to the browser'));
  })`);
  const takeAnnounced = (): Promise<string[]> => page.evaluate<string[]>('heard.splice(0)');
  const keys = Object.values(keyNames).filter((name) => /^F\d/.test(name));
  await press('F7');
  const dialog = page.getByRole('dialog', { name: 'Sales' });
  await dialog.waitFor();
  await takeAnnounced();
  await press(...keys);
  expect(await takeAnnounced()).toEqual(keys);
  expect(await page.getByRole('dialog').count()).toBe(1);
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByText('for this sale only').count()).toBe(0);
  await page.getByRole('button', { name: 'Menu of Anna' }).click();
  await page.getByRole('menu').waitFor();
  await press('F12', 'F3');
  await press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.down('F3');
  await page.keyboard.down('F3');
  await page.keyboard.up('F3');
  expect(await takeAnnounced()).toEqual(['F12', 'F3', 'F3', 'F3']);
  // With Alt the key is left to the browser.
  await press('Alt+F9');
  expect(await takeAnnounced()).toEqual(['F9 to the browser']);
});

test('a terminal’s own reason for a decline is shown in the reader’s language', async () => {
  await open();
  await page.evaluate(`localStorage.setItem('tillgate.language', 'de')`);
  await openCashier(page, /^Kassieren/);
  const decline = { group: 'sameCard', code: '6C', means: 'abort by time-out or key' } as const;
  await end(await sell('1250'), { ...endings.declined, statusText: '', decline }, 'Fertig');
  await page.getByRole('button', { name: 'Einzelheiten' }).click();
  await page.getByText('6C · abgebrochen: Zeit abgelaufen oder Abbruchtaste', { exact: true }).waitFor();
  await screenshot(page, 'cashier-declined-details-de');
});
