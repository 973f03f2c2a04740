/**
 * Whether two terminals that sell at the same time delay each other: the duration of a sale, alone and with another.
 */
import type { Terminal } from '../../drivers/terminal.ts';
import { money } from '../../src/base/money.ts';
import { median } from '../result.ts';
import { type OpenedTerminal, openReader, readers } from './rig.ts';

export type SideBySideBench = { name: string; aloneMs: number; togetherMs: number };

const SALES = 30;

/** Each driver with the next one in the list: alone, together, alone again. */
export const benchSideBySide = async (): Promise<SideBySideBench[]> => {
  const all = readers();
  const rows: SideBySideBench[] = [];
  for (const [index, driver] of all.entries()) {
    const other = all[(index + 1) % all.length] ?? driver;
    const [firstTerminal, secondTerminal] = [await openReader(driver, 1), await openReader(other, 2)];
    await sales(firstTerminal, 5);
    const aloneBefore = await sales(firstTerminal, SALES);
    const [together] = await Promise.all([sales(firstTerminal, SALES), sales(secondTerminal, SALES)]);
    const after = await sales(firstTerminal, SALES);
    await Promise.all([firstTerminal.close(), secondTerminal.close()]);
    rows.push({
      name: `${driver.title} beside ${other.title}`,
      aloneMs: median([...aloneBefore, ...after]),
      togetherMs: median(together),
    });
  }
  return rows;
};

/** Milliseconds of each sale. */
const sales = async ({ terminal }: OpenedTerminal, count: number): Promise<number[]> => {
  const took: number[] = [];
  for (let sale = 0; sale < count; sale += 1) {
    const start = performance.now();
    await sell(terminal);
    took.push(performance.now() - start);
  }
  return took;
};

/** A chip sale that ends with an issuer's simple approval: the chip's reaction does not matter here. */
const sell = async (terminal: Terminal): Promise<void> => {
  const request = { amount: money(1_000n, 'EUR'), kind: 'purchase', at: 1_770_000_000_000 } as const;
  const read = await terminal.read({ ...request, accept: ['chip'], withinMs: 60_000 }, () => {});
  if (read.kind !== 'goOnline') throw new Error(`the card said ${read.kind}`);
  await terminal.complete({ kind: 'declined', arc: '05' });
  if (!(await terminal.waitForRemoval(10_000))) throw new Error('the card was left in');
};
