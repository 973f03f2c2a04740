import { afterAll, beforeAll, expect, test } from 'vitest';
import { languages } from '../../src/locales/screens.ts';
import { byNight } from '../support/night/night.ts';
import { type Browser, barriers, openBrowser, screenshot } from '../support/screens/browser.ts';
import { openSignInPage } from '../support/screens/sign-in-page.ts';
import { type ScriptedSessions, scriptedSessions } from '../support/screens/stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const tags = Object.keys(languages) as (keyof typeof languages)[];
const sizes = [
  { width: 800, height: 480 },
  { width: 1366, height: 768 },
  { width: 3840, height: 2160 },
] as const;

const open = (sessions: ScriptedSessions, view?: Parameters<typeof openSignInPage>[2]) =>
  openSignInPage(browser, sessions, view);

const signOutButton = () =>
  scriptedSessions('cashier', { people: { Anna: 'cashier', Max: 'manager', 'Tess Åström': 'technician' } });
const signedOut = () => {
  const sessions = signOutButton();
  sessions.end();
  return sessions;
};

const views = sizes.flatMap((size) => (['light', 'dark'] as const).map((scheme) => ({ size, scheme })));
const signings = tags.map((language, index) => ({
  language,
  // By day one look for each language, so that all six looks are used.
  seen: byNight({ day: views.slice(index % views.length).slice(0, 1), night: views }),
}));

test.each(signings)(
  'signing in, $language: no barriers, light and dark, at three sizes',
  async ({ language, seen }) => {
    for (const { size, scheme } of seen) {
      const { page, lines, close } = await open(signedOut(), { ...size, scheme, language });
      await page.waitForSelector(`html[lang=${language}] button[aria-pressed]`);
      expect(await page.getAttribute('html', 'dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
      expect(await barriers(page)).toEqual([]);
      const name = `sign-in-${language}-${scheme}-${size.width}`;
      if (size.width === 800 || language === 'en') await screenshot(page, `${name}-people`);
      await page.getByRole('button', { name: /Anna/ }).click();
      await page.waitForSelector('input[type=password]');
      expect(await barriers(page)).toEqual([]);
      if (size.width === 800 || language === 'en') await screenshot(page, `${name}-pin`);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(lines).toEqual([]);
      await close();
    }
  },
);

test('by keyboard alone: people, PIN, wrong PIN, back with Escape', async () => {
  const { page, lines, close } = await open(signedOut());
  await page.waitForSelector('button[aria-pressed]');
  await page.getByRole('button', { name: /Anna/ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByLabel('PIN of Max').waitFor();
  await page.keyboard.type('1111');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The PIN is wrong').waitFor();
  expect(await page.inputValue('input[type=password]')).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Anna/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('PIN of Anna').waitFor();
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Menu of Anna' }).waitFor();
  await page.waitForSelector('.tg-area main');
  expect(lines).toEqual([]);
  await close();
});

test('after five wrong PINs the page says how long to wait', async () => {
  const { page, close } = await open(signedOut(), { width: 800, height: 480 });
  await page.getByRole('button', { name: /Anna/ }).click();
  const field = page.getByLabel('PIN of Anna');
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await field.fill('1111');
    const response = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.keyboard.press('Enter');
    await response;
    await page.waitForFunction('document.querySelector("input[type=password]").value === ""');
    await page.getByRole('alert').first().waitFor();
    await page.waitForFunction('!document.querySelector("[data-loading]")');
  }
  await page.getByText('The next try is possible in').waitFor();
  expect(await page.getByRole('timer').last().textContent()).toMatch(/^(1:00|0:5\d)$/);
  expect(await field.isDisabled()).toBe(true);
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-locked-out-800');
  await close();
});

test('at a browser no manager has used the name is typed, and the page does not reveal whether it exists', async () => {
  const sessions = scriptedSessions('cashier', { isStrange: true });
  sessions.end();
  const { page, lines, close } = await open(sessions, { width: 800, height: 480 });
  await page.getByLabel('Your name').waitFor();
  await page.getByText('Once a manager has signed in here').waitFor();
  expect(await page.getByRole('button', { name: /Anna|Max/ }).count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-typed-800');
  await page.keyboard.type('Anne');
  await page.keyboard.press('Enter');
  await page.getByLabel('PIN of Anne').waitFor();
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The name or the PIN is wrong').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Your name').waitFor();
  // The typed name is selected, so typing replaces it.
  await page.keyboard.type('Anna');
  await page.keyboard.press('Enter');
  await page.getByLabel('PIN of Anna').waitFor();
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Menu of Anna' }).waitFor();
  expect(lines).toEqual([]);
  await close();
});

test('a till that ends the session locks the page: nothing reaches the page behind, which is kept', async () => {
  const { page, sessions, close } = await open(scriptedSessions('cashier'), { width: 1366 });
  await page.getByRole('button', { name: 'Menu of Anna' }).waitFor();
  await page.waitForSelector('.tg-area main');
  await page.evaluate(`
    window.heard = [];
    window.addEventListener('keydown', ({ key }) => heard.push(key));
    window.kept = document.querySelector('.tg-area').firstElementChild;
  `);
  sessions.end();
  await page.getByRole('dialog', { name: 'Locked' }).waitFor();
  await page.getByLabel('PIN of Anna').waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-locked');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.type('99');
  await page.keyboard.press('F2');
  await page.getByLabel('PIN of Anna').fill('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Locked' }).waitFor({ state: 'detached' });
  expect(await page.evaluate('heard')).toEqual([]);
  expect(await page.evaluate(`kept === document.querySelector('.tg-area').firstElementChild`)).toBe(true);
  await page.keyboard.press('F9');
  expect(await page.evaluate('heard')).toEqual(['F9']);
  await close();
});

test('another person at a locked till gets their own screens', async () => {
  const { page, sessions, close } = await open(scriptedSessions('cashier'));
  await page.getByRole('button', { name: 'Menu of Anna' }).waitFor();
  await page.waitForSelector('.tg-area main');
  await page.evaluate(`window.kept = document.querySelector('.tg-area').firstElementChild`);
  sessions.end();
  await page.getByRole('button', { name: /Someone else/ }).click();
  await page.getByRole('button', { name: /Max/ }).click();
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Menu of Max' }).waitFor();
  expect(await page.evaluate('kept.isConnected')).toBe(false);
  await close();
});

test('an idle page locks by itself', async () => {
  const { page, close } = await open(scriptedSessions('cashier', { lockAfterMs: 1500 }));
  await page.getByRole('dialog', { name: 'Locked' }).waitFor({ timeout: 15_000 });
  await close();
});

test('each role starts at its own screen; a manager goes to the cashier’s and back', async () => {
  const manager = await open(scriptedSessions('manager'));
  await manager.page.waitForURL('**/manager');
  await manager.page.getByRole('button', { name: 'Menu of Max' }).click();
  await manager.page.getByRole('menuitem', { name: 'Cashier' }).click();
  await manager.page.waitForFunction('location.pathname === "/"');
  await manager.page.getByRole('button', { name: 'Menu of Max' }).click();
  await manager.page.getByRole('menuitem', { name: 'Manager' }).click();
  await manager.page.waitForURL('**/manager');
  await manager.close();
  const technician = await open(scriptedSessions('technician'));
  await technician.page.waitForURL('**/technician');
  await technician.close();
});

test('the chosen language and colours survive a reload', async () => {
  const { page, close } = await open(scriptedSessions('cashier'), { width: 800, height: 480 });
  const menu = page.getByRole('button', { name: 'Menu of Anna' });
  await menu.click();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-menu-800');
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.waitForSelector('html[lang=de][data-mantine-color-scheme=dark]');
  await page.reload();
  await page.waitForSelector('html[lang=de][data-mantine-color-scheme=dark]');
  await page.getByRole('button', { name: 'Menü von Anna' }).waitFor();
  await close();
});

test('two windows of one browser: signing out in one signs out the other', async () => {
  const { page, stage, close } = await open(scriptedSessions('cashier'));
  await page.getByRole('button', { name: 'Menu of Anna' }).waitFor();
  await page.waitForSelector('.tg-area main');
  const otherPage = await page.context().newPage();
  await otherPage.goto(stage.url);
  await otherPage.getByRole('button', { name: 'Menu of Anna' }).click();
  await otherPage.getByRole('menuitem', { name: 'Sign out' }).click();
  await otherPage.getByRole('heading', { name: 'Who is at the till?' }).waitFor();
  await page.getByRole('dialog', { name: 'Locked' }).waitFor();
  await close();
});

test('a till without people: add the first manager, or continue without names', async () => {
  const { page, close } = await open(scriptedSessions('cashier', { people: {} }), { width: 800, height: 480 });
  await page.getByRole('heading', { name: 'No staff have been added yet' }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-first-start-800');
  await page.getByLabel('PIN, 4 to 12 digits').fill('4711');
  await page.getByLabel('PIN again').fill('4712');
  await page.getByText('The two PINs are not the same.').waitFor();
  await page.getByRole('button', { name: 'Continue without names' }).click();
  await page.getByRole('button', { name: 'Menu of No sign-in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Menu of No sign-in' }).waitFor();
  await close();
});

test('a stopped till is reported, and the page recovers by itself', async () => {
  const { page, stage, close } = await open(scriptedSessions('cashier'));
  await page.getByRole('button', { name: 'Menu of Anna' }).waitFor();
  await page.waitForSelector('.tg-area main');
  await page.getByRole('img', { name: 'Connected' }).waitFor();
  await stage.close();
  await page.getByRole('alert').getByText('The till program does not answer').waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-away');
  await close().catch(() => {});
});

test('training is unmistakable', async () => {
  const { page, close } = await open(scriptedSessions('cashier', { shop: { mode: 'training' } }), { scheme: 'dark' });
  await page.getByRole('note').getByText('TRAINING').waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'sign-in-training-dark');
  await close();
});

test('a page left open during an update of the till is reloaded once', async () => {
  const shop = { version: '0.1.0' };
  const sessions = scriptedSessions('cashier', { shop });
  sessions.end();
  const { page, lines, close } = await open(sessions);
  await page.getByRole('button', { name: /Anna/ }).waitFor();
  const waitForPrompt = () =>
    Promise.all([
      page.waitForResponse('**/api/session'),
      page.evaluate(`(window.old = 1, new BroadcastChannel('tillgate').postMessage('session'))`),
    ]);
  await waitForPrompt();
  expect(await page.evaluate('window.old')).toBe(1);
  shop.version = '0.2.0';
  const loaded = page.waitForEvent('load');
  await waitForPrompt();
  await loaded;
  await page.getByRole('button', { name: /Anna/ }).waitFor();
  expect(await page.evaluate('window.old')).toBeUndefined();
  await waitForPrompt();
  expect(await page.evaluate('window.old')).toBe(1);
  expect(lines).toEqual([]);
  await close();
});
