/** Each hint in a form is typed into the page exactly as shown, and accepted: addresses, limits, reasons. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { completePrinterAddress, readAddress } from '../../drivers/address.ts';
import { fill } from '../../src/base/placeholders.ts';
import { load } from '../../src/locales/load.ts';
import { byNight } from '../support/night/night.ts';
import { type Browser, closePages, openBrowser, openPage, type Page, screenshot } from '../support/screens/browser.ts';
import { examplesIn } from '../support/screens/examples.ts';
import { closeManagers, showManager } from '../support/screens/manager-stage.ts';
import { scriptedDevices } from '../support/screens/scripted/devices.ts';
import { scriptedPaper } from '../support/screens/scripted/paper.ts';
import { openStage, scriptedSessions } from '../support/screens/stage.ts';

let browser: Browser;
const closings: (() => Promise<void>)[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  await closeManagers();
});
afterAll(() => browser.close());

const tags = byNight<readonly (keyof typeof load)[]>({ day: ['de'], night: ['en', 'de', 'fr', 'es', 'ar'] });

const speak = (page: Page, tag: string): Promise<unknown> =>
  page.evaluate(`localStorage.setItem('tillgate.language', '${tag}')`);

/** The technician's panel in this language, over services that refuse what the till's own would. */
const panel = async (tag: keyof typeof load, path: string) => {
  const { words } = await load[tag]();
  const paper = scriptedPaper();
  const devices = scriptedDevices();
  const stage = await openStage({ devices, paper, sessions: scriptedSessions('technician') });
  const viewport = { width: 1280, height: 800 };
  const page = await openPage(browser, stage.url, { viewport, cookies: [stage.cookie] });
  closings.push(async () => {
    await closePages(page);
    await stage.close();
  });
  await page.goto(stage.url);
  await speak(page, tag);
  await page.goto(`${stage.url}technician/${path}`);
  return { page, paper, devices, t: words.technician, shared: words.shared };
};

/** The hint and examples that the field's own description names, read from the page. */
const shownUnder = async (page: Page, label: string): Promise<{ hint: string; examples: string[] }> => {
  const hint = await page
    .getByLabel(label)
    .evaluate((field: { getAttribute(name: string): string | null }) => field.getAttribute('aria-describedby') ?? '');
  const text = (await page.locator(`[id="${hint.split(' ')[0]}"]`).textContent()) ?? '';
  return { hint: text, examples: examplesIn(text) };
};

test.each(tags)('a printer is added at each address shown in the form, in %s', async (tag) => {
  const { page, paper, t, shared } = await panel(tag, 'printers');
  await page.getByLabel(shared.fields.address).waitFor();
  const { examples } = await shownUnder(page, shared.fields.address);
  expect(examples).toHaveLength(3);
  for (const [at, address] of examples.entries()) {
    await page.getByLabel(shared.fields.name).fill(`Bar ${at}`);
    await page.getByLabel(shared.fields.address).fill(address);
    await page.getByRole('button', { name: t.add, exact: true }).click();
    await expect.poll(() => paper.added.map((one) => one.address)).toContain(completePrinterAddress(address));
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  }
  await screenshot(page, `hints-printers-${tag}`);
});

test.each(tags)('a terminal is looked for at each address shown in the form, in %s', async (tag) => {
  const { page, devices, t } = await panel(tag, 'pair');
  await page.getByLabel(t.byHand).waitFor();
  const { examples } = await shownUnder(page, t.byHand);
  expect(examples).toHaveLength(4);
  for (const address of examples) {
    expect(() => readAddress(address)).not.toThrow();
    await page.getByLabel(t.byHand).fill(address);
    await page.getByRole('button', { name: t.meet, exact: true }).click();
    await expect.poll(() => devices.requests).toContain(`meet ${address}`);
    // For an address without a protocol the till asks before it sends anything there, which is no refusal.
    await page.getByRole('button', { name: t.probeYes }).waitFor();
    await page.reload();
    await page.getByLabel(t.byHand).waitFor();
  }
});

test.each(tags)('a limit accepts the example in its refusal, in %s', async (tag) => {
  const { words } = await load[tag]();
  const t = words.manager;
  const { page, stage } = await showManager(browser, 'manager/limits');
  await speak(page, tag);
  await page.goto(`${stage.url}manager/limits`);
  const fields = page.locator('.m-limits input[inputmode=decimal]:enabled');
  await fields.first().waitFor();
  const count = await fields.count();
  expect(count).toBeGreaterThan(4);
  const shape = new RegExp(
    `^${fill(t.limits.bad, { example: '(.+)' }).replaceAll('.', '\\.').replace('(\\.+)', '(.+)')}$`,
  );
  for (let index = 0; index < count; index += 1) {
    const field = fields.nth(index);
    await field.fill('soon');
    const error = page.locator('.m-limits').getByText(shape);
    const example = shape.exec((await error.textContent()) ?? '')?.[1] ?? '';
    expect(example).toMatch(/\d/);
    await field.fill(example);
    expect(await error.count()).toBe(0);
  }
});

test.each(tags)('a reason is accepted as worded in the hint, in %s', async (tag) => {
  const { words } = await load[tag]();
  const t = words.manager.openItems;
  for (const action of ['settleOtherwise', 'writeOff'] as const) {
    const { page, stage, books } = await showManager(browser, 'manager');
    await speak(page, tag);
    await page.goto(`${stage.url}manager/open-items/17290`);
    await page.getByRole('button', { name: t.actions[action] }).click();
    const { hint } = await shownUnder(page, t.ends[action].why);
    const example = hint.replace(/^[^:：]+[:：]\s*/, '');
    expect(example.length).toBeGreaterThan(10);
    await page.getByLabel(t.ends[action].why).fill(example);
    await page.getByRole('dialog').getByRole('button', { name: t.ends[action].go, exact: true }).click();
    await expect.poll(() => books.calls.at(-1)?.facts).toMatchObject({ action, reason: example.trim() });
  }
});
