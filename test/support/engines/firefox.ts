/**
 * Firefox as Debian has it, by Playwright and WebDriver BiDi: the Firefox that people have, in place of one that
 * Playwright has changed.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, firefox } from 'playwright-core';
import { WebSocket, WebSocketServer } from 'ws';

const FIREFOX = '/usr/bin/firefox-esr';

/** Playwright always sends these, and Firefox ESR 153 does not have them: they would change nothing for our pages. */
const answeredHere = ['emulation.setMediaFeaturesOverride'];

/** Leads from Playwright to the Firefox whose port is in the path. */
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
  for (const [one, other] of [
    [playwright, browser],
    [browser, playwright],
  ] as const) {
    one.on('close', () => other.close());
    one.on('error', () => other.close());
  }
};

/** Firefox, which says that its port is behind ours. */
const wrapped = (folder: string, port: number): string => {
  const path = join(folder, 'firefox');
  const renamed = `s#ws://127.0.0.1:\\([0-9]*\\)#ws://127.0.0.1:${port}/\\1#`;
  writeFileSync(path, `#!/bin/sh\n${FIREFOX} "$@" 2>&1 | sed --unbuffered '${renamed}' >&2\n`, { mode: 0o700 });
  return path;
};

export const openFirefox = async (): Promise<Browser> => {
  if (!existsSync(FIREFOX)) throw new Error(`${FIREFOX} is missing: apt-get install firefox-esr`);
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'));
  const bridge = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => bridge.once('listening', resolve));
  bridge.on('connection', (playwright, { url = '' }) => carry(playwright, url));
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: wrapped(folder, (bridge.address() as AddressInfo).port),
    firefoxUserPrefs: {
      // Keys of WebDriver BiDi do not find their way into a frame that another process draws.
      'fission.autostart': false,
      // The tabulator reaches links, too, as in the Firefox of a desktop.
      'accessibility.tabfocus': 7,
      // What was copied can be read without a question.
      'dom.events.testing.asyncClipboard': true,
    },
  });
  browser.once('disconnected', () => {
    bridge.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return browser;
};
