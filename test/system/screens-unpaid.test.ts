/** A sale taken offline and then declined: the same facts at the counter, among the open items, and in a dialog. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, barriers, openBrowser, screenshot } from '../support/screens/browser.ts';
import { end, heading, leave, open, page, quit, sell, till } from '../support/screens/cashier-page.ts';
import { button, closeManagers, showManager, text } from '../support/screens/manager-stage.ts';
import { endings } from '../support/screens/scripted/selling-facts.ts';

describe('at the counter', () => {
  afterEach(async () => {
    expect(await leave()).toEqual([]);
  });
  afterAll(quit);

  const panel = () => page.locator('section[data-state]').first();

  test('the panel follows the sale from offline to declined, and charges it again with one press', async () => {
    await open();
    const id = await sell('1250');
    await end(id, endings.offline);
    await heading('Offline').waitFor();
    till.end(id, endings.declinedLater);
    await heading('Declined').waitFor();
    expect(await panel().innerText()).not.toMatch(/hand over/i);
    await panel().getByText('Not charged, though the goods have left.').waitFor();
    await panel().getByText('If the customer is here, charge 12.50 EUR again with the card.').waitFor();
    await screenshot(page, 'unpaid-panel');
    expect(await barriers(page)).toEqual([]);
    const { receipt } = till.liveSale(id);
    await button(page, 'Charge again').click();
    await expect
      .poll(() => till.beginCalls.at(-1)?.request)
      .toMatchObject({
        operation: 'sale',
        amount: { amount: '12.50', currency: 'EUR' },
        chargesAgain: receipt,
      });
  });

  test('a person’s decision replaces the question, and nothing is offered', async () => {
    await open();
    const id = await sell('1250');
    await end(id, endings.offline);
    const missing = { amount: '12.50', currency: 'EUR' };
    const by = { name: 'Max', role: 'manager', reason: 'in cash' };
    till.end(id, { ...endings.declinedLater, unpaid: { state: 'settledOtherwise', missing, by } });
    await panel().getByText('Settled in another way (Max): in cash').waitFor();
    expect(await button(page, 'Charge again').count()).toBe(0);
    expect(await page.getByText('Tell the manager.').count()).toBe(0);
  });
});

describe('with another card', () => {
  afterEach(async () => {
    expect(await leave()).toEqual([]);
  });
  afterAll(quit);

  test('the panels of the new sale and of the unpaid one name both cards', async () => {
    await open();
    const id = await sell('1250');
    await end(id, { ...endings.approved, otherCard: { receipt: 17, before: '0010', now: '1111' } });
    await page.getByText('This is another card, ending in 1111.', { exact: false }).waitFor();
    await page.getByText('The card of receipt 17 ends in 0010.', { exact: false }).waitFor();
    await screenshot(page, 'unpaid-other-card');
    expect(await barriers(page)).toEqual([]);
    const { unpaid } = endings.declinedLater;
    const otherCards = [{ receipt: 22, before: '0010', now: '1111' }];
    till.end(id, { ...endings.declinedLater, unpaid: { ...unpaid, again: [22], otherCards } });
    await page.getByText('Receipt 22 used another card, ending in 1111; this sale’s card ends in 0010.').waitFor();
  });
});

describe('at the manager’s desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  afterEach(closeManagers);

  test('an unpaid sale is settled or written off with a reason, and charged again at the counter', async () => {
    const { page: service, books } = await showManager(browser, 'manager/open-items/17290');
    await text(service, 'Not paid: 22.00 EUR').waitFor();
    const chargeAgain = service.getByRole('link', { name: 'Charge again' });
    expect(await chargeAgain.getAttribute('href')).toBe('/?receipt=17290');
    await button(service, 'Settled in another way …').waitFor();
    await button(service, 'Write off …').click();
    const dialog = service.getByRole('dialog');
    await dialog.getByText('You confirm: 22.00 EUR will not be paid. It is a loss for the shop.').waitFor();
    const writeOff = dialog.getByRole('button', { name: 'Write off', exact: true });
    expect(await writeOff.isDisabled()).toBe(true);
    await dialog.getByLabel('Why it is written off').fill('The customer cannot be reached');
    await screenshot(service, 'unpaid-write-off');
    expect(await barriers(service)).toEqual([]);
    await writeOff.click();
    await expect
      .poll(() => books.calls.at(-1)?.facts)
      .toEqual({ receipt: 17290, action: 'writeOff', by: 'Max', reason: 'The customer cannot be reached' });
  });

  test('closing names the amount before anyone signs', async () => {
    const { page: service } = await showManager(browser, 'manager/close');
    const row = service.getByRole('listitem').filter({ hasText: 'No stored sale is unpaid' });
    await row.getByText('22.00 EUR').waitFor();
    await row.getByText('Receipt 17290').waitFor();
    await button(service, 'Close with open money …').click();
    const dialog = service.getByRole('dialog');
    await dialog.getByText('They stay open, and the Z report names them').waitFor();
    await dialog.getByText('Receipt 17290 · Not paid').waitFor();
    expect(await barriers(service)).toEqual([]);
  });
});
