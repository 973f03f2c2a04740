/** Visits in Chromium and Firefox, whose pages are Playwright's own. */
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser, troubles } from '../screens/browser.ts';
import { openFirefox } from './firefox.ts';
import type { Engine, EngineName, Seat, Visit } from './page.ts';

/** Of the style element with which Playwright holds a page of Firefox still for a picture; policies refuse it. */
const PICTURE_STYLE = 'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=';

type Name = Exclude<EngineName, 'webkit'>;

const visitOf = (engine: Name, context: BrowserContext, page: Page): Visit => {
  const said = troubles(page);
  return {
    ...{ engine, page },
    address: async () => page.url(),
    said: () => said.filter((line) => !line.includes(PICTURE_STYLE)),
    hear(then) {
      page.on('response', (answer) => {
        const url = answer.url();
        // Some answers have no text any more, and events have no end.
        if (!url.endsWith('/events'))
          answer.text().then(
            (text) => then({ url, text }),
            () => {},
          );
      });
    },
    async ask(url, { method, data } = { method: 'GET' }) {
      const answer = await context.request.fetch(url, { method, data, headers: { origin: new URL(url).origin } });
      const text = await answer.text();
      return { ok: answer.ok(), body: text === '' ? undefined : JSON.parse(text) };
    },
    async keeps(_, { key, value }) {
      await page.addInitScript(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`);
    },
    async saved(press) {
      const coming = page.waitForEvent('download');
      await press();
      const file = await coming;
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    },
    async bring(press, file) {
      const asked = page.waitForEvent('filechooser');
      await press();
      await (await asked).setFiles(file);
    },
    async popup(press) {
      const opening = page.waitForEvent('popup');
      await press();
      return opening;
    },
    beside: () => context.newPage(),
    clipboard: () => page.evaluate<string>('navigator.clipboard.readText()'),
    close: () => context.close(),
  };
};

const seatOf = (name: Name, { size = { width: 1280, height: 800 }, scheme = 'light', language = 'en' }: Seat) => ({
  ...{ viewport: size, colorScheme: scheme, locale: language, timezoneId: 'Europe/Berlin', ignoreHTTPSErrors: true },
  // Firefox knows no such permission, and asks nobody.
  ...(name === 'chromium' && { permissions: ['clipboard-read', 'clipboard-write'] }),
});

export const openPlaywright = async (name: Name): Promise<Engine> => {
  const browser = await (name === 'firefox' ? openFirefox() : openBrowser());
  return {
    name,
    async visit(seat = {}) {
      const context = await browser.newContext(seatOf(name, seat));
      return visitOf(name, context, await context.newPage());
    },
    close: () => browser.close(),
  };
};
