/** The page of a till with a person signed in, or about to sign in, over scripted services. */
import { type Browser, closePages, collectErrors, openPage, type Page } from './browser.ts';
import { scriptedBooks } from './scripted/books.ts';
import { scriptedDevices } from './scripted/devices.ts';
import { scriptedPaper } from './scripted/paper.ts';
import { scriptedSelling } from './scripted/selling.ts';
import { scriptedStore } from './scripted/store.ts';
import { openStage, type ScriptedSessions, type Stage, scriptedEvents } from './stage.ts';

/** `lines`: the warnings and errors in the page's console. */
export type SignInPage = {
  page: Page;
  stage: Stage;
  sessions: ScriptedSessions;
  lines: string[];
  close(): Promise<void>;
};

type PageOptions = { width?: number; height?: number; scheme?: 'light' | 'dark'; language?: string };

export const openSignInPage = async (
  browser: Browser,
  sessions: ScriptedSessions,
  { width = 1366, height = 768, scheme = 'light', language }: PageOptions = {},
): Promise<SignInPage> => {
  const events = scriptedEvents();
  const stage = await openStage({
    sessions,
    events,
    selling: scriptedSelling({ mode: 'test', events, clock: () => Date.UTC(2026, 10, 20, 13, 2) }),
    paper: scriptedPaper(),
    books: scriptedBooks().service,
    store: scriptedStore(100).service,
    devices: scriptedDevices(),
  });
  const seat = { viewport: { width, height }, colorScheme: scheme, cookies: [stage.cookie] };
  const page = await openPage(browser, stage.url, seat);
  const lines = collectErrors(page);
  if (language !== undefined)
    await page.addInitScript(`localStorage.setItem('tillgate.language', ${JSON.stringify(language)})`);
  await page.goto(stage.url);
  return {
    page,
    stage,
    sessions,
    lines,
    async close() {
      await closePages(page);
      await stage.close();
    },
  };
};
