/** A till's folder, opened by a command that needs neither terminal nor gateway. */
import { systemClock } from '../base/clock.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { systemStretchCost } from '../base/stretch.ts';
import { type FolderTill, openFolderTill } from '../runtime/unsent.ts';

/** Opens the folder, runs `work`, and closes it whatever happens. */
export const withFolderTill = async <T>(folder: string, work: (till: FolderTill) => T | Promise<T>): Promise<T> => {
  const till = openFolderTill(folder, {
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    stretchCost: systemStretchCost,
  });
  try {
    return await work(till);
  } finally {
    till.close();
  }
};
