/**
 * The memory of a till process over a shop's day: sales through its API, with a cashier's and a manager's page open,
 * then the same without any page.
 */
import { presentationFor, repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import type { Result } from '../../src/api/contract/sales.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { inBrowser } from './page.ts';
import { addFirstStaff, inShop, memoryOf, openTerminal, people, startScreens, type TillProcess } from './shop.ts';
import { signIn, type Visitor } from './visitor.ts';

/** MB after the start, after each eighth of the day, and the maximum. */
export type DayMemory = { started: number; eighths: number[]; highestMb: number };

/** People who act at once. */
const instant: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 1000, then) };

const LOOK_MS = 5;
const pause = (): Promise<void> => new Promise((resolve) => systemClock.after(LOOK_MS, resolve));

/** A whole day of these sales stays within the test card's credit. */
const PRICE = '1.25';

const sellOne = async (anna: Visitor): Promise<void> => {
  const { id } = await anna.sell(PRICE);
  for (;;) {
    const { result } = await anna.request<{ result?: Result }>(`live/${id}`);
    if (result !== undefined && result.ending !== 'approved')
      throw new Error(`a sale ended ${result.ending}: ${result.says}`);
    const [counter] = await anna.request<{ state: string }[]>('counters');
    if (result !== undefined && counter?.state === 'ready') return;
    await pause();
  }
};

const sellAll = async (till: TillProcess, anna: Visitor, sales: number): Promise<DayMemory> => {
  const started = memoryOf(till).now;
  const eighths: number[] = [];
  for (let n = 1; n <= sales; n += 1) {
    await sellOne(anna);
    if (n % Math.ceil(sales / 8) === 0) eighths.push(memoryOf(till).now);
  }
  return { started, eighths, highestMb: memoryOf(till).most };
};

const day = (work: (till: TillProcess) => Promise<DayMemory>): Promise<DayMemory> =>
  inShop(async (folder) => {
    await addFirstStaff(folder);
    const cardholder = repeatingCardholder([presentationFor({ card: 'mastercard-m10', by: 'chip' })]);
    const terminal = await openTerminal({ cardholder, clock: instant });
    try {
      // The first start of a version compiles code that the next ones load from the cache.
      await (await startScreens(folder, terminal.address)).close();
      const till = await startScreens(folder, terminal.address);
      try {
        return await work(till);
      } finally {
        await till.close();
      }
    } finally {
      await terminal.close();
    }
  });

/** The cashier's and the manager's page are open throughout the day. */
export const dayWithPages = (sales: number): Promise<DayMemory> =>
  day(async (till) => {
    const anna = await signIn(till.url, people.cashier);
    const max = await signIn(till.url, people.manager);
    return await inBrowser({ url: till.url, cookie: anna.cookie }, (cashier) =>
      inBrowser({ url: till.url, cookie: max.cookie }, async (manager) => {
        await cashier.goto(till.url);
        await cashier.getByRole('button', { name: /^T1/ }).waitFor();
        await manager.goto(`${till.url}manager`);
        await manager.getByRole('heading').first().waitFor();
        return await sellAll(till, anna, sales);
      }),
    );
  });

/** The same sales over the API only. */
export const dayWithoutPages = (sales: number): Promise<DayMemory> =>
  day(async (till) => sellAll(till, await signIn(till.url, people.cashier), sales));
