/**
 * Lists of a hundred thousand rows, scrolled by wheel and keys in Chromium: the duration of each frame, how long rows
 * were blank, and the till's time for a page of them.
 */
import type { Page } from 'playwright-core';
import { makeLongJournal } from './long-journal.ts';
import { inBrowser } from './page.ts';
import { inShop, openTerminal, people, startScreens } from './shop.ts';
import { signIn, type Visitor } from './visitor.ts';

/** Frames in ms; `blankMs`: the longest time that a visible row was blank. */
export type Scrolled = { frames: number; medianMs: number; p95Ms: number; worstMs: number; blankMs: number };
/** The browser's wait for a page of rows anywhere in the list, ms. */
export type Paged = { rows: number; medianMs: number; p99Ms: number };
export type List = { scrolled: Scrolled; paged: Paged };
export type Lists = { sales: List; audit: List };

const SCROLL_MS = 5000;
const PAGES = 200;

/** From each frame to the next, and whether a visible row was still empty. */
const watchScript = `
  window.watched = { frames: [], blankMs: 0 };
  let before = performance.now();
  let blankSince;
  const frame = (now) => {
    const list = document.querySelector('[data-bench-list]');
    if (list === null) return;
    watched.frames.push(now - before);
    before = now;
    const box = list.getBoundingClientRect();
    const isBlank = [...list.querySelectorAll('[class*=Skeleton-root]')].some((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > box.top && top < box.bottom;
    });
    if (isBlank) blankSince ??= now; else blankSince = undefined;
    if (blankSince !== undefined) watched.blankMs = Math.max(watched.blankMs, now - blankSince);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(frame) });`;

type ScrollFigures = { frames: number[]; blankMs: number };

/** First the wheel, as fast as a hand turns it, then Page Down held, then the ends of the list. */
const scroll = async (page: Page, selector: string): Promise<ScrollFigures> => {
  const list = page.locator(selector);
  await page.evaluate(`document.querySelector('${selector}').setAttribute('data-bench-list', '')`);
  await list.hover();
  await page.evaluate(watchScript);
  const endAt = performance.now() + SCROLL_MS;
  while (performance.now() < endAt) {
    await page.mouse.wheel(0, 700);
    await page.waitForTimeout(30);
  }
  await list.focus();
  const keysUntil = performance.now() + SCROLL_MS / 2;
  while (performance.now() < keysUntil) {
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(60);
  }
  for (const key of ['End', 'Home', 'End', 'Home']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(700);
  }
  return (await page.evaluate('watched')) as ScrollFigures;
};

const quantile = (times: readonly number[], part: number): number => {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
};

const summarizeScroll = ({ frames, blankMs }: ScrollFigures): Scrolled => ({
  frames: frames.length,
  ...{
    medianMs: quantile(frames, 0.5),
    p95Ms: quantile(frames, 0.95),
    worstMs: quantile(frames, 1),
    blankMs: Math.round(blankMs),
  },
});

/** Pages from all over the list, one after the other. */
const measurePages = async (visitor: Visitor, path: string, pageSize: number): Promise<Paged> => {
  const { total } = await visitor.request<{ total: number }>(`${path}?from=0&most=${pageSize}`);
  const times: number[] = [];
  for (let n = 0; n < PAGES; n += 1) {
    const startedAt = performance.now();
    await visitor.request(`${path}?from=${(n * 7919 * pageSize) % total}&most=${pageSize}`);
    times.push(performance.now() - startedAt);
  }
  return { rows: total, medianMs: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
};

/** Throws if a list never shows a row. */
export const measureLists = (rows: number): Promise<Lists> =>
  inShop(async (folder) => {
    await makeLongJournal(folder, { sales: rows, visits: rows });
    const terminal = await openTerminal({ cardholder: () => undefined as never });
    const till = await startScreens(folder, terminal.address);
    try {
      const max = await signIn(till.url, people.manager);
      const pages = { sales: await measurePages(max, 'sales', 50), audit: await measurePages(max, 'audit', 100) };
      return await inBrowser({ url: till.url, cookie: max.cookie }, async (page) => {
        await page.goto(`${till.url}manager/audit`);
        await page.locator('.m-rows tbody td').first().waitFor();
        const audit = await scroll(page, '.m-rows');
        await page.evaluate("history.pushState(null, '', '/')");
        await page.getByRole('button', { name: /^T1/ }).waitFor();
        await page.keyboard.press('F7');
        await page.locator('.tg-long-list-row').first().waitFor();
        const sales = await scroll(page, '.tg-long-list');
        return {
          sales: { scrolled: summarizeScroll(sales), paged: pages.sales },
          audit: { scrolled: summarizeScroll(audit), paged: pages.audit },
        };
      });
    } finally {
      await till.close();
      await terminal.close();
    }
  });
