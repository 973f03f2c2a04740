/** The cashier's screen in Debian's Chromium on scripted services, typed on as by a person. */

import { expect } from 'vitest';
import type { Result } from '../../../src/api/contract/sales.ts';
import type { DisplayMode } from '../../../src/base/mode.ts';
import { type Browser, closePages, collectErrors, openBrowser, openPage, type Page } from './browser.ts';
import { type ScriptedPaper, scriptedPaper } from './scripted/paper.ts';
import { type ScriptedSelling, scriptedSelling } from './scripted/selling.ts';
import { openStage, type Stage, scriptedEvents, scriptedSessions } from './stage.ts';

let browser: Browser | undefined;
let stage: Stage;
let lines: string[] = [];
/** The till of the present test. */
export let till: ScriptedSelling;
export let paperService: ScriptedPaper;
export let page: Page;

export const clock = (): number => Date.now();

type Setting = { terminals?: number; pastCount?: number; mode?: DisplayMode; size?: { width: number; height: number } };

/** A separate page, signed in, at a separate till. */
export const open = async ({ terminals = 1, pastCount = 20, mode = 'test', size }: Setting = {}): Promise<void> => {
  browser ??= await openBrowser();
  const events = scriptedEvents();
  const sessions = scriptedSessions();
  till = scriptedSelling({ mode, events, clock, terminals, pastCount });
  paperService = scriptedPaper();
  const shop = { ...sessions.shop(), mode };
  stage = await openStage({ events, selling: till, paper: paperService, sessions: { ...sessions, shop: () => shop } });
  const viewport = size ?? { width: 1280, height: 800 };
  page = await openPage(browser, stage.url, { viewport, cookies: [stage.cookie] });
  lines = collectErrors(page);
  await openCashier(page);
};

/** Goes to the till's page, and waits until it can sell. */
export const openCashier = async (page: Page, sells = /^Sell/): Promise<void> => {
  await page.goto(stage.url);
  await page.getByRole('button', { name: sells }).waitFor();
  await page.getByRole('button', { name: /^T1/ }).waitFor();
};

/** Closes what `open` opened; returns the page's errors. */
export const leave = async (): Promise<string[]> => {
  await closePages(page);
  await stage.close();
  return lines.filter((line) => !line.includes('ERR_'));
};

export const quit = async (): Promise<void> => {
  await browser?.close();
  browser = undefined;
};

/** The pause between two keys of a fast typist: a scanner's keys come faster. */
const HAND_MS = 40;

/** Presses keys one after another. */
export const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key, { delay: HAND_MS });
};

/** Types an amount and presses Enter; returns the id of the sale that this began. */
export const sell = async (amount: string): Promise<string> => {
  const previousCount = till.beginCalls.length;
  await press(...amount, 'Enter');
  await expect.poll(() => till.beginCalls.length).toBe(previousCount + 1);
  return till.current().id;
};

export const heading = (name: string) => page.getByRole('heading', { name, exact: true });

/** Ends a sale and waits until its result accepts a press. */
export const end = async (id: string, result: Result, done = 'Done'): Promise<void> => {
  till.end(id, result);
  await page.locator('main button[aria-disabled=false]', { hasText: done }).first().waitFor();
};
