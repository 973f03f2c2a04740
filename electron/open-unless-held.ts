/** Opens the till, unless another program works on its folder: a till in another sign-in, or a command. */
import { type Clock, pause } from '../src/base/clock.ts';
import { isFault } from '../src/base/fault.ts';
import { type FolderHolder, folderHolder } from '../src/folder/rights/folder-holder.ts';
import { type DesktopTill, type ServedTillWish, serveOnSocket } from './served-till.ts';

export type OpenTillResult = { served: DesktopTill } | { heldBy: FolderHolder };

type Waiting = {
  clock: Clock;
  /** Whether the till was told to end meanwhile. */
  isEnding(): boolean;
};

/** A command does not answer, and is done in a moment. */
const TRIES = 10;
const AGAIN_MS = 1_000;

/** Throws what `serveOnSocket` throws, but `journal.busy`. */
export const openUnlessHeld = async (wish: ServedTillWish, { clock, isEnding }: Waiting): Promise<OpenTillResult> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return { served: await serveOnSocket(wish) };
    } catch (error) {
      if (!isFault(error, 'journal.busy')) throw error;
    }
    const heldBy = await folderHolder(wish.dataDir);
    if (heldBy !== 'nobody' || tries === TRIES || isEnding()) return { heldBy };
    await pause(clock, AGAIN_MS);
  }
};
