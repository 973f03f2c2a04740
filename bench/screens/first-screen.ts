/**
 * How soon a slow machine's browser accepts a key: for signing in, and for a cashier whose screen is reloaded. An empty
 * page of the same parts, in the same rounds, shows how much of it is ours.
 */
import type { CDPSession, Page } from 'playwright-core';
import { median } from '../result.ts';
import { type Floor, serveFloorPage } from './floor.ts';
import { inBrowser } from './page.ts';
import { addFirstStaff, inShop, openTerminal, people, startScreens } from './shop.ts';
import { signIn } from './visitor.ts';

/** How much slower the browser's processor is made. */
export const SLOWDOWN = 4;

/** Medians, ms from the navigation on: with the browser's cache of the last visit, and without. */
export type FirstScreen = { warm: number; cold: number };

/** Records when the element is in the page and its frame was drawn. */
const notingScript = `
  const look = new MutationObserver(() => {
    if (window.ready !== undefined) return;
    const found = document.querySelector('.tg-people button, input[type=password], [aria-keyshortcuts~=Enter]');
    if (found === null || found.disabled) return;
    look.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.ready = performance.now(); window.told?.() };
      port2.postMessage(0);
    });
  });
  look.observe(document, { subtree: true, childList: true, attributes: true });`;

type OpenedPage = { page: Page; debuggers: CDPSession; url: string };

const visit = async ({ page, debuggers, url }: OpenedPage, isCold: boolean): Promise<number> => {
  if (isCold) await debuggers.send('Network.clearBrowserCache');
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return (await page.evaluate(
    'window.ready ?? new Promise((done) => { window.told = () => done(window.ready) })',
  )) as number;
};

const measureOpened = async (opened: readonly OpenedPage[], rounds: number): Promise<FirstScreen[]> => {
  const times = opened.map(() => ({ warm: [] as number[], cold: [] as number[] }));
  // The first round includes the browser's one-time work, and fills its compile cache.
  for (let round = -2; round < rounds; round += 1)
    for (const [index, openedPage] of opened.entries()) {
      const cold = await visit(openedPage, true);
      await visit(openedPage, false);
      const warm = await visit(openedPage, false);
      if (round >= 0) times[index]?.cold.push(cold);
      if (round >= 0) times[index]?.warm.push(warm);
    }
  return times.map(({ warm, cold }) => ({ warm: Math.round(median(warm)), cold: Math.round(median(cold)) }));
};

export type FirstScreens = { signIn: FirstScreen; cashier: FirstScreen; floor: FirstScreen };

/** In turns, so that other load on the machine affects all of them. */
export const measureFirstScreens = (rounds: number): Promise<FirstScreens> =>
  inShop(async (folder) => {
    await addFirstStaff(folder);
    const terminal = await openTerminal({ cardholder: () => undefined as never });
    const till = await startScreens(folder, terminal.address);
    const floor: Floor = await serveFloorPage();
    const slowPage = { slowdown: SLOWDOWN, script: notingScript };
    const opening = async (page: Page, url: string): Promise<OpenedPage> => ({
      ...{ page, url },
      debuggers: await page.context().newCDPSession(page),
    });
    try {
      const { cookie } = await signIn(till.url, people.cashier);
      return await inBrowser({ url: till.url, ...slowPage }, (signedOutPage) =>
        inBrowser({ url: till.url, cookie, ...slowPage }, (anna) =>
          inBrowser({ url: floor.url, ...slowPage }, async (empty) => {
            const opened = [
              await opening(signedOutPage, till.url),
              await opening(anna, till.url),
              await opening(empty, floor.url),
            ];
            const noFloor = { warm: Number.POSITIVE_INFINITY, cold: Number.POSITIVE_INFINITY };
            const [door = noFloor, cashier = noFloor, least = noFloor] = await measureOpened(opened, rounds);
            return { signIn: door, cashier, floor: least };
          }),
        ),
      );
    } finally {
      await till.close();
      await terminal.close();
      await floor.close();
    }
  });
