/**
 * Each panel of the technician's screen in both sizes, light and dark: accessible, nothing cut off, nothing too small.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byNight } from '../support/night/night.ts';
import { pairwise } from '../support/night/pairwise.ts';
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
import { findCuts } from '../support/screens/cuts.ts';
import { layoutProblems } from '../support/screens/geometry.ts';
import { scriptedDevices } from '../support/screens/scripted/devices.ts';
import { scriptedPaper } from '../support/screens/scripted/paper.ts';
import { scriptedStore } from '../support/screens/scripted/store.ts';
import { openStage, type Stage, scriptedSessions } from '../support/screens/stage.ts';
import { bringConfiguration, panels } from '../support/screens/technician-panels.ts';

/** What is read from an element in the browser. */
type Drawn = {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly outerHTML: string;
  getBoundingClientRect(): { readonly height: number; readonly right: number };
};

const small = { width: 800, height: 480 };
const large = { width: 1280, height: 1000 };
const views = [
  { look: 'large', size: large, scheme: 'light' },
  { look: 'small', size: small, scheme: 'light' },
  { look: 'dark', size: large, scheme: 'dark' },
  { look: 'small-dark', size: small, scheme: 'dark' },
] as const;
type Look = { look: string; size: { width: number; height: number }; scheme: 'light' | 'dark' };
const drawings = views.flatMap((look) => panels.map((panel) => ({ ...look, ...panel })));

let browser: Browser;
let shown: { look: string; page: Page; stage: Stage; lines: string[] } | undefined;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await leave();
  await browser.close();
});

const leave = async (): Promise<void> => {
  if (shown === undefined) return;
  const { page, stage } = shown;
  shown = undefined;
  await closePages(page);
  await stage.close();
};

/** The page in this look; while the look is the same, it moves along the rail. */
const pageIn = async ({ look, size, scheme }: Look) => {
  if (shown?.look === look) return shown;
  await leave();
  const sessions = scriptedSessions('technician');
  const services = { devices: scriptedDevices([]), paper: scriptedPaper(), sessions, store: scriptedStore(0).service };
  const stage = await openStage(services);
  const seat = { viewport: size, colorScheme: scheme, reducedMotion: 'reduce', cookies: [stage.cookie] } as const;
  const page = await openPage(browser, stage.url, seat);
  shown = { look, page, stage, lines: collectErrors(page) };
  await page.goto(`${stage.url}technician/updates`);
  return shown;
};

test.each(
  // By day each panel in both sizes, once light and once dark.
  byNight({ day: pairwise(drawings, ({ name, size, scheme }) => [name, size.width, scheme]), night: drawings }),
)('$name, $look: accessible and no sideways scrolling', async ({ name, path, waitForPanel: shows, ...look }) => {
  const { page, lines } = await pageIn(look);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await shows(page);
  await screenshot(page, `technician-${path}-${look.look}`);
  expect(await barriers(page)).toEqual([]);
  const main = page.getByRole('main', { name });
  expect(await main.evaluate((one: Drawn) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  expect(await findCuts(page)).toEqual([]);
  const lows = await main
    .getByRole('button')
    .evaluateAll((all: Drawn[]) =>
      all.filter((one) => one.getBoundingClientRect().height < 41).map((one) => one.outerHTML),
    );
  expect(lows).toEqual([]);
  expect(lines).toEqual([]);
});

test('on a phone each configuration change is complete: its name, both values, and who approves it', async () => {
  const { page, stage } = await pageIn({ look: 'telephone', size: { width: 390, height: 844 }, scheme: 'light' });
  await page.goto(`${stage.url}technician/configuration`);
  await bringConfiguration(page);
  await page.getByRole('row', { name: /gateway\.baseUrl/ }).waitFor();
  const { cut, squeezed, broken, touching } = await layoutProblems(page);
  expect({ cut, squeezed, broken, touching }).toEqual({ cut: [], squeezed: [], broken: [], touching: [] });
  const boxes = await page
    .getByRole('cell')
    .evaluateAll((all: Drawn[]) => all.map((one) => one.getBoundingClientRect()));
  expect(boxes.filter(({ right }) => right > 390)).toEqual([]);
  await screenshot(page, 'technician-configuration-telephone');
});
