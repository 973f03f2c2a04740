/**
 * Chromium at a till's screens: signed in by cookie, optionally slowed down, its clock compared with this process's.
 */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/screens/browser.ts';
import { monotonic } from './shop.ts';

const SIZE = { width: 1280, height: 800 };

export type Visit = {
  url: string;
  /** The cookie of an existing session: `tillgate=…`. */
  cookie?: string;
  /** How much slower the page's processor is made. */
  slowdown?: number;
  /** Runs in the page before anything else. */
  script?: string;
};

/** A browser with one empty page, until `work` is done. */
export const inBrowser = async <T>(
  { url, cookie, slowdown = 1, script }: Visit,
  work: (page: Page) => Promise<T>,
): Promise<T> => {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: SIZE });
    const [name, value] = cookie?.split('=') ?? [];
    if (name !== undefined && value !== undefined) await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    if (script !== undefined) await page.addInitScript(script);
    const debuggers = await context.newCDPSession(page);
    await debuggers.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return await work(page);
  } finally {
    await browser.close();
  }
};

/** The offset from the page's `performance.now()` to this machine's monotonic clock, ms; accurate to half a ms. */
export const clockOffset = async (page: Page): Promise<number> => {
  let bestTrip = { tripMs: Number.POSITIVE_INFINITY, offset: 0 };
  for (let n = 0; n < 30; n += 1) {
    const sentAt = monotonic();
    const pageTime = (await page.evaluate('performance.now()')) as number;
    const after = monotonic();
    if (after - sentAt < bestTrip.tripMs)
      bestTrip = { tripMs: after - sentAt, offset: (sentAt + after) / 2 - pageTime };
  }
  return bestTrip.offset;
};
