/** The cashier's screen in a real browser: each way a sale can go, as shown on the page. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '../../src/api/contract/sales.ts';
import { barriers, screenshot } from '../support/screens/browser.ts';
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

describe('a sale', () => {
  beforeEach(() => open({ terminals: 2, mode: 'live' }));

  test('from the keys to the receipt', async () => {
    const id = await sell('1250');
    expect(till.beginCalls[0]?.request).toMatchObject({ operation: 'sale', amount: eur('12.50'), counter: 'T1' });
    till.phase(id, 'presentCard', { usualMs: { from: 5000, to: 15_000 } });
    await heading('Insert, tap or swipe').waitFor();
    await screenshot(page, 'cashier-present');
    till.phase(id, 'askingBank', {
      usualMs: { from: 100, to: 200 },
      card: { last4: '4321', brand: 'Visa', entryMode: 'chip' },
    });
    await page.getByText('The bank is slow').waitFor();
    await screenshot(page, 'cashier-late');
    await end(id, endings.approved);
    await heading('Approved').waitFor();
    await page.getByLabel('Preview of the receipt').getByText('NORDWIND BAKERY').waitFor();
    await screenshot(page, 'cashier-approved');
    await page.keyboard.press('F1');
    await expect.poll(() => paperService.printed).toMatchObject([{ receipt: 21, ask: { copy: 'customer' } }]);
    await page.getByText('Printed on Counter.').first().waitFor();
    await page.keyboard.press('F1');
    await expect.poll(() => paperService.printed[1]?.ask.duplicate).toBe(true);
    // A result that was shown long enough to be read is dismissed with Enter.
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter');
        return page.getByRole('heading', { name: 'Ready' }).isVisible();
      })
      .toBe(true);
    expect(till.beginCalls).toHaveLength(1);
  });

  test('nothing between an event and the screen waits for a timer', async () => {
    // Timers of a millisecond and more never fire.
    await page.addInitScript(`for (const name of ['setTimeout', 'setInterval']) {
      const real = window[name];
      window[name] = (then, ms, ...facts) => real(() => (window.held && ms > 0) || then(...facts), ms);
    }`);
    await openCashier(page);
    const id = await sell('1250');
    await heading('Starting').waitFor();
    await page.evaluate('window.held = true');
    till.phase(id, 'presentCard');
    await heading('Insert, tap or swipe').waitFor();
  });

  test('each ending says what happened, what it means for the money, and whether to try again', async () => {
    for (const [name, result] of Object.entries(endings)) {
      const id = await sell('640');
      await end(id, result as Result);
      const panel = page.getByRole('region', { name: 'T1 · VP3350' });
      await panel.getByText(result.money, { exact: true }).waitFor();
      await panel.getByText(result.next, { exact: true }).waitFor();
      expect(await panel.getByRole('button', { name: 'Try again' }).isVisible()).toBe(result.again);
      await screenshot(page, `cashier-${name}`);
      if (result.state === 'unknown') {
        await page.getByRole('button', { name: '1 unknown' }).waitFor();
        await end(id, endings.approved);
      }
    }
    expect(till.beginCalls).toHaveLength(Object.keys(endings).length);
  });

  test('a cancel is shown until its ending arrives', async () => {
    const id = await sell('640');
    till.phase(id, 'enterPin');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading('Cancelling …').waitFor();
    await page.getByRole('button', { name: 'Cancelling …' }).click({ force: true });
    await screenshot(page, 'cashier-cancelling');
    await end(id, endings.cancelled);
    await page.getByText('Cancelled at the till').first().waitFor();
  });

  test('two terminals are shown side by side', async () => {
    const first = await sell('1250');
    till.phase(first, 'enterPin', { usualMs: { from: 8000, to: 20_000 } });
    const second = await sell('640');
    expect(till.beginCalls[1]?.request).toMatchObject({ counter: 'T2' });
    till.phase(second, 'presentCard', { usualMs: { from: 5000, to: 15_000 } });
    await heading('Customer enters PIN').waitFor();
    await heading('Insert, tap or swipe').waitFor();
    await screenshot(page, 'cashier-two');
    expect(await barriers(page)).toEqual([]);
    await press(...'300');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /No terminal is free/ }).waitFor();
    expect(till.beginCalls).toHaveLength(2);
  });

  test('a partial approval offers to take the rest, as part of the bill', async () => {
    const id = await sell('5000');
    const part = { ...endings.approved, approved: eur('30.00'), left: eur('20.00'), signature: true as const };
    await end(id, part);
    const rest = page.getByRole('button', { name: 'Take the rest, 20.00 EUR' });
    await rest.waitFor();
    await screenshot(page, 'cashier-partial');
    await expect
      .poll(async () => {
        await rest.click({ timeout: 500 }).catch(() => {});
        return till.beginCalls.length;
      })
      .toBe(2);
    expect(till.beginCalls[1]?.request).toMatchObject({ amount: eur('20.00'), bill: 21 });
  });
});

describe('keys', () => {
  test('Enter sells wherever a menu or a click left the focus; Tab moves it to a button', async () => {
    await open();
    const menu = page.getByRole('button', { name: 'Menu of Anna' });
    const next = async (amount: string, leave: () => Promise<void>): Promise<void> => {
      const previousCount = till.beginCalls.length;
      await press(...amount);
      await leave();
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await press('Enter');
      await expect.poll(() => till.beginCalls.length).toBe(previousCount + 1);
      await end(till.current().id, endings.approved);
    };
    await next('640', async () => {
      await menu.click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    });
    await next('250', async () => {
      await menu.click();
      await page.getByRole('menu').waitFor();
      await press('Escape');
    });
    expect(till.beginCalls.map(({ request }) => request)).toMatchObject([
      { amount: eur('6.40') },
      { amount: eur('2.50') },
    ]);
    // A dialog opened by a click returns the focus to its button, and Enter still sells.
    const refund = page.getByRole('button', { name: /^Refund/ });
    await next('330', async () => {
      await refund.click();
      await page.getByRole('dialog').waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
    await press(...'120');
    await refund.focus();
    await press('Tab', 'Shift+Tab', 'Enter');
    await page.getByRole('dialog', { name: 'Refund or void' }).waitFor();
    expect(till.beginCalls).toHaveLength(3);
  });
});

test('a decline asks for another card; the bank’s own words are one press away', async () => {
  await open();
  await end(await sell('1250'), endings.declined);
  await page.getByText('This card was declined', { exact: true }).waitFor();
  const hostText = page.getByText(/credit|INSUFFICIENT|800\.100/);
  expect(await hostText.filter({ visible: true }).count()).toBe(0);
  const details = page.getByRole('button', { name: 'Details' });
  expect(await details.getAttribute('aria-expanded')).toBe('false');
  await details.click();
  await page.getByText('800.100.155 · amount exceeds credit · DECLINED 51 INSUFFICIENT FUNDS').waitFor();
  await screenshot(page, 'cashier-declined-details');
});

test('an unplugged terminal is “not connected”, and one with a sale is “not free”', async () => {
  await open();
  const counter = { name: 'T1', model: 'VP3350', integrated: false } as const;
  const states = {
    away: 'Terminal not connected',
    unpaired: 'No terminal is paired yet',
    busy: 'No terminal is free',
  };
  for (const [state, text] of Object.entries(states)) {
    till.setCounters([{ ...counter, state: state as keyof typeof states }]);
    await page.getByRole('button', { name: text }).waitFor();
    await heading(text).waitFor();
  }
});
