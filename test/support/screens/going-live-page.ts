/** Every screen of a till in one of its modes, on scripted services. */

import type { Role } from '../../../src/api/contract/roles.ts';
import type { ShopFacts } from '../../../src/api/contract/session.ts';
import type { DisplayMode } from '../../../src/base/mode.ts';
import { type Browser, closePages, collectErrors, openPage, type Page } from './browser.ts';
import { scriptedBooks } from './scripted/books.ts';
import { scriptedDevices } from './scripted/devices.ts';
import { type ScriptedGoingLive, scriptedGoingLive } from './scripted/going-live.ts';
import { scriptedPaper } from './scripted/paper.ts';
import { type ScriptedSelling, scriptedSelling } from './scripted/selling.ts';
import { scriptedStore } from './scripted/store.ts';
import { openStage, type ScriptedSessions, type Stage, scriptedEvents, scriptedSessions } from './stage.ts';

export type ModePage = {
  page: Page;
  stage: Stage;
  sessions: ScriptedSessions;
  selling: ScriptedSelling;
  goingLive: ScriptedGoingLive;
  books: ReturnType<typeof scriptedBooks>;
  shop: { mode: DisplayMode };
  /** What the page's scripts threw or reported. */
  lines: string[];
};

type PageOptions = {
  as?: Role;
  mode?: DisplayMode;
  path?: string;
  language?: string;
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
  goingLive?: ScriptedGoingLive;
  /** Other facts of the shop. */
  shop?: Partial<ShopFacts>;
  /** Instead of Anna, Max and Tess. */
  people?: Record<string, Role>;
};

const open: ModePage[] = [];

/** Opens this address of a till, with a person of the role signed in. */
export const openModePage = async (browser: Browser, options: PageOptions = {}): Promise<ModePage> => {
  const { as = 'manager', mode = 'test', path = '', language, width = 1280, height = 800, scheme = 'light' } = options;
  const { goingLive = scriptedGoingLive() } = options;
  const events = scriptedEvents();
  const shop = { ...options.shop, mode };
  const sessions = scriptedSessions(as, { shop, people: options.people });
  const selling = scriptedSelling({ mode, events, clock: () => Date.now() });
  const books = scriptedBooks();
  const stage = await openStage({
    ...{ sessions, events, selling, goingLive },
    paper: scriptedPaper(),
    books: books.service,
    store: scriptedStore(100).service,
    devices: scriptedDevices(),
  });
  const seat = { viewport: { width, height }, colorScheme: scheme, cookies: [stage.cookie] };
  const page = await openPage(browser, stage.url, seat);
  const lines = collectErrors(page);
  if (language !== undefined)
    await page.addInitScript(`localStorage.setItem('tillgate.language', ${JSON.stringify(language)})`);
  await page.goto(stage.url + path);
  const shown = { page, stage, sessions, selling, goingLive, books, shop, lines };
  open.push(shown);
  return shown;
};

export const closeModePages = async (): Promise<void> => {
  for (const { page, stage } of open.splice(0)) {
    await closePages(page);
    await stage.close();
  }
};
