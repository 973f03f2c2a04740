/** An address that a person may not open: what is missing, who has the permission, and the way back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, barriers, openBrowser, screenshot } from '../support/screens/browser.ts';
import { openSignInPage } from '../support/screens/sign-in-page.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const lacks = [
  ['cashier', 'manager', 'Manager', 'close the batch', 'Max (Manager)', 'Cashier'],
  ['cashier', 'manager/limits', 'Manager', 'change the offline limits', 'Max (Manager)', 'Cashier'],
  ['cashier', 'technician/trace', 'Technician', 'pair a terminal', 'Max (Manager) and Tess (Technician)', 'Cashier'],
  ['technician', 'manager/staff', 'Manager', 'manage the staff of this till', 'Max (Manager)', 'Technician'],
] as const;

test.each(lacks)('a %s who opens /%s is told what is missing', async (role, path, screen, missing, people, first) => {
  const { page, stage, close } = await openSignInPage(browser, scriptedSessions(role));
  await page.goto(`${stage.url}${path}`);
  await page.getByRole('heading', { level: 1, name: `This page belongs to “${screen}”` }).waitFor();
  await page.getByText(`You do not have this permission: ${missing}.`).waitFor();
  await page.getByText(`These people have it: ${people}.`).waitFor();
  await screenshot(page, `not-theirs-${role}-${path.replace('/', '-')}`);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: `Go to “${first}”` }).click();
  await page.waitForFunction(`location.pathname === "${role === 'cashier' ? '/' : '/technician'}"`);
  expect(await page.getByText('You lack').count()).toBe(0);
  await close();
});

test('a manager signs in at a page closed to cashiers and stays; the next cashier is sent to their screen', async () => {
  const { page, stage, close } = await openSignInPage(browser, scriptedSessions('cashier'));
  await page.goto(`${stage.url}manager/go-live`);
  await page.getByRole('button', { name: 'Someone else' }).click();
  const signIn = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(name) }).click();
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Menu of ${name}` }).waitFor();
  };
  await signIn('Max');
  expect(new URL(page.url()).pathname).toBe('/manager/go-live');
  await page.getByRole('button', { name: 'Menu of Max' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signIn('Anna');
  await page.waitForFunction('location.pathname === "/"');
  expect(await page.getByText('You lack').count()).toBe(0);
  await close();
});
