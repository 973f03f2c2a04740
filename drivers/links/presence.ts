/** Whether a device node is still the one that was opened: a vanished device takes its node with it. */
import { realpath, stat } from 'node:fs/promises';

/** Asks whether the node that stood at the path when this was made stands there still. */
export type DeviceNodeCheck = () => Promise<boolean>;

/**
 * Remembers the node behind this path. A device that was pulled and put back has a new node, perhaps of the same name,
 * which is another one. Where nodes cannot be looked at (Windows) the device is always taken to be there.
 */
export const presenceOf = async (path: string): Promise<DeviceNodeCheck> => {
  try {
    const node = await realpath(path);
    const first = await stat(node);
    return async () => {
      try {
        const now = await stat(node);
        return now.ino === first.ino && now.rdev === first.rdev;
      } catch {
        return false;
      }
    };
  } catch {
    return async () => true;
  }
};
