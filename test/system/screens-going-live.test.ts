/** The page that takes a till live, and the notice at a till that was found to be live. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { type Browser, barriers, openBrowser, type Page, screenshot } from '../support/screens/browser.ts';
import { closeModePages, openModePage } from '../support/screens/going-live-page.ts';
import { liveChannel, scriptedGoingLive } from '../support/screens/scripted/going-live.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(closeModePages);

const SMALL = { width: 800, height: 480 };
const GO_LIVE = 'manager/go-live';

const bar = (page: Page) => page.locator('.tg-mode[role=note]');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const goButton = (page: Page) => page.locator('main').getByRole('button', { name: 'Go live', exact: true });

describe('going live', () => {
  test('each row has its state, what to do, and where; nothing starts until all are ready', async () => {
    const goingLive = scriptedGoingLive(['terminal', 'gateway', 'people', 'shop']);
    const { page } = await openModePage(browser, { goingLive });
    await bar(page).getByRole('link', { name: 'Go live' }).click();
    await page.getByText('Still to do: 4 of 4').waitFor();
    const rows = page.locator('main ol > li');
    expect(await rows.locator('h2').allTextContents()).toEqual(['Card terminal', 'Payment gateway', 'People', 'Shop']);
    await rows.nth(0).getByText('Pair a real terminal').waitFor();
    const links = await rows.getByRole('link').all();
    const places = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(places).toEqual(['/technician', '/manager/staff', '/technician/configuration']);
    expect(await goButton(page).isDisabled()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    goingLive.left = ['gateway'];
    await button(page, 'Check again').click();
    await page.getByText('Still to do: 1 of 4').waitFor();
    expect(await rows.getByText('Ready', { exact: true }).count()).toBe(3);
    expect(await goButton(page).isDisabled()).toBe(true);
  });

  test('a gateway is tried: an invalid one is not sent, a refusal is shown, an accepting one is stored', async () => {
    const { page, goingLive } = await openModePage(browser, {
      path: GO_LIVE,
      goingLive: scriptedGoingLive(['gateway']),
    });
    await page.getByLabel('Address').fill('pay.nordwind.example');
    await button(page, 'Test it').click();
    await page.getByText('Enter the whole address').waitFor();
    await page.getByText('Enter exactly 32 characters').waitFor();
    expect(await page.locator('input:focus').getAttribute('name')).toBe('baseUrl');
    expect(await barriers(page)).toEqual([]);
    expect(goingLive.calls).toEqual([]);
    const { baseUrl, entityId, token } = liveChannel;
    await page.getByLabel('Address').fill(` ${baseUrl.slice(0, -1)}`);
    await page.getByLabel('Entity ID').fill(entityId.toUpperCase());
    await page.getByLabel('Access token').fill('another-token');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('does not know this token').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await goButton(page).isDisabled()).toBe(true);
    await page.getByLabel('Access token').fill(token);
    await page.keyboard.press('Enter');
    const otherChannel = button(page, 'Test another channel');
    await otherChannel.waitFor();
    await expect.poll(() => page.locator('button:focus').textContent()).toBe('Test another channel');
    await expect.poll(() => goButton(page).isDisabled()).toBe(false);
    expect(goingLive.calls.at(-1)).toEqual({ name: 'tryGateway', facts: liveChannel });
    expect(await page.content()).not.toContain(token);
  });

  test('terminals that ask their own banks need no gateway', async () => {
    const goingLive = scriptedGoingLive([]);
    goingLive.withoutGateway = true;
    const { page } = await openModePage(browser, { path: GO_LIVE, goingLive });
    await page.getByText('Everything is ready.').waitFor();
    expect(await page.getByLabel('Access token').count()).toBe(0);
    expect(await button(page, 'Test another channel').count()).toBe(0);
  });

  test('the page says what will change, waits, and restarts at the live till’s sign-in', async () => {
    const goingLive = scriptedGoingLive([]);
    const { page, sessions, shop, lines } = await openModePage(browser, { path: GO_LIVE, goingLive });
    await goButton(page).click();
    const dialog = page.getByRole('dialog', { name: 'Take this till live?' });
    for (const text of ['real cards are charged', 'starts at receipt 1', 'kept in their own folder'])
      await dialog.getByText(text).waitFor();
    expect(await barriers(page)).toEqual([]);
    await screenshot(page, 'going-live-confirm');
    // The safe button has the focus: Enter alone takes no till live.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(goingLive.calls).toEqual([]);
    await goButton(page).click();
    goingLive.whenLive = () => sessions.end();
    await dialog.getByRole('button', { name: 'Go live now' }).dblclick();
    await page.getByRole('heading', { name: 'The live till is opening' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(goingLive.calls).toEqual([{ name: 'goLive', facts: { channel: undefined, by: 'Max' } }]);
    shop.mode = 'live';
    await page.getByRole('heading', { name: 'Who is at the till?' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await bar(page).count()).toBe(0);
    expect(lines).toEqual([]);
  });

  test('a refusal is shown in the dialog, and the list is reloaded', async () => {
    const goingLive = scriptedGoingLive([]);
    const { page } = await openModePage(browser, { path: GO_LIVE, goingLive });
    await goButton(page).click();
    goingLive.fault = new Fault('terminal.busy', { command: 'going live' });
    await button(page, 'Go live now').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').waitFor();
    goingLive.left = ['people'];
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => goButton(page).isDisabled()).toBe(false);
    expect(await page.getByRole('heading', { name: 'The live till is opening' }).count()).toBe(0);
  });

  test('a list that cannot be loaded says so, and is loaded again; a live till has none', async () => {
    const goingLive = scriptedGoingLive();
    goingLive.fault = new Fault('host.unreachable', {});
    const { page } = await openModePage(browser, { path: GO_LIVE, goingLive });
    await page.getByRole('alert').waitFor();
    expect(await barriers(page)).toEqual([]);
    await button(page, 'Try again').click();
    await page.getByText('Still to do: 2 of 4').waitFor();
    const live = await openModePage(browser, { path: GO_LIVE, mode: 'live' });
    await live.page.getByText('This till is already live').waitFor();
  });
});

describe('a till that was found to be live', () => {
  const notice = { code: 'scripted.found', says: 'It took payments on a real terminal.' };
  const openNotice = () => Object.assign(scriptedGoingLive(), { notice });

  test('a manager reads it once', async () => {
    const goingLive = openNotice();
    const { page } = await openModePage(browser, { mode: 'live', goingLive, ...SMALL });
    const dialog = page.getByRole('dialog', { name: 'This till is live' });
    await dialog.getByText('It took payments on a real terminal.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'I have read this' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(goingLive.calls).toEqual([{ name: 'read', facts: 'Max' }]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('a till that cannot store the confirmation says so, and lets the manager work', async () => {
    const goingLive = openNotice();
    const { page } = await openModePage(browser, { mode: 'live', goingLive });
    const dialog = page.getByRole('dialog', { name: 'This till is live' });
    await dialog.waitFor();
    goingLive.fault = new Fault('journal.unwritable', { why: 'the disk is full' });
    await dialog.getByRole('button', { name: 'I have read this' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('a cashier is not asked', async () => {
    const { page } = await openModePage(browser, { as: 'cashier', mode: 'live', goingLive: openNotice() });
    await button(page, /^Sell/).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
