/** The place of a simulated terminal: a place that the system lacks is refused, and the message names another. */
import { expect, test } from 'vitest';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { createWallet } from '../../drivers/simulation/card.ts';
import { createKeySlots } from '../../drivers/simulation/key-slots.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom as random } from '../../src/base/ids.ts';
import { serveSimulator } from '../../src/cli/terminals/simulate.ts';

const options = {
  ...{ clock: systemClock, random, keys: createKeySlots({ random }), wallet: createWallet({ lastAtc: 0 }) },
  cardholder: () => undefined as never,
};
const model = mpiSimulator;

test.each([
  ['win32', { pty: 'terminal' }, /Windows has no pseudo terminals: give --tcp 7000 instead of --pty/],
  ['win32', {}, /give --tcp$/],
  ['linux', {}, /give either --pty or --tcp/],
  ['linux', { pty: 'terminal', tcp: '0' }, /give either --pty or --tcp/],
] as const)('on %s %j is refused, and the message names what the system has', async (platform, flags, reason) => {
  await expect(serveSimulator(flags, { model, options, platform })).rejects.toMatchObject({
    code: 'command.malformed',
    facts: { why: expect.stringMatching(reason) },
  });
});

test('Windows has it at a TCP port too', async () => {
  const station = await serveSimulator({ tcp: '0' }, { model, options, platform: 'win32' });
  expect(station.at).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  await station.close();
});
