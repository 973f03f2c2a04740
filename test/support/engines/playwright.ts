/** Visits in Chromium and Firefox, whose pages are Playwright's own. */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { collectErrors, openBrowser } from '../screens/browser.ts';
import { savedInto } from './downloads.ts';
import { openFirefox } from './firefox.ts';
import type { Engine, EngineName, SavedFile, Visit, VisitOptions } from './page.ts';

/** The hash of the style element with which Playwright freezes a Firefox page for a picture; policies refuse it. */
const PICTURE_STYLE = 'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=';

type Name = Exclude<EngineName, 'webkit'>;

/** `downloads` is where Firefox saves files: Playwright does not report them. */
type Opened = { browser: Browser; downloads?: string };

const savedBy = async (page: Page, press: () => Promise<void>): Promise<SavedFile> => {
  const downloading = page.waitForEvent('download');
  await press();
  const file = await downloading;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
};

const visitOf = async (engine: Name, context: BrowserContext, downloads?: string): Promise<Visit> => {
  const received: string[] = [];
  context.on('page', (each) => collectErrors(each, received));
  const page = await context.newPage();
  return {
    ...{ engine, page },
    address: async () => page.url(),
    consoleLines: () => received.filter((line) => !line.includes(PICTURE_STYLE)),
    onAnswer(listener) {
      page.on('response', (answer) => {
        const url = answer.url();
        // Some answers no longer have a text, and the event stream never ends.
        if (!url.endsWith('/events'))
          answer.text().then(
            (text) => listener({ url, text }),
            () => {},
          );
      });
    },
    async ask(url, { method, data } = { method: 'GET' }) {
      const answer = await context.request.fetch(url, { method, data, headers: { origin: new URL(url).origin } });
      const text = await answer.text();
      return { ok: answer.ok(), body: text === '' ? undefined : JSON.parse(text) };
    },
    async storeItem(_, { key, value }) {
      const set = `localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`;
      // An empty page of Firefox has no storage.
      await page.addInitScript(`if (location.protocol.startsWith('http')) ${set}`);
    },
    saved: (press) => (downloads === undefined ? savedBy(page, press) : savedInto(downloads, press)),
    async chooseFile(press, file) {
      const request = page.waitForEvent('filechooser');
      await press();
      await (await request).setFiles(file);
    },
    async popup(press) {
      const opening = page.waitForEvent('popup');
      await press();
      return opening;
    },
    // Beyond a page's end is Firefox's own toolbar, which WebDriver's keys can never leave.
    ...(engine === 'firefox' && {
      async focusFromStart() {
        if (!(await page.evaluate<boolean>('document.hasFocus()'))) await page.mouse.click(0, 0);
      },
    }),
    openPage: () => context.newPage(),
    clipboard: () => page.evaluate<string>('navigator.clipboard.readText()'),
    close: () => context.close(),
  };
};

const contextOptions = (
  name: Name,
  { size = { width: 1280, height: 800 }, scheme = 'light', language = 'en' }: VisitOptions,
) => ({
  ...{ viewport: size, colorScheme: scheme, locale: language, timezoneId: 'Europe/Berlin', ignoreHTTPSErrors: true },
  // Firefox has no such permission, and does not ask.
  permissions: name === 'chromium' ? ['clipboard-read', 'clipboard-write'] : undefined,
});

export const openPlaywright = async (name: Name): Promise<Engine> => {
  const opened = new Map<string, Promise<Opened>>();
  const open = (scheme: 'light' | 'dark'): Promise<Opened> => {
    // Each page of Chromium has its own colour scheme.
    const key = name === 'firefox' ? scheme : 'any';
    const browser =
      opened.get(key) ?? (name === 'firefox' ? openFirefox(scheme) : openBrowser().then((browser) => ({ browser })));
    opened.set(key, browser);
    return browser;
  };
  return {
    name,
    async visit(seat = {}) {
      const { browser, downloads } = await open(seat.scheme ?? 'light');
      return visitOf(name, await browser.newContext(contextOptions(name, seat)), downloads);
    },
    async close() {
      for (const { browser } of await Promise.all(opened.values())) await browser.close();
    },
  };
};
