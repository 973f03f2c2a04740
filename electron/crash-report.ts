/**
 * The report about a crash: which process, how it ended, its last lines. It has no memory dump, which would contain
 * card data. Chromium's own crash reports are off, and this text is scanned for card data before it is written.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dateTime } from '../src/base/clock.ts';
import { withoutNumbers } from '../src/base/mask.ts';
import { scanForCardData } from '../src/terminals/support/card-data-scan.ts';

export type Crash = {
  at: number;
  /** `till`, `page`, `gpu` … */
  process: string;
  /** The exit code, or the reason given by the system. */
  how: string;
  version: string;
  /** The last lines of its output. */
  tail: string;
};

const KEPT_MOST = 20;

/** The report's text. Lines that look like card data or a key are left out and counted. */
export const crashText = ({ at, process, how, version, tail }: Crash): string => {
  const suspect = new Set(scanForCardData(tail).map(({ line }) => line));
  const lines = tail.split('\n').filter((_, index) => !suspect.has(index + 1));
  const note = suspect.size === 0 ? [] : [`(Lines left out because they may contain card data: ${suspect.size})`];
  return [
    `Tillgate ${version}: the ${process} process ended at ${dateTime(at)} UTC: ${how}`,
    '',
    ...lines.map(withoutNumbers),
    ...note,
    '',
  ].join('\n');
};

/**
 * Writes it into the folder, and keeps the last twenty. Returns the file, or undefined if it cannot be written: a
 * failed report must not prevent a restart.
 */
export const keepCrash = (folder: string, crash: Crash): string | undefined => {
  try {
    mkdirSync(folder, { recursive: true });
    const file = freeName(
      join(folder, `${dateTime(crash.at).replace(/[: ]/g, '-')}-${crash.process.replace(/\W/g, '')}`),
    );
    writeFileSync(file, crashText(crash), { mode: 0o600 });
    for (const old of readdirSync(folder).sort().slice(0, -KEPT_MOST)) rmSync(join(folder, old), { force: true });
    return file;
  } catch {
    return undefined;
  }
};

/** Two processes may end within one second, and the first report often has the reason. */
const freeName = (path: string): string => {
  for (let n = 1; ; n += 1) {
    const file = n === 1 ? `${path}.txt` : `${path}-${n}.txt`;
    if (!existsSync(file)) return file;
  }
};
