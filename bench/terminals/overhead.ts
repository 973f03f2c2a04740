/** A driver's share of one command: a harmless query to a simulated terminal in this process, there and back. */
import { median } from '../result.ts';
import { openReader, readers } from './rig.ts';

export type OverheadBench = { name: string; medianMs: number };

const WARM_UP = 500;
const COUNT = 3_000;

/** Includes the simulated device's own time, so the driver's is less. */
export const benchOverhead = async (): Promise<OverheadBench[]> => {
  const rows: OverheadBench[] = [];
  for (const driver of readers()) {
    const { terminal, close } = await openReader(driver, 1);
    const took: number[] = [];
    for (let count = 0; count < WARM_UP + COUNT; count += 1) {
      const start = performance.now();
      await terminal.echo();
      if (count >= WARM_UP) took.push(performance.now() - start);
    }
    await close();
    rows.push({ name: driver.title, medianMs: median(took) });
  }
  return rows;
};
