/** Newer versions of this program, reported and installed by whatever started it, if it can. */
import type { DevicesPort } from '../../api/ports/devices.ts';
import { fill } from '../../base/placeholders.ts';

export type Updates = Awaited<ReturnType<DevicesPort['updates']>>;

/** Why a newer version is not installed, in English and as a localized message. */
export type UpdateReason = NonNullable<Updates['why']>;

/** The installed app's side: looks for a newer version, and knows whether it can be installed now. */
export type Installer = { look(version: string): Promise<Updates> };

/** Why a newer version is not installed, and what to do; other languages have the same keys (`reasons`). */
export const updateWhys = {
  fromFolder: 'This till was started from its folder. Updates come with the installed app.',
  bad:
    'Version {version} was installed here before, and ended again and again. It is not installed again; the version ' +
    'after it is.',
  package:
    'This till was installed as a package of the system, which only an administrator replaces: sudo apt install {file}',
  programFiles:
    'This till is installed below {folder}, for everybody on this machine. Such an installation does not update itself. ' +
    'Have an administrator remove Tillgate in the settings of Windows, under Apps. Then open {file}, signed in as the ' +
    'person who sells; it asks for no administrator. Sales and settings stay.',
  folder:
    'Tillgate cannot replace its own file in {folder}: this user may not write there. The present version goes on. Move ' +
    'the AppImage into a folder of this user, and start it there. Sales and settings stay.',
  room:
    'The disk has too little room to install version {version}: {megabytes} MB have to be free. The present version goes ' +
    'on. Make room; the till tries again by itself, within six hours.',
  failed:
    'Version {version} could not be installed: {why}. The present version goes on. The till tries again by itself, within ' +
    'six hours.',
  gaveUp:
    'Version {version} could not be installed three times, and the present version goes on. The till does not try it ' +
    'again; it will try the version after it. Call support, with the reports in {folder}.',
} as const;

export type UpdateWhy = keyof typeof updateWhys;

/** In English for readers that do not know the code. */
export const tellUpdate = (name: UpdateWhy, facts: Readonly<Record<string, string | number>> = {}): UpdateReason => ({
  code: `updates.${name}`,
  says: fill<string>(updateWhys[name], facts),
  facts: Object.keys(facts).length > 0 ? facts : undefined,
});

/** Without an installer it says so. */
export const updatesOf = async (version: string, installer?: Installer): Promise<Updates> =>
  (await installer?.look(version)) ?? { version, mayInstall: false, why: tellUpdate('fromFolder') };
