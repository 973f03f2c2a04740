/** Puts the version before in place again: by its installer, as each system has it. */
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';
import { extname } from 'node:path';

export type GoingBack = {
  installer: string;
  /** Of an AppImage: the file that was started. */
  appImage?: string | undefined;
  start(command: string, args: readonly string[]): void;
};

/** Detached: it outlives this program, which it replaces. */
export const startDetached = (command: string, args: readonly string[]): void => {
  spawn(command, args, { detached: true, stdio: 'ignore' }).unref();
};

/** Whether this system can go back without a person; a disk image cannot. */
export const goBack = ({ installer, appImage, start }: GoingBack): boolean => {
  switch (extname(installer).toLowerCase()) {
    case '.exe':
      start(installer, ['/S', '--force-run']);
      return true;
    case '.appimage':
      if (appImage === undefined) return false;
      copyFileSync(installer, appImage);
      chmodSync(appImage, 0o755);
      start(appImage, []);
      return true;
    case '.deb':
      start('pkexec', ['dpkg', '--install', '--force-downgrade', installer]);
      return true;
    default:
      return false;
  }
};
