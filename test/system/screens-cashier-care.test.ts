/** What the cashier's screen takes care of: an unpaid bill, the browser's keys, a decline in the reader's language. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { screenshot } from '../support/screens/browser.ts';
import { arrive, end, leave, open, page, quit, sell, till } from '../support/screens/cashier-page.ts';
import { endings } from '../support/screens/desks/selling-facts.ts';

afterAll(quit);
afterEach(async () => {
  expect(await leave()).toEqual([]);
});

test('what a terminal itself declined for stands there in the reader’s language', async () => {
  await open();
  await page.evaluate(`localStorage.setItem('tillgate.language', 'de')`);
  await arrive(page, /^Kassieren/);
  const decline = { group: 'sameCard', code: '6C', means: 'abort by time-out or key' } as const;
  await end(await sell('1250'), { ...endings.declined, statusText: '', decline }, 'Fertig');
  await page.getByRole('button', { name: 'Einzelheiten' }).click();
  await page.getByText('6C · abgebrochen: Zeit abgelaufen oder Abbruchtaste', { exact: true }).waitFor();
  await screenshot(page, 'cashier-declined-details-de');
});
