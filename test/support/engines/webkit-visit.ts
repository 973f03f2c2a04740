/** A visit in WebKit: its windows, keys, files and errors, with WebDriver commands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { expect, vi } from 'vitest';
import { savedInto } from './downloads.ts';
import type { EnginePage, Visit, VisitOptions } from './page.ts';
import { finderOf } from './webkit-place.ts';
import { pageErrors, type Window, windowOf } from './webkit-window.ts';

type Place = VisitOptions & {
  downloads: string;
  close(): Promise<void>;
};

/** Keys as WebDriver names them; all others are the characters they type. */
const keys: Readonly<Record<string, string>> = {
  ...{ Enter: Key.RETURN, Escape: Key.ESCAPE, Tab: Key.TAB, Backspace: Key.BACK_SPACE, Delete: Key.DELETE },
  ...{ ArrowUp: Key.ARROW_UP, ArrowDown: Key.ARROW_DOWN, ArrowLeft: Key.ARROW_LEFT, ArrowRight: Key.ARROW_RIGHT },
  ...{ Home: Key.HOME, End: Key.END, PageUp: Key.PAGE_UP, PageDown: Key.PAGE_DOWN },
  ...{ Alt: Key.ALT, Control: Key.CONTROL, Shift: Key.SHIFT },
  ...{ F1: Key.F1, F2: Key.F2, F3: Key.F3, F4: Key.F4, F5: Key.F5, F6: Key.F6 },
  ...{ F7: Key.F7, F8: Key.F8, F9: Key.F9, F10: Key.F10, F11: Key.F11, F12: Key.F12 },
};

/** `Control+A` is A with the control key held. */
const pressed = async (driver: WebDriver, combination: string, heldMs: number): Promise<void> => {
  const parts = combination.length === 1 ? [combination] : combination.split('+');
  const names = parts.map((part) => keys[part] ?? (parts.length > 1 ? part.toLowerCase() : part));
  const actions = driver.actions();
  for (const name of names) actions.keyDown(name);
  actions.pause(heldMs);
  for (const name of names.toReversed()) actions.keyUp(name);
  await actions.perform();
};

/** Also before and after tests, where `expect.poll` is not allowed. */
const until = <T>(readValue: () => T | Promise<T>, check: (seen: T) => void): Promise<void> =>
  vi.waitFor(async () => check(await readValue()), { timeout: 30_000, interval: 50 });

/** An expression, or the promise it returns; a thrown error is returned as text. */
const evaluationScript = (expression: string): string =>
  `const done = arguments[arguments.length - 1];
(async () => (
${expression}
))().then((value) => done({ value }), (why) => done({ why: String(why) }));`;

/** Nothing was loaded for half a second. */
const QUIET = `new Promise((resolve) => {
  let timer = 0;
  const rest = () => { clearTimeout(timer); timer = setTimeout(resolve, 500); };
  new PerformanceObserver(rest).observe({ type: 'resource' });
  rest();
})`;

const pageOf = (driver: WebDriver, window: Window): EnginePage => {
  const inside = <T>(work: () => Promise<T>): Promise<T> => window.within([], work);
  const page: EnginePage = {
    ...finderOf(window),
    keyboard: {
      press: (key, { delay = 0 } = {}) => window.runFocused(() => pressed(driver, key, delay)),
      type: (text) => window.runFocused(() => driver.actions().sendKeys(text).perform()),
    },
    frameLocator: (css) => finderOf(window, [[{ by: 'css', css }]]),
    goto: (url) => inside(() => driver.get(url)),
    reload: () => inside(() => driver.navigate().refresh()),
    goBack: () => inside(() => driver.navigate().back()),
    waitForURL: (url) =>
      until(
        () => inside(() => driver.getCurrentUrl()),
        (address) => expect(address).toMatch(url),
      ),
    async evaluate<T>(expression: string): Promise<T> {
      const { value, why } = await inside(() =>
        driver.executeAsyncScript<{ value: T; why?: string }>(evaluationScript(expression)),
      );
      if (why !== undefined) throw new Error(why);
      return value;
    },
    setDefaultTimeout: (ms) => {
      window.patienceMs = ms;
    },
    bringToFront: () => inside(async () => {}),
    waitForLoadState: () => page.evaluate(QUIET),
    async screenshot({ path }) {
      writeFileSync(path, await inside(() => driver.takeScreenshot()), 'base64');
    },
    close: () => inside(() => driver.close()),
  };
  return page;
};

/** The window that opened after these. */
const waitForNewPage = async (driver: WebDriver, known: readonly string[]): Promise<EnginePage> => {
  const newHandles = async () => (await driver.getAllWindowHandles()).filter((handle) => !known.includes(handle));
  await until(newHandles, (found) => expect(found).toHaveLength(1));
  const [handle = ''] = await newHandles();
  return pageOf(driver, windowOf(driver, handle));
};

/** A window has borders: the page inside gets this size. */
const setInnerSize = async (driver: WebDriver, { width, height }: { width: number; height: number }): Promise<void> => {
  const inner = (): Promise<[number, number]> => driver.executeScript('return [innerWidth, innerHeight]');
  const rect = await driver.manage().window().getRect();
  const [innerWidth, innerHeight] = await inner();
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, width: rect.width + width - innerWidth, height: rect.height + height - innerHeight });
  await until(inner, (found) => expect(found).toEqual([width, height]));
};

const ASK = `const [url, method, data, done] = arguments;
const body = data !== null && { body: JSON.stringify(data), headers: { 'content-type': 'application/json' } };
fetch(url, { method, ...body }).then(
  async (answer) => done({ ok: answer.ok, text: await answer.text() }),
  (why) => done({ ok: false, text: JSON.stringify(String(why)) }),
);`;

export const visitOf = async (driver: WebDriver, place: Place): Promise<Visit> => {
  const { downloads, size = { width: 1280, height: 800 } } = place;
  await driver.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 });
  await setInnerSize(driver, size);
  const received: string[] = [];
  pageErrors.set(driver, received);
  const window = windowOf(driver, await driver.getWindowHandle());
  const page = pageOf(driver, window);
  const visit: Visit = {
    ...{ engine: 'webkit', page, close: place.close },
    address: () => window.within([], () => driver.getCurrentUrl()),
    consoleLines: () => [...received],
    async ask(url, { method, data } = { method: 'GET' }) {
      return window.within([], async () => {
        if (!(await driver.getCurrentUrl()).startsWith(new URL(url).origin)) await driver.get(new URL(url).origin);
        const { ok, text } = await driver.executeAsyncScript<{ ok: boolean; text: string }>(
          ASK,
          url,
          method,
          data ?? null,
        );
        return { ok, body: text === '' ? undefined : JSON.parse(text) };
      });
    },
    async storeItem(site, { key, value }) {
      await page.goto(site);
      await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`);
    },
    // A bar below the page reports each file, and takes room from the page.
    async saved(press) {
      const file = await savedInto(downloads, press);
      await window.within([], () => setInnerSize(driver, size));
      return file;
    },
    // WebDriver gives a field its file without the browser asking.
    async chooseFile(_, { name, buffer }) {
      const path = join(downloads, '..', name);
      writeFileSync(path, buffer);
      await window.retryUntil('a field for a file', async () => {
        const found = await window.call<{ element: WebElement } | null>(
          [],
          'until',
          [{ by: 'css', css: 'input[type=file]' }],
          'attached',
          300,
        );
        await window.within([], async () => found?.element.sendKeys(path));
        return found ?? undefined;
      });
    },
    async popup(press) {
      const known = await driver.getAllWindowHandles();
      await press();
      return waitForNewPage(driver, known);
    },
    // A tab would be hidden behind the page: nothing is drawn or pasted there.
    async openPage() {
      const known = await driver.getAllWindowHandles();
      await window.within([], () => driver.switchTo().newWindow('window'));
      return waitForNewPage(driver, known);
    },
    // The page itself may read it only with a person's consent, so it is pasted into another page.
    async clipboard() {
      const otherPage = await visit.openPage();
      await otherPage.goto('data:text/html,<textarea></textarea>');
      await otherPage.locator('textarea').click();
      await otherPage.keyboard.press('Control+V');
      let text = '';
      const readValue = async (): Promise<string> => {
        text = await otherPage.locator('textarea').inputValue();
        return text;
      };
      await until(readValue, (found) => expect(found).not.toBe(''));
      await otherPage.close();
      return text;
    },
  };
  return visit;
};
