/** Whether the app is opened at sign-in: only if a person has requested it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { makeFolder } from '../src/base/files.ts';

export type LoginItemParts = {
  argv: readonly string[];
  platform: string;
  app: Pick<App, 'setLoginItemSettings'>;
  /** The file that a person starts: the AppImage, or the program. */
  program: string;
  /** On Linux: the folder of the user's configuration, usually `~/.config`. */
  configHome: string;
};

const ON = '--start-at-login';
const OFF = '--no-start-at-login';

/** `--start-at-login` and `--no-start-at-login` change the setting permanently; without either it is not touched. */
export const setLoginItem = ({ argv, platform, app, program, configHome }: LoginItemParts): void => {
  const isOn = argv.includes(ON);
  if (!isOn && !argv.includes(OFF)) return;
  if (platform !== 'linux') app.setLoginItemSettings({ openAtLogin: isOn, args: keptArguments(argv) });
  else setDesktopEntry(join(configHome, 'autostart'), isOn ? desktopEntry(program, keptArguments(argv)) : undefined);
};

const setDesktopEntry = (folder: string, entry: string | undefined): void => {
  const file = join(folder, 'tillgate.desktop');
  if (entry === undefined) {
    rmSync(file, { force: true });
    return;
  }
  makeFolder(folder);
  writeFileSync(file, entry);
};

/** The arguments of that start: a kiosk stays one, and the till's own folder is passed again. */
const keptArguments = (argv: readonly string[]): string[] => {
  const i = argv.indexOf('--data');
  const data = i < 0 ? [] : argv.slice(i, i + 2);
  return [...(argv.includes('--kiosk') ? ['--kiosk'] : []), ...data];
};

/** As the Desktop Entry Specification requires: quoted, special characters escaped by a backslash, and `%` doubled. */
const desktopEntry = (program: string, args: readonly string[]): string => {
  const quoted = [program, ...args].map((part) => `"${part.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`);
  return `[Desktop Entry]\nType=Application\nName=Tillgate\nExec=${quoted.join(' ')}\nTerminal=false\n`;
};
