/**
 * Recorded MPI sales: the simulated device still sends these bytes, the driver still understands them, and a replay of
 * the till's side finds the same device. After an intended change, `vitest -u` writes them again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { record } from '../../drivers/links/tape.ts';
import { parseTape, tapeHeader } from '../../drivers/links/tape-text.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { toHex } from '../../src/base/hex.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { tracedTape } from '../../src/terminals/trace/recording.ts';
import { hostTape } from '../support/devices/host-tape.ts';
import { tape } from '../support/devices/tape.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { deviceFor, file, recordScene, scenes, sell } from './mpi-scenes.ts';

test.each(Object.entries(scenes))('%s: the recording is unchanged and holds no card data', async (name, scene) => {
  const { text } = await recordScene(scene);
  const { pan, pin } = testCard(scene.card);
  expect(text).not.toContain(pan);
  expect(text).not.toContain(Buffer.from(pan).toString('hex').toUpperCase());
  expect(pin.length).toBeGreaterThan(3);
  await expect(text).toMatchFileSnapshot(fileURLToPath(file(name)));
});

test.each(Object.entries(scenes))('%s: the text of an unmasked recording holds no card data', async (_, scene) => {
  const clock = virtualClock();
  const lines = [tapeHeader({ protocol: mpi.name, carries: 'stream', startedAt: 0 })];
  const plainScribe = () => ({ push: (bytes: Uint8Array) => [toHex(bytes)] });
  await sell(
    scene,
    record(deviceFor(scene, clock), { onLine: (line) => lines.push(line), scribe: plainScribe }),
    clock,
  );
  const text = [...tracedTape(parseTape(lines.join('\n')), mpi.narrator('stream'))]
    .flatMap(({ says }) => says)
    .join('\n');
  const { pan, expiry } = testCard(scene.card);
  expect(text).toContain(`${pan.slice(0, 6)}******${pan.slice(-4)}`);
  expect(text).not.toContain(pan);
  expect(text).not.toContain(`=${expiry}`);
  expect(text).not.toMatch(/unreadable|bytes that cannot be read|unknown/);
});

test.each(Object.entries(scenes))('%s: replayed, the driver reaches the same result', async (name, scene) => {
  const { read, verdict } = await recordScene(scene);
  const clock = virtualClock();
  const link = tape(readFileSync(file(name), 'utf8'), { clock });
  const again = await sell(scene, link, clock);
  expect(link.left()).toEqual([]);
  expect(again.read.kind).toBe(read.kind);
  expect(again.verdict?.kind).toBe(verdict?.kind);
  expect(clock.waiting()).toBe(0);
});

test.each(Object.entries(scenes))(
  '%s: replayed from the till’s side, the device answers the same',
  async (name, scene) => {
    const clock = virtualClock();
    const link = deviceFor(scene, clock);
    const text = readFileSync(file(name), 'utf8');
    const differences = hostTape(text, { link, clock, answerMs: 90_000, pauses: 'recorded' });
    expect(await clock.until(differences)).toEqual([]);
  },
);

test('another device is recognized by the first difference', async () => {
  const clock = virtualClock();
  const scene = scenes['chip-no-cvm'] ?? { card: 'visa-no-cvm', by: 'chip', minor: 1n, host: { kind: 'approved' } };
  const link = deviceFor({ ...scene, card: 'visa-refusing-chip' }, clock);
  const text = readFileSync(file('chip-no-cvm'), 'utf8');
  const differences = await clock.until(hostTape(text, { link, clock, answerMs: 90_000 }));
  expect(differences[0]).toMatch(/^line \d+: byte \d+ is [0-9A-F]{2}, then it was [0-9A-F]{2}$/);
});
