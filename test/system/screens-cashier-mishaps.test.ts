/** What goes wrong at a counter: double presses, reloads, lost connections, bad input. Nothing is lost or doubled. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { screenshot } from '../support/screens/browser.ts';
import {
  end,
  heading,
  leave,
  open,
  openCashier,
  page,
  paperService,
  press,
  quit,
  sell,
  till,
} from '../support/screens/cashier-page.ts';
import { endings, eur } from '../support/screens/scripted/selling-facts.ts';

afterAll(quit);
afterEach(async () => {
  expect(await leave()).toEqual([]);
});

describe('mishaps', () => {
  test('a double click and a double Enter sell once', async () => {
    await open({ terminals: 2 });
    let answer = (): void => {};
    till.gate = new Promise((resolve) => {
      answer = resolve;
    });
    await press(...'1250');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^(Sell|Sending)/ }).dblclick();
    await expect.poll(() => till.beginCalls.length).toBe(1);
    answer();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await heading('Starting').waitFor();
    expect(till.beginCalls).toHaveLength(1);
    await end(till.current().id, endings.declined);
    // The second press of the previous key does not dismiss the result.
    await page.keyboard.press('Enter');
    await heading('Declined').waitFor();
    expect(await heading('Declined').isVisible()).toBe(true);
  });

  test('a paid bill does not delay the next customer: it goes with the next amount, or with Enter', async () => {
    await open();
    const paidNote = page.getByText('The bill is paid.');
    const pay = async (part: string): Promise<void> => {
      const previousCount = till.beginCalls.length;
      await press('Enter');
      await expect.poll(() => till.beginCalls.length).toBe(previousCount + 1);
      expect(till.beginCalls.at(-1)?.request).toMatchObject({ amount: eur(part) });
      await end(till.current().id, endings.approved);
    };
    // Keys stay where they are, for a cashier who types without looking.
    const keypad = () => page.getByRole('group', { name: 'Keypad' }).boundingBox();
    const keys = await keypad();
    await press(...'6000', 'F3');
    await page.getByRole('dialog', { name: 'Split the bill' }).waitFor();
    await press('Enter');
    await page.getByText('rest 60.00 EUR').waitFor();
    expect(await keypad()).toEqual(keys);
    await pay('30.00');
    await page.getByText('rest 30.00 EUR').waitFor();
    expect(await keypad()).toEqual(keys);
    // A part's result that was dismissed does not delay the next part.
    await press('Escape');
    await heading('Ready').waitFor();
    await pay('30.00');
    await paidNote.waitFor();
    await screenshot(page, 'cashier-bill-paid');
    await press('4');
    await paidNote.waitFor({ state: 'detached' });
    await press('2', '0');
    await pay('4.20');
    expect(till.beginCalls.at(-1)?.request).not.toHaveProperty('bill');
    expect(till.beginCalls.at(-1)?.request).not.toHaveProperty('billTotal');
    await press(...'1000', 'F3');
    await page.getByRole('dialog', { name: 'Split the bill' }).waitFor();
    await press('Enter');
    await page.getByText('rest 10.00 EUR').waitFor();
    await pay('5.00');
    await page.getByText('rest 5.00 EUR').waitFor();
    await pay('5.00');
    await paidNote.waitFor();
    await press('Enter');
    await paidNote.waitFor({ state: 'detached' });
    await heading('Ready').waitFor();
  });

  test('a page that is reloaded during a sale finds the sale and its result', async () => {
    await open();
    const id = await sell('1250');
    till.phase(id, 'enterPin');
    await page.reload();
    await heading('Customer enters PIN').waitFor();
    await end(id, endings.approved);
    await heading('Approved').waitFor();
    await page.reload();
    await heading('Approved').waitFor();
    expect(till.beginCalls).toHaveLength(1);
  });

  test('a lost answer is requested again with the same key', async () => {
    await open();
    let lose = true;
    await page.route('**/api/sales', async (route) => {
      if (!lose || route.request().method() !== 'POST') return route.continue();
      lose = false;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await press(...'1250');
    await page.keyboard.press('Enter');
    await heading('Starting').waitFor();
    await expect.poll(() => till.requestCount).toBe(2);
    expect(till.beginCalls).toHaveLength(1);
  });

  test('a lost connection is shown, and clears by itself', async () => {
    await open();
    const id = await sell('1250');
    till.phase(id, 'enterPin');
    await heading('Customer enters PIN').waitFor();
    await page.context().setOffline(true);
    till.phase(id, 'askingBank');
    await page.evaluate(`dispatchEvent(new Event('offline'))`);
    await page.context().setOffline(false);
    await end(id, endings.approved);
    await heading('Approved').waitFor();
  });

  test('two tabs show one sale, and neither sells it again', async () => {
    await open();
    const otherPage = await page.context().newPage();
    await openCashier(otherPage);
    const id = await sell('1250');
    await otherPage.getByRole('heading', { name: 'Starting' }).waitFor();
    await otherPage.keyboard.press('Enter');
    await end(id, endings.approved);
    await otherPage.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(till.beginCalls).toHaveLength(1);
  });

  test('pasted text is understood or refused with a reason, and no wrong amount is sold', async () => {
    await open();
    const paste = async (text: string): Promise<void> => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await press('Control+V');
    };
    const amount = page.getByRole('status', { name: 'Amount' });
    await paste('1.234,56');
    await expect.poll(() => amount.textContent()).toBe('1,234.56 EUR');
    await paste('１２,５０');
    await expect.poll(() => amount.textContent()).toBe('12.50 EUR');
    for (const [text, message] of [
      ['1.234', 'This can be read in two ways'],
      ['-5', 'An amount cannot be negative'],
      ['0', 'Zero cannot be charged'],
      ['99999999999999', 'more than a till can charge'],
      ['<img src=x onerror=alert(1)>', 'This is not an amount'],
    ]) {
      await paste(text ?? '');
      await page
        .getByRole('alert')
        .getByText(message ?? '')
        .first()
        .waitFor();
      expect(await amount.textContent()).toBe('12.50 EUR');
    }
    await screenshot(page, 'cashier-refused-amount');
    // The first Enter only dismisses the note.
    await press('Enter');
    expect(till.beginCalls).toHaveLength(0);
    await sell('');
    expect(till.beginCalls[0]?.request).toMatchObject({ amount: eur('12.50') });
  });

  test('a scanned code opens its receipt but not another till’s, and is never an amount', async () => {
    await open();
    // The page listens to keys only after its second frame; a code sent at once before that would be lost.
    const scan = (code: string) =>
      page.evaluate(`(async () => {
        for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
        for (const key of [...${JSON.stringify(code)}, 'Enter']) dispatchEvent(new KeyboardEvent('keydown', { key }));
      })()`);
    const id = 'a0181f2c3d4e5f60718293a4b5c6d7e8';
    const [sale] = till.sales({ from: 0, most: 1 }).rows;
    const detail = sale && till.details.get(sale.receipt);
    if (detail === undefined) throw new Error('no sale');
    till.details.set(detail.receipt, { ...detail, id });
    for (const [code, receipt] of [
      ['12345678-000007', 7],
      [id, detail.receipt],
    ] as const) {
      await scan(code);
      await page.getByRole('dialog', { name: `Sale ${receipt}` }).waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await scan('87654321-000007');
    const dialog = page.getByRole('dialog', { name: 'Receipt' });
    await dialog.getByText('Receipt 000007 belongs to another till: terminal 87654321 made that sale').waitFor();
    await dialog.getByText('Look it up at the till whose receipts say terminal 87654321.').waitFor();
    await screenshot(page, 'cashier-elsewhere');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(till.beginCalls).toHaveLength(0);
  });

  test('a script typed into any text field stays text', async () => {
    await open();
    const script = '<img src=x onerror="document.title=1">';
    for (const key of ['F6', 'F7', 'F8']) {
      await page.keyboard.press(key);
      const field = page.getByRole('dialog').getByRole('textbox').first();
      await field.fill(script);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(await page.title()).not.toBe('1');
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  test('a refusal explains itself and keeps the amount; a missing permission asks for a PIN', async () => {
    await open();
    till.nextFault = new Fault('terminal.busy', { command: 'a sale' });
    await press(...'1250');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was charged.').waitFor();
    await screenshot(page, 'cashier-refusal');
    till.nextFault = new Fault('session.notAllowed', { who: 'Anna', permission: 'sell' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: /Max/ }).click();
    await screenshot(page, 'cashier-override');
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await expect.poll(() => till.beginCalls.length).toBe(1);
  });

  test('a printer without paper is reported', async () => {
    await open();
    await end(await sell('640'), endings.approved);
    await heading('Approved').waitFor();
    paperService.fault = new Fault('program.failed', { why: 'paper is out' });
    await page.keyboard.press('F1');
    await page.getByText('paper is out').first().waitFor();
  });

  test('the same amount after a sale with an unknown ending asks first', async () => {
    await open();
    const id = await sell('640');
    await end(id, endings.unknown);
    await page.getByRole('button', { name: '1 unknown' }).waitFor();
    await press(...'640');
    await page.keyboard.press('Enter');
    const asks = page.getByRole('dialog', { name: 'Was this charged already?' });
    await asks.waitFor();
    // The dialog shows the same text that a program or a command gets.
    await asks.getByText('The new sale was not started. The earlier one may have been charged.').waitFor();
    await screenshot(page, 'cashier-likely');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(till.beginCalls).toHaveLength(1);
    // A yes names the sale that was asked about.
    await press(...'640');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'It is another customer: charge' }).click();
    await expect.poll(() => till.beginCalls.length).toBe(2);
    expect(till.beginCalls[1]?.request).toMatchObject({ amount: eur('6.40'), again: [till.liveSale(id).receipt] });
  });

  test('the till itself asks, whatever the screen knows of unknown sales', async () => {
    await open();
    await end(await sell('640'), endings.unknown);
    till.setLine({ unknown: 0 });
    await press(...'640');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Was this charged already?' }).waitFor();
    expect(till.beginCalls).toHaveLength(1);
  });
});
