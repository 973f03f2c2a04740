/** Whether a path of Windows leads over the network: it is written so, its drive is mapped, or a link leads there. */
import { realpathSync } from 'node:fs';
import { win32 } from 'node:path';

/** Where a path leads, through mapped drives and links. Throws where there is nothing. */
export type Follow = (path: string) => string;

/** The share, `\\server\share`; undefined for a path of this machine, and for one that leads nowhere. */
export const shareOf = (path: string, follow: Follow = realpathSync.native): string | undefined =>
  shareIn(path) ?? shareIn(followed(win32.resolve(path), follow));

/** What is not made yet will lie where the folder above it leads. */
const followed = (path: string, follow: Follow): string => {
  try {
    return follow(path);
  } catch {
    const above = win32.dirname(path);
    return above === path ? '' : followed(above, follow);
  }
};

/** `\\?\C:\till` and `\\.\C:\till` are paths of this machine. */
const shareIn = (path: string): string | undefined => {
  const [, server, share] = /^\\\\(?:\?\\UNC\\)?([^\\?.][^\\]*)\\([^\\]+)/i.exec(path.replaceAll('/', '\\')) ?? [];
  return server === undefined || share === undefined ? undefined : `\\\\${server}\\${share}`;
};
