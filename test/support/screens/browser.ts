/** Debian's Chromium, used like a shopper's browser; pictures go to dist/screenshots for inspection. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { byNight, isNight } from '../night/night.ts';

export type { Browser, Frame, Page } from 'playwright-core';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/screenshots');

const WHOLE = '/usr/bin/chromium';
/** Debian's package `chromium-headless-shell`: the same pages without browser windows, with half the work. */
const SHELL = '/usr/bin/chromium-headless-shell';

/** By night the browser that shops have; by day the shell, if it is installed. */
const executablePath = byNight({ day: existsSync(SHELL) ? SHELL : WHOLE, night: WHOLE });

/** `keepsPages`: a page that is left stays in memory for going back, as in shoppers' browsers; the shell keeps none. */
export const openBrowser = ({ keepsPages = false } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: keepsPages ? WHOLE : executablePath,
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : undefined,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

/** The screen of a page, and who uses it: the cookies of the page's address. */
type PageOptions = {
  viewport: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce';
  cookies?: Parameters<BrowserContext['addCookies']>[0];
};

/** One per browser: a separate context for every page takes twice the work. */
const contexts = new WeakMap<Browser, Promise<BrowserContext>>();

const contextOf = (browser: Browser): Promise<BrowserContext> => {
  const context = contexts.get(browser) ?? browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  contexts.set(browser, context);
  return context;
};

/** A page without any state from earlier ones: only these cookies, and empty storage for this address. */
export const openPage = async (browser: Browser, url: string, seat: PageOptions): Promise<Page> => {
  const { viewport, cookies = [], ...media } = seat;
  const context = await contextOf(browser);
  await context.clearCookies();
  await context.addCookies(cookies);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'local_storage' });
  await devtools.detach();
  await page.setViewportSize(viewport);
  await page.emulateMedia(media);
  return page;
};

/** Closes the page from `openPage`, and every other page that was opened beside it. */
export const closePages = async (page: Page): Promise<void> => {
  await page.context().setOffline(false);
  for (const each of page.context().pages()) await each.close();
};

type PicturedPage = {
  screenshot(options: { path: string; fullPage?: boolean; caret?: 'initial' }): Promise<unknown>;
};

/** Saves a picture of the page, and prints where. */
export const takePicture = async (page: PicturedPage, name: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true, caret: 'initial' });
  process.stdout.write(`screenshot: ${path}\n`);
};

/** The same by night only: these pictures check nothing and are expensive. */
export const screenshot = async (page: PicturedPage, name: string): Promise<void> => {
  if (isNight) await takePicture(page, name);
};

/** As an expression. */
const axe = `(() => { ${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')} })()`;

/** Colours that are still changing are not a problem; endless animations, such as spinners, are not waited for. */
const SETTLED = `Promise.all(
  document.getAnimations()
    .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => {})),
).then(() => {})`;
/** Twice, because what one frame requests is drawn after it. */
const DRAWN = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))`;

/** A page in any engine. */
export type Evaluating = { evaluate<T>(expression: string): Promise<T> };

/** Waits until animations and colour changes have ended and are drawn. For the page in front. */
export const settle = async (page: Evaluating): Promise<void> => {
  await page.evaluate(SETTLED);
  await page.evaluate(DRAWN);
};

/** Returns only violations: the checks that passed are a hundred times as much. */
const LOOK = `axe.run(document, {
  iframes: false,
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}).then(({ violations }) =>
  violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/**
 * The violations of WCAG 2.2 AA in this document, as text. Evaluated by the browser's debugger, which no policy
 * restricts.
 */
export const barriers = async (place: Evaluating): Promise<string[]> => {
  if (!(await place.evaluate<boolean>('"axe" in window'))) await place.evaluate(axe);
  await place.evaluate(SETTLED);
  return place.evaluate<string[]>(LOOK);
};

/** What the page's policy refused and its scripts threw, as it happens, appended to what was reported before. */
export const collectErrors = (page: Page, lines: string[] = []): string[] => {
  page.on('pageerror', (error) => lines.push(String(error)));
  page.on('console', (message) => {
    // A decline is an answer with status 400, which the browser logs.
    const isAnswer = /status of (4\d\d|5\d\d)/.test(message.text());
    if (message.type() === 'error' && !isAnswer) lines.push(message.text());
  });
  return lines;
};
