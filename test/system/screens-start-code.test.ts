/** The screens of a till without people: opened by its start code, and by nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, barriers, openBrowser, screenshot } from '../support/screens/browser.ts';
import { openSignInPage } from '../support/screens/sign-in-page.ts';
import { type ScriptedSessions, START_CODE, scriptedSessions } from '../support/screens/stage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Rejects everybody before the code was sent, and after `end`. */
const sessionsByCode = (): ScriptedSessions => {
  const scripted = scriptedSessions(undefined, { people: {} });
  let isIn = false;
  return {
    ...scripted,
    of: (token) => (isIn ? scripted.of(token) : undefined),
    openAnonymous(code) {
      const opened = scripted.openAnonymous(code);
      isIn = true;
      return opened;
    },
    end() {
      isIn = false;
      scripted.end();
    },
  };
};

test('without the code the page says how to sign in; with it the address forgets it, and a reload works', async () => {
  const sessions = sessionsByCode();
  const { page, stage, lines, close } = await openSignInPage(browser, sessions, { width: 800, height: 480 });
  const isOut = page.getByRole('heading', { name: 'Open this till with its start address' });
  const isIn = page.getByRole('heading', { name: 'No staff have been added yet' });
  await isOut.waitFor();
  await page.getByText('npm run till -- open').waitFor();
  expect(await barriers(page)).toEqual([]);
  await screenshot(page, 'start-code-800');

  // Into the address bar of the open window: only its fragment changes.
  const enter = (code: string) => page.evaluate(`void (location.hash = '#code=${code}')`);
  await Promise.all([page.waitForEvent('load'), enter('of-an-earlier-start')]);
  await isOut.waitFor();
  await Promise.all([page.waitForEvent('load'), enter(START_CODE)]);
  await isIn.waitFor();
  expect(page.url()).toBe(stage.url);
  await page.goBack();
  expect(page.url()).not.toContain('code');
  await page.goto(stage.url);
  await page.reload();
  await isIn.waitFor();

  // A window that was signed in when the till restarted.
  sessions.end();
  await page.evaluate(`new BroadcastChannel('tillgate').postMessage('session')`);
  await page.reload();
  await isOut.waitFor();
  expect(lines).toEqual([]);
  await close();
});

test('the first manager gets in without a locked page in between', async () => {
  const staffs: Record<string, 'manager'>[] = [{}, { Max: 'manager' }];
  const [withoutStaff, withStaff] = staffs.map((people) => scriptedSessions(undefined, { people }));
  let isKnown = false;
  let locks = -1;
  const sessions = new Proxy({} as ScriptedSessions, {
    get: (_, name) => Reflect.get((isKnown ? withStaff : withoutStaff) ?? {}, name),
  });
  const { page, stage, close } = await openSignInPage(browser, sessions, { width: 800, height: 480 });
  await page.route('**/api/session', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    // The session without a person ends with the first person, and the page is told before their own session has begun.
    isKnown = true;
    const read = page.waitForResponse('**/api/session');
    stage.events.tell({ on: 'changed', what: 'machine' });
    await read;
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    locks = await page.locator('.tg-lock').count();
    return route.continue();
  });
  await page.getByLabel('Name').fill('Max');
  await page.getByLabel('PIN, 4 to 12 digits').fill('4711');
  await page.getByLabel('PIN again').fill('4711');
  await page.getByRole('button', { name: 'Add the first manager' }).click();
  await page.getByRole('button', { name: 'Menu of Max' }).waitFor();
  expect(locks).toBe(0);
  await close();
});

test.each([
  ['de', 'Öffnen Sie die Kasse mit ihrer Startadresse'],
  ['es', 'Abra esta caja con su dirección de inicio'],
  ['fr', 'Ouvrez cette caisse avec son adresse de démarrage'],
  ['ar', 'افتح هذا الصندوق بعنوان تشغيله'],
])('in %s, on a narrow screen', async (language, name) => {
  const { page, close } = await openSignInPage(browser, sessionsByCode(), { width: 400, height: 700, language });
  await page.getByRole('heading', { name }).waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await screenshot(page, `start-code-${language}-400`);
  await close();
});
