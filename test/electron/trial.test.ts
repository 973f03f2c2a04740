/** The record of a version on trial, on a disk that accepts no note of it. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepTrial } from '../../electron/trial.ts';
import { updateFiles } from '../../electron/update-files.ts';
import { LIVES_MS, nothingYet } from '../../electron/updates.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

test.runIf(process.platform === 'linux')('a full disk is reported, and ends nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trial-'));
  try {
    const clock = virtualClock();
    const files = updateFiles(folder);
    files.write({ ...nothingYet, trial: { version: '2', before: '1', starts: 1 } });
    const full = (): void => symlinkSync('/dev/full', join(folder, 'updates.json.new'));
    const lines: string[] = [];
    const trial = keepTrial({ clock, files, version: '2', crash: (_, how) => void lines.push(how) });
    trial.listening();
    full();
    await clock.advance(LIVES_MS);
    full();
    trial.held();
    full();
    trial.startAgain();
    expect(lines).toEqual(Array(3).fill(expect.stringContaining('could not be noted: ENOSPC')));
    expect(files.read().trial).toEqual({ version: '2', before: '1', starts: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
