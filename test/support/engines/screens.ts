/** Every screen of a till, for each person who works at it, on scripted services; in any engine. */

import { en } from '../../../src/locales/screens.ts';
import { sections } from '../../../src/ui/manager/sections.ts';
import { scriptedBooks } from '../screens/scripted/books.ts';
import { scriptedDevices } from '../screens/scripted/devices.ts';
import { scriptedPaper } from '../screens/scripted/paper.ts';
import { type ScriptedSelling, scriptedSelling } from '../screens/scripted/selling.ts';
import { scriptedStore } from '../screens/scripted/store.ts';
import { openStage, type ScriptedSessions, type Stage, scriptedEvents, scriptedSessions } from '../screens/stage.ts';
import { panels } from '../screens/technician-panels.ts';
import type { EnginePage } from './page.ts';

const PIN = '4711';

/** The addresses of each person's screens. */
export const screensOf = {
  Anna: ['/'],
  Max: sections.map(({ path }) => path),
  Tess: panels.map(({ path }) => `/technician/${path}`),
} as const;

export type Person = keyof typeof screensOf;

export type ScreenStage = Stage & { selling: ScriptedSelling; sessions: ScriptedSessions };

/** Nobody is signed in yet. */
export const openScreens = async (): Promise<ScreenStage> => {
  const events = scriptedEvents();
  const sessions = scriptedSessions();
  sessions.end();
  const selling = scriptedSelling({ mode: 'test', events, clock: () => Date.now() });
  const stage = await openStage({
    ...{ sessions, events, selling },
    paper: scriptedPaper(),
    books: scriptedBooks().service,
    store: scriptedStore(100).service,
    devices: scriptedDevices(),
  });
  return { ...stage, selling, sessions };
};

/** Chooses a name and types the PIN, at the page's present address. */
export const signIn = async (page: EnginePage, name: Person): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.locator('input[type=password]').waitFor();
  await page.keyboard.type(PIN);
  await page.keyboard.press('Enter');
  await standing(page, name);
};

/** Waits until this person's screen is shown. Throws when it failed. */
export const standing = async (page: EnginePage, name: Person): Promise<void> => {
  const head = name === 'Anna' ? page.locator('main button[aria-keyshortcuts=Enter]') : page.locator('nav').first();
  const crashTitle = page.getByText(en.shared.crashTitle);
  await head.or(crashTitle).first().waitFor();
  if (await crashTitle.isVisible()) throw new Error(`the screen of ${name} is dead`);
};
