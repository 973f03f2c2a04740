/** The cashier's screen in all sizes, light and dark, enlarged, in training, and from right to left. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { byNight } from '../support/night/night.ts';
import { barriers, screenshot } from '../support/screens/browser.ts';
import { clock, end, heading, leave, open, page, quit, sell, till } from '../support/screens/cashier-page.ts';
import { findCuts } from '../support/screens/cuts.ts';
import { endings, eur } from '../support/screens/scripted/selling-facts.ts';

afterAll(quit);
afterEach(async () => {
  expect(await leave()).toEqual([]);
});

describe('all sizes, light and dark', () => {
  const sizes = [
    { width: 800, height: 480 },
    { width: 1280, height: 800 },
    { width: 3840, height: 2160 },
  ];
  const schemes = ['light', 'dark'] as const;
  const looks = sizes.flatMap((size) => schemes.map((scheme) => ({ ...size, scheme })));
  // By day each size once, alternately light and dark.
  const byTurns = looks.filter((_, index) => index % 4 === 0 || index % 4 === 3);
  test.each(byNight({ day: byTurns, night: looks }))(
    '$width × $height, $scheme: nothing hidden, nothing small, no barrier',
    async ({ scheme, ...size }) => {
      await open({ size });
      await page.emulateMedia({ colorScheme: scheme });
      const name = (state: string): string => `cashier-${size.width}-${scheme}-${state}`;
      till.setLine({
        online: false,
        since: clock() - 1_380_000,
        waiting: { count: 12, total: eur('189.60') },
        forPerson: 1,
      });
      await page.getByText('500.00 EUR of 500.00 EUR left').waitFor();
      await screenshot(page, name('idle'));
      expect(await barriers(page)).toEqual([]);
      const inside = await page.evaluate(`({
        wide: document.documentElement.scrollWidth - innerWidth,
        high: document.documentElement.scrollHeight - innerHeight,
        hidden: Math.max(0, document.querySelector('main section').getBoundingClientRect().bottom - innerHeight),
        over: [...document.querySelectorAll('main section')]
          .filter((part) => part.scrollHeight > part.clientHeight + 1)
          .map((part) => part.getAttribute('aria-label')),
        small: [...document.querySelectorAll('main button, header button')]
          .map((button) => ({ box: button.getBoundingClientRect(), text: button.textContent }))
          .filter(({ box }) => box.height < 47.5 || box.width < 47.5)
          .map(({ text }) => text),
      })`);
      expect(inside).toMatchObject({ wide: 0, high: 0, hidden: 0, over: [], small: [] });
      expect(await findCuts(page)).toEqual([]);
      const id = await sell('1250');
      till.phase(id, 'enterPin', { usualMs: { from: 8000, to: 20_000 } });
      await heading('Customer enters PIN').waitFor();
      await screenshot(page, name('pin'));
      expect(await barriers(page)).toEqual([]);
      await end(id, endings.declined);
      await heading('Declined').waitFor();
      await screenshot(page, name('declined'));
      expect(await findCuts(page)).toEqual([]);
      expect(await barriers(page)).toEqual([]);
      const buttons = ['Try again', 'Done'].map((name) => page.getByRole('button', { name: name }));
      for (const button of buttons) {
        const box = await button.boundingBox();
        expect(box && box.height >= 71.5 && box.y + box.height <= size.height && box.x >= 0).toBe(true);
      }
    },
  );

  test('at 200 % the page scrolls in one column, and nothing is lost', async () => {
    await open({ size: { width: 640, height: 400 } });
    await screenshot(page, 'cashier-200');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.getByRole('button', { name: /^Sell/ }).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: /^Sell/ }).click({ trial: true });
  });

  test('training is unmistakable', async () => {
    await open({ mode: 'training' });
    await page.getByText('TRAINING').first().waitFor();
    await screenshot(page, 'cashier-training');
    expect(await barriers(page)).toEqual([]);
  });

  test('from right to left', async () => {
    await open();
    await page.evaluate(`document.documentElement.setAttribute('dir', 'rtl')`);
    await end(await sell('640'), endings.declined);
    await heading('Declined').waitFor();
    await screenshot(page, 'cashier-rtl');
    expect(await barriers(page)).toEqual([]);
  });
});
