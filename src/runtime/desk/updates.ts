/** Newer versions of this program: told and installed by whoever started it, which may be nobody. */
import type { DevicesDesk } from '../../api/ports/devices.ts';

export type Updates = Awaited<ReturnType<DevicesDesk['updates']>>;

/** The installed app's side: it looks for a newer version, and knows whether this is a moment to install it. */
export type Installer = { look(version: string): Promise<Updates> };

/** Without an installer it says so. */
export const updatesOf = async (version: string, installer?: Installer): Promise<Updates> =>
  (await installer?.look(version)) ?? {
    version,
    mayInstall: false,
    why: {
      code: 'updates.fromFolder',
      says: 'This till was started from its folder. Updates come with the installed app.',
    },
  };
