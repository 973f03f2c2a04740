/** Debian's Chromium, driven as a shopper would; screenshots go to dist/screenshots for people to look at. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';

export type { Browser, Frame, Page } from 'playwright-core';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/screenshots');

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

/** Keeps what the page looks like, and tells where. */
export const screenshot = async (page: Page, name: string): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true, caret: 'initial' });
  process.stdout.write(`screenshot: ${path}\n`);
  return path;
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeResult = { violations: readonly { id: string; help: string; nodes: readonly { html: string }[] }[] };

/** What breaks WCAG 2.2 AA in this document, in words. Evaluated by the browser's debugger, which no policy binds. */
export const barriers = async (place: Page | Frame): Promise<string[]> => {
  await place.evaluate(axe);
  const result = (await place.evaluate(
    `axe.run(document, { iframes: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`,
  )) as AxeResult;
  return result.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
};

/** What the page's policy refused, and what its scripts threw, as they happen. */
export const troubles = (page: Page): string[] => {
  const said: string[] = [];
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('console', (message) => {
    // A decline is an answer with status 400, which the browser mentions.
    const isAnswer = /status of (4\d\d|5\d\d)/.test(message.text());
    if (message.type() === 'error' && !isAnswer) said.push(message.text());
  });
  return said;
};
