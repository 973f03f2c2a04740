/**
 * How soon the terminal receives a key press, and the cashier sees the terminal's reaction: Chromium at a real till
 * process, and a simulated terminal that records the time of each piece of data.
 */
import { join } from 'node:path';
import { presentationFor, repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import { median } from '../result.ts';
import { clockOffset, inBrowser } from './page.ts';
import { addFirstStaff, inShop, openTerminal, people, startProcess } from './shop.ts';
import type { Mark } from './till-process.ts';
import { signIn } from './visitor.ts';

/** Medians, ms. */
export type Reaction = {
  sales: number;
  /** From the key press: to the request at the till, the intent on the disk, the terminal's first byte. */
  toRequest: number;
  toDurable: number;
  toFirstByte: number;
  firstByteMost: number;
  /** From the terminal's bytes to the frame that shows them. */
  toPixel: number;
  pixelMost: number;
};

/**
 * The customer's delay: the connection is silent before the card, so that its bytes can be told from the earlier ones.
 */
const CUSTOMER_MS = 700;
const SILENCE_MS = 400;

/** Records the time of each Enter in the browser, and of the frame that shows each change of a terminal's phase. */
const noteScript = `
  window.noted = { enters: [], frames: [] };
  const press = ({ key, timeStamp }) => { if (key === 'Enter') noted.enters.push(timeStamp) };
  addEventListener('keydown', press, true);
  let shown = '';
  new MutationObserver(() => {
    const words = document.querySelector('section[data-state=busy] h2')?.textContent ?? '';
    if (words === shown) return;
    shown = words;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => noted.frames.push({ words, at: performance.now() });
      port2.postMessage(0);
    });
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

type PageEvents = { enters: number[]; frames: { text: string; at: number }[] };

/** Measures `sales` sales, after two that do the one-time work. Throws if a sale is not approved. */
export const measureReaction = (sales: number): Promise<Reaction> =>
  inShop(async (folder) => {
    await addFirstStaff(folder);
    const wire = { to: [] as number[], from: [] as number[], durable: [] as number[], request: [] as number[] };
    const terminal = await openTerminal({
      cardholder: repeatingCardholder([presentationFor({ card: 'mastercard-m10', by: 'chip', afterMs: CUSTOMER_MS })]),
      wire: { toTerminal: (at) => wire.to.push(at), fromTerminal: (at) => wire.from.push(at) },
    });
    const till = await startProcess(join(import.meta.dirname, 'till-process.ts'), [folder, terminal.address]);
    till.child.on('message', (mark: Mark) => wire[mark.step].push(mark.at));
    try {
      const anna = await signIn(till.url, people.cashier);
      const visit = { url: till.url, cookie: anna.cookie, script: noteScript };
      return await inBrowser(visit, async (page) => {
        await page.goto(till.url);
        await page.getByRole('button', { name: /^T1/ }).waitFor();
        const waitUntilFree = async (): Promise<void> => {
          for (;;) {
            const [first] = await anna.request<{ state: string }[]>('counters');
            if (first?.state === 'ready') return;
            await page.waitForTimeout(100);
          }
        };
        for (let n = 0; n < sales + 2; n += 1) {
          await waitUntilFree();
          // As a person types: the screen shows the digits before they are sent.
          await page.keyboard.type('500', { delay: 40 });
          await page.waitForTimeout(200);
          await page.keyboard.press('Enter');
          await page.locator('section[data-state=busy]').waitFor();
          await page.locator('section[data-state=approved]').waitFor({ timeout: 60_000 });
        }
        const offset = await clockOffset(page);
        const pageEvents = (await page.evaluate('noted')) as PageEvents;
        return summarizeEvents(pageEvents, wire, offset);
      });
    } finally {
      await till.close();
      await terminal.close();
    }
  });

type Wire = Record<'to' | 'from' | 'durable' | 'request', readonly number[]>;

const summarizeEvents = ({ enters, frames }: PageEvents, wire: Wire, offset: number): Reaction => {
  const firstAfter = (moments: readonly number[], after: number): number =>
    moments.find((at) => at > after) ?? Number.POSITIVE_INFINITY;
  const rows = enters.slice(2).map((enterTime) => {
    const pressedAt = enterTime + offset;
    const durableAt = firstAfter(wire.durable, pressedAt);
    const sentAt = firstAfter(wire.to, durableAt);
    // The card's own bytes: the first after the customer's delay.
    const card = wire.from.find(
      (at, index) => at > sentAt + SILENCE_MS && at - (wire.from[index - 1] ?? 0) > SILENCE_MS,
    );
    const shownAt = firstAfter(
      frames.map(({ at }) => at + offset),
      card ?? Number.POSITIVE_INFINITY,
    );
    return {
      request: firstAfter(wire.request, pressedAt) - pressedAt,
      durable: durableAt - pressedAt,
      byte: sentAt - pressedAt,
      pixel: shownAt - (card ?? 0),
    };
  });
  const timesOf = (name: keyof (typeof rows)[number]): number[] => rows.map((row) => row[name]);
  return {
    sales: rows.length,
    toRequest: median(timesOf('request')),
    toDurable: median(timesOf('durable')),
    toFirstByte: median(timesOf('byte')),
    firstByteMost: Math.max(...timesOf('byte')),
    toPixel: median(timesOf('pixel')),
    pixelMost: Math.max(...timesOf('pixel')),
  };
};
