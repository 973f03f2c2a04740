import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commands } from '../../../drivers/mpi/protocol/commands.ts';
import { toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { rawBench, startBody } from './simulator-bench.ts';

const card = testCard('visa-offline-pin');
const codes = [...Object.values(commands).map(({ code }) => code), 'D001', 'D002', 'D010', 'D061', 'FFFF'];

const bodies = fc.oneof(
  // A known command with any data.
  fc
    .tuple(fc.constantFrom(...codes), fc.uint8Array({ maxLength: 40 }))
    .map(([code, data]) => `${code}0000${data.length === 0 ? '' : toHex(Uint8Array.of(data.length)) + toHex(data)}`),
  fc.uint8Array({ minLength: 2, maxLength: 60 }).map(toHex),
  fc.constantFrom(startBody('DED1'), startBody('DEC1'), 'D0601F00', 'D201010106494E53455254', 'DED2000006E0048A023030'),
);

/** After any input, a reset is answered and the device is idle. */
const assertRecovers = async (bench: ReturnType<typeof rawBench>) => {
  await bench.wait(100_000);
  const received = await bench.send('D0000000', 5_000);
  expect(received.some((message) => /^E1.*9F1E.*9000$/.test(message))).toBe(true);
  expect(bench.device.state()).toBe('idle');
};

test('no sequence of commands crashes or blocks the device', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(bodies, fc.integer({ min: 0, max: 4_000 })), { maxLength: 12 }),
      async (steps) => {
        const bench = rawBench({
          presentations: [
            { card, by: 'chip' },
            { card, by: 'tap' },
            { card, by: 'swipe' },
          ],
        });
        for (const [body, ms] of steps) await bench.send(body, ms);
        await assertRecovers(bench);
      },
    ),
    { numRuns: 150 },
  );
});

test('no bytes crash the device, and a reset after a pause brings it back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 6 }), async (portions) => {
      const bench = rawBench();
      for (const portion of portions) await bench.sendRaw(toHex(portion), 10);
      // An incomplete block swallows the reset; at most one full block of resets is lost.
      for (let tries = 0; tries < 40 && bench.device.state() === 'silenced'; tries += 1) await bench.send('D0000000');
      for (let tries = 0; tries < 40; tries += 1) await bench.send('D0000000');
      await assertRecovers(bench);
    }),
    { numRuns: 100 },
  );
});
