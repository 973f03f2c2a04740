/** A cashier's day by keyboard alone, with the number of keys pressed, and searching for receipts. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { barriers, screenshot } from '../support/screens/browser.ts';
import { clock, end, heading, leave, open, page, press, quit, sell, till } from '../support/screens/cashier-page.ts';
import { endings, eur } from '../support/screens/scripted/selling-facts.ts';

afterAll(quit);
afterEach(async () => {
  expect(await leave()).toEqual([]);
});

describe('flows', () => {
  type Press = (...keys: readonly string[]) => Promise<void>;
  /** Runs a flow by keyboard alone, and prints how many keys it took. */
  const countPresses = async (name: string, flow: (press: Press) => Promise<void>): Promise<void> => {
    let presses = 0;
    await flow(async (...keys) => {
      presses += keys.length;
      await press(...keys);
    });
    process.stdout.write(`${name.padEnd(34)} ${presses} key presses\n`);
  };
  const digits = (text: string): string[] => [...text];
  const begin = async (count: number): Promise<void> => {
    await expect.poll(() => till.beginCalls.length).toBe(count);
  };
  const put = async (press: Press): Promise<void> => {
    await press('Enter');
    await heading('Ready').waitFor();
  };

  test('a sale with a tip by touch alone, on the smallest screen', async () => {
    await open({ size: { width: 800, height: 480 } });
    const touch = (name: string) => page.getByRole('button', { name, exact: true }).click();
    for (const key of ['1', '2', '5', '0', 'Delete the last digit', '00']) await touch(key);
    await expect.poll(() => page.getByRole('status', { name: 'Amount' }).textContent()).toBe('125.00 EUR');
    await page.getByRole('button', { name: /^Tip/ }).click();
    const tip = page.getByRole('dialog', { name: 'Tip' });
    await tip.getByRole('button', { name: '10 %' }).click();
    await tip.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Sell/ }).click();
    await begin(1);
    expect(till.beginCalls[0]?.request).toMatchObject({ amount: eur('125.00'), tip: eur('12.50') });
    await end(till.current().id, endings.approved);
    await page.getByRole('button', { name: /^Done/ }).click();
    await heading('Ready').waitFor();
  });

  test('a whole day by keyboard alone', async () => {
    await open();
    await countPresses('sale of 12.50, result put away', async (press) => {
      await press(...digits('1250'), 'Enter');
      await begin(1);
      await end(till.current().id, endings.approved);
      await heading('Approved').waitFor();
      await put(press);
    });
    await countPresses('sale with 5 % tip', async (press) => {
      await press(...digits('2000'), 'F2');
      await page.getByRole('dialog', { name: 'Tip' }).waitFor();
      await screenshot(page, 'cashier-tip');
      await press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('with tip 1.00 EUR').waitFor();
      await press('Enter');
      await begin(2);
      expect(till.beginCalls[1]?.request).toMatchObject({ amount: eur('20.00'), tip: eur('1.00') });
      await end(till.current().id, endings.approved);
      await heading('Approved').waitFor();
      await put(press);
    });
    await countPresses('bill of 60.00 in two parts', async (press) => {
      await press(...digits('6000'), 'F3');
      await page.getByRole('dialog', { name: 'Split the bill' }).waitFor();
      await screenshot(page, 'cashier-split-dialog');
      await press('Enter');
      await page.getByText('rest 60.00 EUR').waitFor();
      await press('Enter');
      await begin(3);
      // A second press while the first part is in progress pays nothing twice.
      await press('Enter');
      expect(till.beginCalls[2]?.request).toMatchObject({ amount: eur('30.00'), billTotal: eur('60.00') });
      await end(till.current().id, endings.approved);
      await page.getByText('rest 30.00 EUR').waitFor();
      await screenshot(page, 'cashier-split');
      await press('Enter');
      await begin(4);
      expect(till.beginCalls[3]?.request).toMatchObject({ amount: eur('30.00'), bill: 23 });
      await end(till.current().id, endings.approved);
      await page.getByText('The bill is paid.').waitFor();
      await put(press);
    });
    await page.getByText('The bill is paid.').waitFor({ state: 'detached' });
    await countPresses('hold of 80.00', async (press) => {
      await press(...digits('8000'), 'F4');
      await page.getByRole('dialog', { name: 'Held amounts' }).waitFor();
      await press('Enter');
      await begin(5);
      expect(till.beginCalls[4]?.request).toMatchObject({ operation: 'preauthorisation', amount: eur('80.00') });
      await end(till.current().id, endings.approved);
      await heading('Approved').waitFor();
      await put(press);
    });
    await countPresses('refund of a receipt', async (press) => {
      await press('F6');
      await page.getByRole('dialog', { name: 'Refund or void' }).waitFor();
      await press('1', '8', 'Enter');
      await page.getByRole('dialog', { name: 'Sale 18' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).waitFor();
      await screenshot(page, 'cashier-detail');
      await press('Enter');
      await page.locator('button[type=submit][aria-disabled=false]').waitFor();
      await screenshot(page, 'cashier-refund');
      await press('Enter');
      await begin(6);
      expect(till.beginCalls[5]?.request).toMatchObject({ operation: 'refund', receipt: 18, amount: eur('15.54') });
      await end(till.current().id, endings.approved);
      await heading('Approved').waitFor();
      await put(press);
    });
    await countPresses('gift card', async (press) => {
      await press(...digits('500'), 'F9');
      await page.getByRole('dialog', { name: 'Gift card' }).waitFor();
      await press(...digits('60000000'), 'Enter');
      await begin(7);
      expect(till.beginCalls[6]?.request).toMatchObject({ operation: 'giftCard', giftCard: { number: '60000000' } });
      await end(till.current().id, endings.approved);
      await heading('Approved').waitFor();
      await put(press);
    });
    await countPresses('cancel', async (press) => {
      await press(...digits('500'), 'Enter');
      await begin(8);
      await heading('Starting').waitFor();
      await press('Escape');
      await heading('Cancelling …').waitFor();
      await end(till.current().id, endings.cancelled);
      await heading('Not charged').waitFor();
      await put(press);
    });
    expect(till.beginCalls).toHaveLength(8);
  });

  test('typing a card number for one sale is visible on the screen, and takes one key', async () => {
    await open();
    const ribbon = page.getByRole('region', { name: 'Ways to present the card' });
    const accepted = () => till.beginCalls.map(({ request }) => 'accept' in request && request.accept);
    const usual = ['chip', 'tap', 'swipe'];
    await press('F12');
    await ribbon.getByText('Number typed').waitFor();
    await screenshot(page, 'cashier-typed');
    expect(await barriers(page)).toEqual([]);
    // A refusal restores everything that was set for the sale.
    till.nextFault = new Fault('terminal.busy', { command: 'a sale' });
    await press(...digits('640'), 'Enter');
    await page.getByText('Nothing was charged.').waitFor();
    await ribbon.waitFor();
    await end(await sell(''), endings.approved);
    expect(accepted()).toEqual([['manual']]);
    await ribbon.waitFor({ state: 'detached' });
    await end(await sell('250'), endings.approved);
    expect(accepted()).toEqual([['manual'], usual]);
    // Escape, the same key and its own button all lead back.
    const back = page.getByRole('button', { name: /^As usual/ });
    for (const leaveBy of [() => press('Escape'), () => press('F12'), () => back.click()]) {
      await press('F12');
      await ribbon.waitFor();
      await leaveBy();
      await ribbon.waitFor({ state: 'detached' });
    }
  });

  test('100,000 sales are searched and scrolled, loading only what is visible', async () => {
    await open({ pastCount: 100_000 });
    await page.keyboard.press('F7');
    const list = page.getByRole('listbox', { name: 'Sales' });
    await list.getByRole('option').first().waitFor();
    await screenshot(page, 'cashier-find');
    await list.focus();
    await page.keyboard.press('End');
    await list.getByText('Receipt 1', { exact: true }).waitFor();
    expect(await list.getByRole('option').count()).toBeLessThan(80);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('textbox').fill('99991');
    await list.getByText('Receipt 99991', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('the customer says they were charged', async () => {
    await open();
    const [sale] = till.sales({ from: 0, most: 1 }).rows;
    if (sale === undefined) throw new Error('no sale');
    till.claimAnswer = {
      verdict: 'chargedOnce',
      says: 'Charged once, and the goods were handed over.',
      sales: [
        {
          ...sale,
          evidence: [
            { at: sale.at, words: 'The terminal read the card.' },
            { at: sale.at + 4000, words: 'The bank approved, code 831742.' },
          ],
          next: 'Show the customer this receipt.',
          person: 'Nobody has to do anything.',
        },
      ],
    };
    await page.keyboard.press('F8');
    await page.getByRole('textbox', { name: 'Amount' }).fill('1.234');
    await page.keyboard.press('Enter');
    await page.getByText('This can be read in two ways').first().waitFor();
    await page.getByRole('textbox', { name: 'Amount' }).fill('3,20');
    await page.getByRole('textbox', { name: 'Last four digits' }).fill(sale.last4 ?? '');
    await page.keyboard.press('Enter');
    await heading('Charged once').waitFor();
    await screenshot(page, 'cashier-claim');
    expect(await barriers(page)).toEqual([]);
  });

  test('a colleague’s sale is in no list, but opens by its full receipt number', async () => {
    await open();
    const [ownSale, othersSale] = till.sales({ from: 0, most: 2 }).rows;
    const detail = othersSale && till.details.get(othersSale.receipt);
    if (ownSale === undefined || othersSale === undefined || detail === undefined) throw new Error('no sale');
    till.details.set(othersSale.receipt, { ...detail, cashier: 'Ben' });
    await page.keyboard.press('F7');
    const list = page.getByRole('listbox', { name: 'Sales' });
    await list.getByText(`Receipt ${ownSale.receipt}`, { exact: true }).waitFor();
    await page.getByRole('textbox').fill(String(othersSale.receipt));
    await page.getByText('Nothing found.').waitFor();
    await page.getByText('Only your own sales are listed.').waitFor();
    await screenshot(page, 'cashier-find-own');
    expect(await barriers(page)).toEqual([]);
    const openButton = page.getByRole('button', { name: `Open receipt ${othersSale.receipt}` });
    till.isFull = true;
    await openButton.click();
    await page.getByText('You have opened many colleagues’ sales within an hour').waitFor();
    await screenshot(page, 'cashier-others-full');
    await page.getByRole('button', { name: 'Ask a manager' }).click();
    const allowing = page.getByRole('dialog', { name: 'Someone else has to allow this' });
    await allowing.getByRole('button', { name: /Max/ }).click();
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await page.getByText('Ben', { exact: true }).waitFor();
    await screenshot(page, 'cashier-others-sale');
    expect(till.isFull).toBe(false);
  });

  test('held amounts, the terminal, and the receipt with its code', async () => {
    await open({ terminals: 2 });
    const [first] = till.sales({ from: 0, most: 1 }).rows;
    if (first === undefined) throw new Error('no sale');
    const hold = { ...first, operation: 'preauthorisation' as const, held: eur('80.00'), completed: eur('0.00') };
    till.holdRows = [
      { ...hold, left: eur('80.00'), until: clock() + 86_400_000, expired: false },
      { ...hold, id: 'old', left: eur('40.00'), until: clock() - 1, expired: true },
    ];
    await page.keyboard.press('F4');
    await page.getByText('expired').waitFor();
    await screenshot(page, 'cashier-holds');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('F10');
    await page.getByRole('dialog').getByRole('button', { name: /^T2/ }).waitFor();
    await screenshot(page, 'cashier-terminal');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: /^T2/ }).click();
    const id = await sell('640');
    expect(till.beginCalls[0]?.request).toMatchObject({ counter: 'T2' });
    await end(id, endings.approved);
    await page.getByRole('button', { name: 'Receipt', exact: true }).click();
    await page.getByText('12345678-000021').waitFor();
    await page.getByRole('button', { name: 'Copy the text' }).click();
    await page.getByText('The receipt’s text is copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('NORDWIND BAKERY');
    await screenshot(page, 'cashier-receipt');
    expect(await barriers(page)).toEqual([]);
  });
});
