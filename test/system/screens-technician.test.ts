/** The technician's screen in a real browser: the work on each panel, by hand and by keyboard, and right to left. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PrinterState } from '../../src/api/contract/paper.ts';
import type { DevicesPort } from '../../src/api/ports/devices.ts';
import {
  type Browser,
  barriers,
  closePages,
  collectErrors,
  openBrowser,
  openPage,
  type Page,
  screenshot,
} from '../support/screens/browser.ts';
import { type ScriptedDevices, scriptedDevices } from '../support/screens/scripted/devices.ts';
import { scriptedPaper } from '../support/screens/scripted/paper.ts';
import { scriptedStore } from '../support/screens/scripted/store.ts';
import { openStage, type Stage, scriptedSessions } from '../support/screens/stage.ts';
import { bringConfiguration } from '../support/screens/technician-panels.ts';

/** What is read from an element in the browser. */
type Drawn = {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly outerHTML: string;
  getBoundingClientRect(): { readonly height: number };
  matches(selector: string): boolean;
};

let browser: Browser;
let stage: Stage | undefined;
let service: ScriptedDevices;
let page: Page;
let lines: string[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  await closePages(page);
  await stage?.close();
  stage = undefined;
  expect(lines).toEqual([]);
});

const small = { width: 800, height: 480 };
const large = { width: 1280, height: 1000 };
type Setting = {
  size?: typeof small;
  dark?: boolean;
  broken?: (keyof DevicesPort)[];
  panel?: string;
  printers?: PrinterState[];
};

const open = async (setting: Setting = {}): Promise<void> => {
  const { size = large, dark = false, broken = [], panel = 'devices', printers } = setting;
  service = scriptedDevices(broken);
  const paper = { ...scriptedPaper(), ...(printers && { printers: async () => printers }) };
  const services = { devices: service, paper, store: scriptedStore(0).service };
  stage = await openStage({ ...services, sessions: scriptedSessions('technician') });
  const seat = { viewport: size, reducedMotion: 'reduce', cookies: [stage.cookie] } as const;
  page = await openPage(browser, stage.url, { ...seat, colorScheme: dark ? 'dark' : 'light' });
  lines = collectErrors(page);
  await page.goto(`${stage.url}technician/${panel}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const button = (name: string | RegExp) => page.getByRole('button', { name });
/** The panel's alert: the page has another one that only screen readers get. */
const alert = () => page.getByRole('main').getByRole('alert');
const openPanel = async (name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

describe('pairing', () => {
  test('five steps, bytes on request, open sales named and skipped, done', async () => {
    await open({ panel: 'pair' });
    await button(/MagTek DynaFlex/).click();
    await page.getByText('MagTek MMS: DynaFlex').waitFor();
    await button(/Show the bytes/).click();
    await page.getByText('01 00 04 D0 00 00 00 D5').waitFor();
    await page.getByLabel('Counter').selectOption('T1');
    await page.getByLabel('Terminal id').fill('12a');
    expect(await page.getByText('1 to 32 digits, nothing else').isVisible()).toBe(true);
    await page.getByLabel('Terminal id').fill('70001234');
    await button(/^Pair it as/).click();
    await page.getByText('still has 1 sale open').waitFor();
    await page.getByLabel(/Continue although sales/).check();
    await screenshot(page, 'technician-pair-open-sales');
    await button(/^Pair it as/).click();
    await page.getByText('Paired as T1. The till').waitFor();
    await screenshot(page, 'technician-pair-done');
    expect(service.requests).toEqual([
      'meet mms+hid:0801:2020:B5',
      'pair mms+hid:0801:2020:B5 T1 70001234',
      'pair mms+hid:0801:2020:B5 T1 70001234 swap',
    ]);
    expect(await barriers(page)).toEqual([]);
  });

  test('a terminal that asks its own bank is paired only with the statement that no other till uses it', async () => {
    await open({ panel: 'pair', size: small });
    await page.getByLabel('Or enter its address').fill('zvt+tcp://10.0.0.9:20007');
    await page.keyboard.press('Enter');
    await page.getByLabel('Counter').selectOption('T4');
    await page.getByLabel('Terminal id').fill('70001234');
    expect(await button(/^Pair it as/).isDisabled()).toBe(true);
    await page.getByText('It contacts its bank itself, and must belong to one till only.').waitFor();
    await page.getByLabel('No other till or register uses this terminal').check();
    await screenshot(page, 'technician-pair-alone');
    await button(/^Pair it as/).click();
    await page.getByText('Paired as T4. The till').waitFor();
    expect(service.requests.at(-1)).toBe('pair zvt+tcp://10.0.0.9:20007 T4 70001234 alone');
    expect(await barriers(page)).toEqual([]);
  });

  test('a typed address that does not answer says so, and can be tried again', async () => {
    await open({ panel: 'pair', size: small });
    await page.getByLabel('Or enter its address').fill('mpi+tcp://192.0.2.1:1');
    await page.keyboard.press('Enter');
    await alert().waitFor();
    await screenshot(page, 'technician-pair-nobody');
    await button('Try again').click();
    await expect.poll(() => service.requests.length).toBe(2);
  });

  test('a port where several drivers may fit is contacted only after a yes', async () => {
    await open({ panel: 'pair' });
    await button(/FTDI/).click();
    await page.getByText('Is a card terminal at serial:/dev/ttyUSB0?').waitFor();
    await expect.poll(() => button(/Miura/).isEnabled()).toBe(true);
    expect(service.requests).toEqual(['meet serial:/dev/ttyUSB0']);
    expect(await barriers(page)).toEqual([]);
    await screenshot(page, 'technician-pair-question');
    await button('Yes, detect it').click();
    await expect.poll(() => service.requests.at(-1)).toBe('meet serial:/dev/ttyUSB0 after a yes');
    await page.getByLabel('Counter').waitFor();
  });
});

describe('terminals', () => {
  test('a terminal that sells is left alone; another is asked; one is removed after a question', async () => {
    await open();
    const busy = page.getByRole('region', { name: /^T2/ });
    expect(await busy.getByRole('button', { name: 'Check it now' }).isDisabled()).toBe(true);
    await page.getByRole('region', { name: /^T1/ }).getByRole('button', { name: 'Check it now' }).click();
    const removedCard = page.getByRole('region', { name: /^T3/ });
    await removedCard.getByRole('button', { name: 'Remove' }).click();
    await screenshot(page, 'technician-forget');
    await button('Remove it').click();
    await removedCard.waitFor({ state: 'detached' });
    expect(service.requests).toEqual(['ask T1', 'unpair T3']);
  });

  test('Diagnose keeps the chosen terminal', async () => {
    await open();
    await page.getByRole('region', { name: /^T3/ }).getByRole('link', { name: 'Diagnose' }).click();
    await button('Diagnose').click();
    await expect.poll(() => service.requests).toEqual(['diagnose zvt+tcp://192.168.1.20:20007 20']);
  });

  test('no terminal at all leads to pairing', async () => {
    await open({ panel: 'updates' });
    service.rows = [];
    await openPanel('Terminals');
    await page.getByText('No terminal is paired yet.').waitFor();
    await screenshot(page, 'technician-devices-none');
  });
});

describe('the trace', () => {
  test('is live, pauses and resumes without a loss, is filtered, and is saved masked', async () => {
    await open({ panel: 'trace' });
    await page.getByText('Live', { exact: true }).waitFor();
    service.addTraceRow({ n: 8, says: [{ text: 'FRESH' }] });
    await page.getByText('FRESH').waitFor();
    await button('Pause').click();
    service.addTraceRow({ n: 9, says: [{ text: 'HELD BACK' }] });
    await page.getByText('Paused: 1 more message waiting').waitFor();
    expect(await page.getByText('HELD BACK').count()).toBe(0);
    await button('Continue').click();
    await page.getByText('HELD BACK').waitFor();
    await page.getByLabel('Filter').fill('9f36');
    await expect.poll(() => page.getByRole('main').getByRole('listitem').filter({ hasText: 'T1' }).count()).toBe(1);
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Save as a file').click()]);
    const text = readFileSync(await saved.path(), 'utf8');
    expect(text).toContain('ONLINE NEEDED');
    expect(text).toContain('** ** **');
    expect(text).not.toContain('RESET');
  });
});

test('a configuration is refused field by field, shown, approved by one PIN, applied, and undone', async () => {
  await open({ panel: 'configuration' });
  await bringConfiguration(page, 'wrong');
  await page.getByText('gateway.timeoutMs').waitFor();
  await screenshot(page, 'technician-configuration-wrong');
  await bringConfiguration(page);
  const changes = page.getByRole('table', { name: 'This will change' });
  expect(await changes.getByRole('row', { name: /merchant\.name/ }).innerText()).toMatch(/Not needed$/);
  expect(await changes.getByRole('row', { name: /gateway\.baseUrl/ }).innerText()).toMatch(/Manager$/);
  await page.getByText('A manager has to approve part of this with their PIN').waitFor();
  await screenshot(page, 'technician-configuration-approval');
  await button('Import it').click();
  const dialog = page.getByRole('dialog');
  for (const text of ['Change the gateway for payments', 'Change the offline limits'])
    await dialog.getByText(text).waitFor();
  expect(service.requests).toEqual([]);
  await dialog.getByLabel('PIN of Max').fill('4711');
  await page.keyboard.press('Enter');
  await page.getByText('The configuration was imported').waitFor();
  await button('Restore it').click();
  await page.getByText('was restored').waitFor();
  expect(service.requests).toEqual(['import Max', 'undo']);
  const [saved] = await Promise.all([page.waitForEvent('download'), button('Save the configuration').click()]);
  expect(saved.suggestedFilename()).toBe('till-12345678-2026-11-20.json');
});

test('a printer’s state is not repeated as its problem, but the reason it is unreachable is shown', async () => {
  const printer = { address: 'tcp://192.168.1.30:9100', width: 80, drawer: false, waiting: 1 } as const;
  const facts = { name: 'Counter', why: 'connect EHOSTUNREACH' };
  const problem = (code: string, text: string) => ({ code, says: text, facts });
  await open({
    panel: 'printers',
    printers: [
      { ...printer, name: 'Bar', state: 'paperOut', problem: problem('printer.paperOut', 'It is out of paper') },
      { ...printer, name: 'Door', state: 'coverOpen', problem: problem('printer.coverOpen', 'The cover is open') },
      { ...printer, name: 'Shed', state: 'away', problem: problem('printer.away', 'It does not answer') },
    ],
  });
  const panelText = async (name: string): Promise<string> => page.getByRole('region', { name }).innerText();
  expect(await panelText('Bar')).toContain('Out of paper');
  expect((await panelText('Bar')).match(/out of paper/gi)).toHaveLength(1);
  expect((await panelText('Door')).match(/cover/gi)).toHaveLength(1);
  expect(await panelText('Shed')).toContain('It does not answer');
});

test('a program’s key is made with the PIN of a manager, who then counts as its approver', async () => {
  await open({ panel: 'programKeys' });
  await page.getByLabel('Name of the program').fill('Kiosk');
  await button('Create a key').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Approve a key').waitFor();
  await screenshot(page, 'technician-key-approval');
  await dialog.getByRole('textbox', { name: /PIN/ }).fill('4711');
  await page.keyboard.press('Enter');
  await page.getByText(/^tg_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page
    .getByText(/created by Tess · approved by Max · last used/)
    .nth(1)
    .waitFor();
});

test('each panel fails on its own, with its own message, and the others keep working', async () => {
  await open({ broken: ['devices', 'pluggedIn', 'testLine', 'bundlePreview', 'updates', 'traceSoFar'] });
  await alert().waitFor();
  await screenshot(page, 'technician-broken');
  await openPanel('Connection');
  await button('Test the connection').click();
  await alert().getByText('the disk is full').waitFor();
  await openPanel('Pair');
  await page.getByLabel('Or enter its address').fill('mpi+tcp://10.0.0.7:1');
  await button('Connect').click();
  await page.getByText('MagTek MMS: DynaFlex').waitFor();
  for (const name of ['Trace', 'Updates']) {
    await openPanel(name);
    await alert().waitFor();
  }
});

test('right to left the rail is on the other side, and hex is unchanged', async () => {
  await open({ panel: 'trace' });
  await page.evaluate(`document.documentElement.setAttribute('dir', 'rtl')`);
  await page.getByText('ONLINE NEEDED').waitFor();
  await screenshot(page, 'technician-rtl');
  const rail = await page.getByRole('navigation', { name: 'Technician' }).boundingBox();
  expect(rail?.x).toBeGreaterThan(700);
  expect(await page.locator('.te-hex:dir(rtl)').count()).toBe(0);
});

test('by keyboard alone: to the panel, through the line test', async () => {
  await open();
  const line = page.getByRole('link', { name: 'Connection', exact: true });
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (await line.evaluate((one: Drawn) => one.matches(':focus'))) break;
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Connection' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('first bad step').waitFor();
});
