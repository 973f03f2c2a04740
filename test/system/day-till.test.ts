/** A till that refuses to start leaves nothing behind: no process and no folder. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openDayTill } from '../support/day/till.ts';

const folder = mkdtempSync(join(tmpdir(), 'refused-'));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('a till with an unknown currency', async () => {
  vi.stubEnv('TMPDIR', folder);
  await expect(openDayTill({ currency: 'nothing' })).rejects.toThrow('the till ended');
  expect(readdirSync(folder)).toEqual([]);
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`${folder}/day-`);
});
