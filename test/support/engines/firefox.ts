/**
 * Debian's Firefox, through Playwright and WebDriver BiDi: the Firefox that people use, instead of one changed by
 * Playwright.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, firefox } from 'playwright-core';
import { WebSocket, WebSocketServer } from 'ws';

const FIREFOX = '/usr/bin/firefox-esr';

/** Commands that Playwright always sends and Firefox ESR 153 lacks: its colour scheme is set by a preference. */
const answeredHere = ['emulation.setMediaFeaturesOverride'];

/** Connects Playwright to the Firefox whose port is in the path. */
const carry = (playwright: WebSocket, path: string): void => {
  const port = /^\/(\d+)\//.exec(path)?.[1];
  const browser = new WebSocket(`ws://127.0.0.1:${port}/session`);
  const opened = new Promise((resolve) => browser.once('open', resolve));
  playwright.on('message', async (text) => {
    const { id, method } = JSON.parse(String(text)) as { id: number; method: string };
    await opened;
    if (answeredHere.includes(method)) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
    else browser.send(String(text));
  });
  browser.on('message', (text) => playwright.send(String(text)));
  for (const [source, target] of [
    [playwright, browser],
    [browser, playwright],
  ] as const) {
    source.on('close', () => target.close());
    source.on('error', () => target.close());
  }
};

/** Larger than any of our pages: without a screen Firefox assumes 1366 × 768, and clicks below that are lost. */
const SCREEN = 'MOZ_HEADLESS_WIDTH=1920 MOZ_HEADLESS_HEIGHT=1440';

/** A Firefox that reports our port instead of its own. */
const wrap = (folder: string, port: number): string => {
  const path = join(folder, 'firefox');
  const renamed = `s#ws://127.0.0.1:\\([0-9]*\\)#ws://127.0.0.1:${port}/\\1#`;
  const firefox = `${SCREEN} ${FIREFOX} "$@" 2>&1`;
  writeFileSync(path, `#!/bin/sh\n${firefox} | sed --unbuffered '${renamed}' >&2\n`, { mode: 0o700 });
  return path;
};

export type Firefox = { browser: Browser; downloads: string };

/** With one of the two colour schemes for all its pages; saved files go to a folder that belongs to it. */
export const openFirefox = async (scheme: 'light' | 'dark'): Promise<Firefox> => {
  if (!existsSync(FIREFOX)) throw new Error(`${FIREFOX} is missing: apt-get install firefox-esr`);
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'));
  const downloads = join(folder, 'downloads');
  mkdirSync(downloads);
  const bridge = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => bridge.once('listening', resolve));
  bridge.on('connection', (playwright, { url = '' }) => carry(playwright, url));
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    downloadsPath: downloads,
    executablePath: wrap(folder, (bridge.address() as AddressInfo).port),
    firefoxUserPrefs: {
      'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
      // WebDriver BiDi's keys do not reach a frame that another process draws.
      'fission.autostart': false,
      // A click gives the page the focus, as a person's click does.
      'remote.events.async.mouse.enabled': true,
      // Tab reaches links too, as in Firefox on a desktop.
      'accessibility.tabfocus': 7,
      // A file field asks again the next time: its question does not stay open.
      'remote.bidi.dismiss_file_pickers.enabled': true,
      // Files are saved to the folder and nowhere else: neither the download panel nor a PDF tab opens.
      'browser.download.alwaysOpenPanel': false,
      'pdfjs.disabled': true,
      // Copied text can be read without asking.
      'dom.events.testing.asyncClipboard': true,
    },
  });
  browser.once('disconnected', () => {
    bridge.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { browser, downloads };
};
