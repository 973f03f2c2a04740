/**
 * What tests ask of a browser's page in every engine. The first part is a part of Playwright's own page, so that the
 * pages of Chromium and Firefox are such pages as they are; WebKit's is made of WebDriver's commands.
 */
import type { Page } from 'playwright-core';

export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engines)[number];

export type Role = Parameters<Page['getByRole']>[0];
export type Words = string | RegExp;
/** Milliseconds. */
type Within = { timeout?: number };

/** Where places are looked for: a page, a frame, or a place. */
export type Finder = {
  locator(css: string, options?: { hasText?: Words }): Place;
  getByRole(role: Role, options?: { name?: Words; exact?: boolean; level?: number }): Place;
  getByText(text: Words, options?: { exact?: boolean }): Place;
  getByLabel(text: Words, options?: { exact?: boolean }): Place;
};

/** Elements that are looked for anew with each call; what is done to it waits until it can be done. */
export type Place = Finder & {
  filter(options: { hasText: Words }): Place;
  first(): Place;
  last(): Place;
  nth(index: number): Place;
  or(other: Place): Place;
  and(other: Place): Place;
  waitFor(options?: Within & { state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>;
  click(): Promise<void>;
  dblclick(): Promise<void>;
  check(): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  pressSequentially(text: string): Promise<void>;
  /** By its value or by its label. */
  selectOption(option: string): Promise<unknown>;
  count(): Promise<number>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
  isChecked(): Promise<boolean>;
  isDisabled(): Promise<boolean>;
  isVisible(): Promise<boolean>;
};

export type EnginePage = Finder & {
  keyboard: { press(key: string, options?: { delay?: number }): Promise<void>; type(text: string): Promise<void> };
  frameLocator(css: string): Finder;
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** Resolves as soon as the page before is there: one that was kept whole is not loaded. */
  goBack(options: { waitUntil: 'commit' }): Promise<unknown>;
  waitForURL(url: RegExp): Promise<void>;
  /** Of an expression, or of the promise that it gives. */
  evaluate<T>(expression: string): Promise<T>;
  setDefaultTimeout(ms: number): void;
  bringToFront(): Promise<void>;
  /** Until nothing is loading any more. */
  waitForLoadState(state: 'networkidle'): Promise<void>;
  screenshot(options: { path: string; fullPage?: boolean; caret?: 'initial' }): Promise<unknown>;
  close(): Promise<void>;
};

/** How the screen is, and who sits there. */
export type Seat = {
  size?: { width: number; height: number };
  scheme?: 'light' | 'dark';
  language?: string;
};

export type SavedFile = { name: string; bytes: Buffer };
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

/** Somebody at a browser that knows nothing of anybody before: their first page, and what goes on around it. */
export type Visit = {
  engine: EngineName;
  page: EnginePage;
  address(): Promise<string>;
  /** What the page's policy refused, and what its scripts threw. */
  said(): string[];
  /** Tells of each answer with a text that the page got; WebKit tells of none. */
  hear?(then: (answer: { url: string; text: string }) => void): void;
  /** Asks the page's own site with the browser's cookies. */
  ask(url: string, request?: { method: string; data?: unknown }): Promise<{ ok: boolean; body: unknown }>;
  /** From now on the site finds this kept in the browser. */
  keeps(site: string, item: { key: string; value: string }): Promise<void>;
  saved(press: () => Promise<void>): Promise<SavedFile>;
  /** Presses what asks for a file, and gives it this one. */
  bring(press: () => Promise<void>, file: ChosenFile): Promise<void>;
  /** The window that a press opens. */
  popup(press: () => Promise<void>): Promise<EnginePage>;
  /** One more window of the same person. */
  beside(): Promise<EnginePage>;
  /** Leads the focus to the page's beginning where the tabulator has gone past its end and does not come round. */
  goRound?(): Promise<void>;
  /** What was copied last. */
  clipboard(): Promise<string>;
  close(): Promise<void>;
};

export type Engine = {
  name: EngineName;
  visit(seat?: Seat): Promise<Visit>;
  close(): Promise<void>;
};
