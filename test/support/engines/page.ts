/**
 * What tests require of a browser's page in every engine. The first part is a subset of Playwright's page, so the pages
 * of Chromium and Firefox can be used directly; WebKit's is implemented with WebDriver commands.
 */
import type { Page } from 'playwright-core';

export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engines)[number];

export type Role = Parameters<Page['getByRole']>[0];
export type Words = string | RegExp;
/** Milliseconds. */
type Within = { timeout?: number };

/** Where places are looked for: in a page, a frame, or a place. */
export type Finder = {
  locator(css: string, options?: { hasText?: Words }): Place;
  getByRole(role: Role, options?: { name?: Words; exact?: boolean; level?: number }): Place;
  getByText(text: Words, options?: { exact?: boolean }): Place;
  getByLabel(text: Words, options?: { exact?: boolean }): Place;
};

/** Elements that are looked up again at each call; actions wait until they are possible. */
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
  /** Resolves as soon as the previous page is there: a page restored from the cache is not loaded. */
  goBack(options: { waitUntil: 'commit' }): Promise<unknown>;
  waitForURL(url: RegExp): Promise<void>;
  /** The value of an expression, or of the promise it returns. */
  evaluate<T>(expression: string): Promise<T>;
  setDefaultTimeout(ms: number): void;
  bringToFront(): Promise<void>;
  /** Waits until nothing is loading any more. */
  waitForLoadState(state: 'networkidle'): Promise<void>;
  screenshot(options: { path: string; fullPage?: boolean; caret?: 'initial' }): Promise<unknown>;
  close(): Promise<void>;
};

/** The kind of screen, and who uses it. */
export type VisitOptions = {
  size?: { width: number; height: number };
  scheme?: 'light' | 'dark';
  language?: string;
};

export type SavedFile = { name: string; bytes: Buffer };
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

/** Somebody at a browser that knows nobody yet: their first page, and what surrounds it. */
export type Visit = {
  engine: EngineName;
  page: EnginePage;
  address(): Promise<string>;
  /** What the page's policy refused, and what its scripts threw. */
  consoleLines(): string[];
  /** Reports each text answer that the page received; WebKit reports none. */
  onAnswer?(listener: (answer: { url: string; text: string }) => void): void;
  /** Sends a request to the page's own site with the browser's cookies. */
  ask(url: string, request?: { method: string; data?: unknown }): Promise<{ ok: boolean; body: unknown }>;
  /** From now on the site finds this item in the browser's storage. */
  storeItem(site: string, item: { key: string; value: string }): Promise<void>;
  saved(press: () => Promise<void>): Promise<SavedFile>;
  /** Presses what asks for a file, and gives it this one. */
  chooseFile(press: () => Promise<void>, file: ChosenFile): Promise<void>;
  /** The window that a press opens. */
  popup(press: () => Promise<void>): Promise<EnginePage>;
  /** Another window of the same person. */
  openPage(): Promise<EnginePage>;
  /** Moves the focus to the page's beginning where Tab leaves the page at its end and does not come back. */
  focusFromStart?(): Promise<void>;
  /** The text copied last. */
  clipboard(): Promise<string>;
  close(): Promise<void>;
};

export type Engine = {
  name: EngineName;
  visit(seat?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
};
