/** The manager's screen in a browser, on the bakery's scripted books. */
import type { Sessions } from '../../../src/api/ports/session.ts';
import { type Browser, closePages, collectErrors, openPage, type Page } from './browser.ts';
import { type BooksSituation, scriptedBooks } from './scripted/books.ts';
import { scriptedStore } from './scripted/store.ts';
import { openStage, type Stage, scriptedSessions } from './stage.ts';

const line = {
  ...{ online: true, since: 0, unknown: 0, forPerson: 0, offline: { ready: true } },
  waiting: { count: 0, total: { amount: '0.00', currency: 'EUR' } },
};

type PageOptions = { width?: number; height?: number; colorScheme?: 'light' | 'dark'; situation?: BooksSituation };
export type ManagerPage = {
  page: Page;
  stage: Stage;
  /** What the page's scripts threw or reported. */
  lines: string[];
  books: ReturnType<typeof scriptedBooks>;
  store: ReturnType<typeof scriptedStore>;
  sessions: Sessions;
};
const open: ManagerPage[] = [];

/** Opens this address of the stage, and waits for its heading. */
export const showManager = async (browser: Browser, path: string, options: PageOptions = {}): Promise<ManagerPage> => {
  const { width = 1366, height = 800, colorScheme = 'light', situation = 'busy' } = options;
  const books = scriptedBooks(situation);
  const store = scriptedStore();
  const sessions = scriptedSessions('manager');
  const selling = { line: () => line } as never;
  const stage = await openStage({ sessions, selling, books: books.service, store: store.service });
  const seat = { viewport: { width, height }, colorScheme, cookies: [stage.cookie] };
  const page = await openPage(browser, stage.url, seat);
  const lines = collectErrors(page);
  const shown = { page, stage, lines, books, store, sessions };
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

export const text = (page: Page, content: string | RegExp) => page.getByText(content).first();
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
