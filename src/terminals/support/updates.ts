/** Newer versions of this program, reported and installed by whatever started it, if it can. */
import type { DevicesPort } from '../../api/ports/devices.ts';
import { fill } from '../../base/placeholders.ts';

export type Updates = Awaited<ReturnType<DevicesPort['updates']>>;

/** Why a newer version is not installed, in English and as a localized message. */
export type UpdateReason = NonNullable<Updates['why']>;

/** The installed app's side: looks for a newer version, and knows whether it can be installed now. */
export type Installer = { check(version: string): Promise<Updates> };

/** Why a newer version is not installed, and what to do; other languages have the same keys (`reasons`). */
export const updateWhys = {
  fromFolder: 'This till was started from its folder. Updates come with the installed app.',
  bad:
    'Version {version} was installed here before and kept stopping. The till will skip it and install the next ' +
    'version.',
  package:
    'This till was installed as a system package, which only an administrator can replace: sudo apt install ' +
    '{file}',
  programFiles:
    'This till is installed in {folder}, for all users of this machine. Such an installation does not update ' +
    'itself. Have an administrator remove Tillgate in the Windows settings, under Apps. Then sign in as the ' +
    'person who sells and open {file}; it needs no administrator. Sales and settings are kept.',
  folder:
    'Tillgate cannot replace its own file in {folder}: this user cannot write there. The current version keeps ' +
    'working. Move the AppImage into a folder of this user, and start it there. Sales and settings are kept.',
  room:
    'The disk has too little free space to install version {version}: it needs {megabytes} MB. The current ' +
    'version keeps working. Free some space; the till tries again within six hours.',
  failed:
    'Version {version} could not be installed: {why}. The current version keeps working. The till tries again ' +
    'within six hours.',
  gaveUp:
    'Installing version {version} failed three times. The current version keeps working. The till will skip it ' +
    'and try the next version. Call support, with the reports in {folder}.',
} as const;

export type UpdateReasonCode = keyof typeof updateWhys;

/** In English for readers that do not know the code. */
export const tellUpdate = (
  name: UpdateReasonCode,
  facts: Readonly<Record<string, string | number>> = {},
): UpdateReason => ({
  code: `updates.${name}`,
  says: fill<string>(updateWhys[name], facts),
  facts: Object.keys(facts).length > 0 ? facts : undefined,
});

/** Without an installer the answer says that updates come with the installed app. */
export const updatesOf = async (version: string, installer?: Installer): Promise<Updates> =>
  (await installer?.check(version)) ?? { version, mayInstall: false, why: tellUpdate('fromFolder') };
