/** The installer of the version that runs, where its system keeps one: without it a first update has no way back. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UpdateFiles } from './update-files.ts';
import { onOwnFound } from './updates.ts';

export type OwnParts = {
  version: string;
  platform: string;
  /** Of an AppImage: the file that was started, which is its own installer. */
  appImage: string | undefined;
  /** `%LOCALAPPDATA%`. */
  localAppData: string | undefined;
  files: UpdateFiles;
};

/** What the installer of Windows leaves beside its updater's cache: a copy of itself (electron-builder's script). */
const leftBy = ({ platform, appImage, localAppData }: OwnParts): string | undefined => {
  if (appImage !== undefined) return appImage;
  if (platform !== 'win32' || localAppData === undefined) return undefined;
  return join(localAppData, 'tillgate-updater', 'installer.exe');
};

/** Keeps it, where it is not kept yet. Throws what the disk throws. */
export const keepOwnInstaller = (parts: OwnParts): void => {
  const { files, version } = parts;
  const state = files.read();
  if (state.kept.some((one) => one.version === version)) return;
  const installer = leftBy(parts);
  if (installer === undefined || !existsSync(installer)) return;
  files.write(onOwnFound(state, files.keep(version, installer)));
};
