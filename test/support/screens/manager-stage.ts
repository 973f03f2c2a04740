/** The manager's screen in a browser, on the bakery's scripted books. */
import type { Sessions } from '../../../src/api/ports/session.ts';
import { type Browser, closePages, openPage, type Page, troubles } from './browser.ts';
import { type Mood, scriptedBooks } from './scripted/books.ts';
import { scriptedStore } from './scripted/store.ts';
import { openStage, type Stage, scriptedSessions } from './stage.ts';

const line = {
  ...{ online: true, since: 0, unknown: 0, forPerson: 0, offline: { ready: true } },
  waiting: { count: 0, total: { amount: '0.00', currency: 'EUR' } },
};

type Look = { width?: number; height?: number; colorScheme?: 'light' | 'dark'; mood?: Mood };
export type Shown = {
  page: Page;
  stage: Stage;
  /** What the page's scripts threw or reported. */
  said: string[];
  books: ReturnType<typeof scriptedBooks>;
  store: ReturnType<typeof scriptedStore>;
  sessions: Sessions;
};
const open: Shown[] = [];

/** Opens this address of the stage, and waits for its heading. */
export const showManager = async (browser: Browser, path: string, look: Look = {}): Promise<Shown> => {
  const { width = 1366, height = 800, colorScheme = 'light', mood = 'busy' } = look;
  const books = scriptedBooks(mood);
  const store = scriptedStore();
  const sessions = scriptedSessions('manager');
  const selling = { line: () => line } as never;
  const stage = await openStage({ sessions, selling, books: books.service, store: store.service });
  const seat = { viewport: { width, height }, colorScheme, cookies: [stage.cookie] };
  const page = await openPage(browser, stage.url, seat);
  const said = troubles(page);
  const shown = { page, stage, said, books, store, sessions };
  open.push(shown);
  await page.goto(stage.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return shown;
};

export const closeManagers = async (): Promise<void> => {
  for (const { page, stage } of open.splice(0)) {
    await closePages(page);
    await stage.close();
  }
};

export const text = (page: Page, words: string | RegExp) => page.getByText(words).first();
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
