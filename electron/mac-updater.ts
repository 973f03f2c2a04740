/** The updater that a Mac's system brings (Squirrel.Mac): it takes over what was fetched, and checks who signed it. */
import type { AutoUpdater } from 'electron';

/**
 * Resolves when it has unpacked and checked the version; it needs only to end this app then. Rejects why it refuses.
 * electron-updater has told it before where the fetched file is.
 */
export const takenByMac = (updater: Pick<AutoUpdater, 'on' | 'removeListener' | 'checkForUpdates'>): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (how: () => void): void => {
      updater.removeListener('error', refused);
      updater.removeListener('update-not-available', nothing);
      updater.removeListener('update-downloaded', taken);
      how();
    };
    const refused = (error: Error): void => end(() => reject(error));
    const nothing = (): void => refused(new Error('it was not offered the version that was fetched'));
    const taken = (): void => end(resolve);
    updater.on('error', refused);
    updater.on('update-not-available', nothing);
    updater.on('update-downloaded', taken);
    updater.checkForUpdates();
  });
