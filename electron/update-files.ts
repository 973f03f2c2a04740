/** Where updates leave their notes and installers: `updates.json` and `installers/` in the app's own folder. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { nothingYet, type UpdateState } from './updates.ts';

export type UpdateFiles = {
  read(): UpdateState;
  write(state: UpdateState): void;
  /** Copies an installer to where it stays, and returns that place. */
  keep(version: string, installer: string): string;
  remove(paths: readonly string[]): void;
};

export const updateFiles = (folder: string): UpdateFiles => {
  const file = join(folder, 'updates.json');
  const installers = join(folder, 'installers');
  return {
    read() {
      try {
        return existsSync(file) ? { ...nothingYet, ...JSON.parse(readFileSync(file, 'utf8')) } : nothingYet;
      } catch {
        // Notes that cannot be read are none: the worst is that a version is not gone back from.
        return nothingYet;
      }
    },
    write(state) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { flush: true });
      renameSync(`${file}.new`, file);
    },
    keep(version, installer) {
      mkdirSync(installers, { recursive: true });
      const kept = join(installers, `${version}${extname(installer)}`);
      if (basename(installer) !== basename(kept) || installer !== kept) copyFileSync(installer, kept);
      return kept;
    },
    remove(paths) {
      for (const path of paths) if (path.startsWith(installers)) rmSync(path, { force: true });
    },
  };
};
