/** A till's folder, opened by a command that needs neither terminal nor gateway. */
import { systemClock } from '../base/clock.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import type { ShownMode } from '../base/mode.ts';
import { systemStretchCost } from '../base/stretch.ts';
import { shownMode } from '../folder/till-folder.ts';
import { modeOf } from '../folder/till-mode.ts';
import { type FolderTill, openFolderTill } from '../takeover/unsent.ts';
import { tellJudged } from './shown-mode.ts';
import { type FolderFlags, folderOf } from './till-folder-option.ts';

/** Opens the folder, runs `work`, and closes it whatever happens. */
export const withFolderTill = async <T>(
  flags: FolderFlags,
  work: (till: FolderTill & { shown: ShownMode }) => T | Promise<T>,
): Promise<T> => {
  const folder = folderOf(flags);
  const till = openFolderTill(folder, {
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    stretchCost: systemStretchCost,
  });
  try {
    tellJudged(till);
    return await work({ ...till, shown: shownMode(folder, modeOf(till.journal)) });
  } finally {
    till.close();
  }
};
