/** One window of a WebDriver session: scripts run in it or in one of its frames, one after another. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { error as failures, Origin, type WebDriver, type WebElement } from 'selenium-webdriver';
import { systemClock } from '../../../src/base/clock.ts';
import type { Steps } from './in-page/steps.ts';

/** The place in a window: through these frames, each found in the one before. */
export type Frames = readonly Steps[];

export type Window = {
  handle: string;
  /** How long to wait for something, in milliseconds. */
  patienceMs: number;
  /** Runs `work` in the frame, and nothing else meanwhile. */
  within<T>(frames: Frames, work: (driver: WebDriver) => Promise<T>): Promise<T>;
  /**
   * Clicks in the middle of an element this many times. The driver's own click misses elements in a frame, because it
   * confuses the frame's corner with the window's.
   */
  click(frames: Frames, element: WebElement, times: number): Promise<void>;
  /** Runs `work` in the frame that has the focus. */
  runFocused<T>(work: (driver: WebDriver) => Promise<T>): Promise<T>;
  /** Calls a function of `in-page/finder.ts` there. */
  call<T>(frames: Frames, name: string, ...input: unknown[]): Promise<T>;
  /**
   * Retries until it returns something, since pages and elements come and go. `description` is reported when it never
   * does.
   */
  retryUntil<T>(description: string, attempt: () => Promise<T | undefined | null>, withinMs?: number): Promise<T>;
};

const bundled = async (): Promise<string> => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'in-page/finder.ts'), logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'iife', name: 'tillgateFinder', minify: true });
  await bundle.close();
  return `${output[0].code}\nglobalThis.tillgateFinder = tillgateFinder;`;
};
let finder: Promise<string> | undefined;

/** Asks the page for the function's value, or its promise. */
const CALL = `const [name, ...given] = [...arguments].slice(0, -1);
const done = arguments[arguments.length - 1];
const finder = globalThis.tillgateFinder;
if (finder === undefined) done({ isMissing: true });
else (async () => finder[name](...given))().then(
  (value) => done({ value, errors: finder.takeErrors() }),
  (why) => done({ why: String(why), errors: finder.takeErrors() }),
);`;

type FinderReply<T> = { isMissing?: true; why?: string; value: T; errors?: string[] };

/** Errors of pages: the browser prints no console while it is driven, so each call returns them. */
export const pageErrors = new WeakMap<WebDriver, string[]>();

const called = async <T>(driver: WebDriver, name: string, inputs: readonly unknown[]): Promise<T> => {
  const reply = await driver.executeAsyncScript<FinderReply<T>>(CALL, name, ...inputs);
  pageErrors.get(driver)?.push(...(reply.errors ?? []));
  if (reply.why !== undefined) throw new Error(reply.why);
  if (reply.isMissing !== true) return reply.value;
  finder ??= bundled();
  await driver.executeScript(await finder);
  return called(driver, name, inputs);
};

type Point = { x: number; y: number };

type Where = { handle: string; frames: Frames };

/** The present frame of each session: changing it moves the focus, so it is changed only when needed. */
const places = new WeakMap<WebDriver, Where>();

const isThere = (driver: WebDriver, { handle, frames }: Where): boolean => {
  const at = places.get(driver);
  return at?.handle === handle && JSON.stringify(at.frames) === JSON.stringify(frames);
};

/** Enters the frame, starting at the top; returns the position of its corner in the window. */
const enter = async (driver: WebDriver, target: Where): Promise<Point> => {
  places.delete(driver);
  const at = { x: 0, y: 0 };
  await driver.switchTo().window(target.handle);
  for (const steps of target.frames) {
    const found = await called<{ element: WebElement } | null>(driver, 'until', [steps, 'attached', 0]);
    if (found === null) throw new Error(`no frame ${JSON.stringify(steps)}`);
    const { x, y } = await called<Point>(driver, 'corner', [found.element]);
    at.x += x;
    at.y += y;
    await driver.switchTo().frame(found.element as never);
  }
  places.set(driver, target);
  return at;
};

const click = async (driver: WebDriver, { x, y }: Point, times: number): Promise<void> => {
  places.delete(driver);
  await driver.switchTo().defaultContent();
  const actions = driver.actions().move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT });
  for (let n = 0; n < times; n += 1) actions.press().release();
  await actions.perform();
};

/** The window or the browser is gone: retrying is useless. */
const isOver = (error: unknown): boolean =>
  error instanceof failures.NoSuchWindowError || error instanceof failures.NoSuchSessionError;

/** A session does one thing at a time. */
const queues = new WeakMap<WebDriver, Promise<unknown>>();

const runQueued = <T>(driver: WebDriver, work: () => Promise<T>): Promise<T> => {
  const running = (queues.get(driver) ?? Promise.resolve()).then(work);
  queues.set(
    driver,
    running.catch(() => {}),
  );
  return running;
};

export const windowOf = (driver: WebDriver, handle: string): Window => {
  const window: Window = {
    handle,
    patienceMs: 60_000,
    within: (frames, work) =>
      runQueued(driver, async () => {
        if (!isThere(driver, { handle, frames })) await enter(driver, { handle, frames });
        return work(driver).catch((error) => {
          places.delete(driver);
          throw error;
        });
      }),
    call: (frames, name, ...input) => window.within(frames, () => called(driver, name, input)),
    click: (frames, element, times) =>
      runQueued(driver, async () => {
        const { x, y } = await enter(driver, { handle, frames });
        const middle = await called<Point & { isMet: boolean }>(driver, 'middle', [element]);
        if (!middle.isMet) throw new Error('something else stands before it');
        await click(driver, { x: x + middle.x, y: y + middle.y }, times);
      }),
    runFocused: (work) =>
      runQueued(driver, async () => {
        if (places.get(driver)?.handle !== handle && (await driver.getWindowHandle()) !== handle)
          await enter(driver, { handle, frames: [] });
        return work(driver);
      }),
    async retryUntil(description, attempt, withinMs = window.patienceMs) {
      const deadlineAt = systemClock.now() + withinMs;
      let failure: unknown;
      do {
        try {
          const found = await attempt();
          if (found !== undefined && found !== null) return found;
        } catch (error) {
          if (isOver(error)) throw error;
          failure = error;
        }
      } while (systemClock.now() < deadlineAt);
      throw new Error(`not within ${withinMs} ms: ${description}`, { cause: failure });
    },
  };
  return window;
};
