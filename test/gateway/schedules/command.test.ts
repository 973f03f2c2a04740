/** `gateway schedules list` on a real store: the output for people and scripts about active and ended plans. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, test, vi } from 'vitest';
import { addSchedules } from '../../../src/cli/gateway/vault-and-schedules.ts';
import { idOf } from '../../support/gateway/gateway.ts';
import { monthlySchedule, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'schedules-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command's output, run as the command line does: below a command with options of the same names. */
const run = async (...args: string[]): Promise<string> => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  try {
    const program = new Command('tillgate').exitOverride();
    addSchedules(program.command('gateway').option('--data <dir>', 'its folder', 'data'));
    await program.parseAsync(['gateway', 'schedules', 'list', ...args], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return lines.join('');
};

test('lists an active and an ended plan, as text and as JSON', async () => {
  const dataDir = join(folder, 'two');
  const rig = await scheduleRig({ dataDir });
  const card = await storedCard(rig);
  const person = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.email': 'jane@example.com' };
  const runs = idOf(await rig.post(SCHEDULES, monthlySchedule(card, person)));
  const endedId = idOf(await rig.post(SCHEDULES, monthlySchedule(card, { amount: '7.00' })));
  await rig.remove(`${SCHEDULES}/${endedId}`);
  await rig.close();
  const all = await run('--data', dataDir);
  expect(all).toContain(`${runs}  ACTIVE  9.90 EUR DB`);
  expect(all).toContain('next      2026-02-01 00:00:00 UTC');
  expect(all).toContain(`${endedId}  ENDED  7.00 EUR DB`);
  expect(all).toContain('It was descheduled.');
  expect(all).not.toMatch(/Jones|jane@example\.com|42000000/);
  const activePlans = JSON.parse(await run('--data', dataDir, '--active', '--json')) as unknown[];
  expect(activePlans).toMatchObject([
    { id: runs, state: 'active', amount: '9.90', currency: 'EUR', nextRun: '2026-02-01T00:00:00.000Z' },
  ]);
  const newest = JSON.parse(await run('--data', dataDir, '--limit', '1', '--json')) as unknown[];
  expect(newest).toMatchObject([{ id: endedId, state: 'ended', ended: { reason: 'descheduled' } }]);
  await expect(run('--data', dataDir, '--limit', '0')).rejects.toMatchObject({ code: 'command.malformed' });
});

test('without any data it says so and creates nothing', async () => {
  await expect(run('--data', join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'command.malformed' });
  const dataDir = join(folder, 'none');
  await (await scheduleRig({ dataDir })).close();
  expect(await run('--data', dataDir)).toBe('There is no schedule.\n');
});
