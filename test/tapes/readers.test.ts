/**
 * Recorded MMS and NEO 2 sales, as streams and as HID reports: the simulated device still sends these bytes, the driver
 * still understands them, and a replay of the till's side finds the same device. After an intended change, `vitest -u`
 * writes them again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseTape } from '../../drivers/links/tape-text.ts';
import { toHex } from '../../src/base/hex.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { tracedTape } from '../../src/terminals/trace/recording.ts';
import { hostTape } from '../support/devices/host-tape.ts';
import { tape } from '../support/devices/tape.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { deviceFor, recordScene, scenes, sell } from './reader-scenes.ts';

const hexOf = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

describe.each(scenes)('%s', (_, scene) => {
  test('the recording is unchanged and holds no card data', async () => {
    const { text } = await recordScene(scene);
    const { pan } = testCard(scene.card);
    const whole = text.replaceAll(/\s/g, '');
    for (const secret of [pan, hexOf(pan)]) expect(whole).not.toContain(secret);
    await expect(text).toMatchFileSnapshot(fileURLToPath(scene.file));
  });

  test('the text of an unmasked recording holds no card data', async () => {
    const { text } = await recordScene(scene, () => ({ push: (bytes: Uint8Array) => [toHex(bytes)] }));
    const traced = [...tracedTape(parseTape(text), scene.driver.narrator(scene.carries))];
    const message = traced.flatMap(({ says }) => says).join('\n');
    const { pan, expiry } = testCard(scene.card);
    expect(message).not.toContain(pan);
    expect(message).not.toContain(`=${expiry}`);
    // A reader may answer that a command is unknown; no message may be described so.
    expect(message.replaceAll('the sub-command is unknown', '')).not.toMatch(/unreadable|cannot be read|unknown/);
    expect(traced.length).toBeGreaterThan(10);
  });

  test('replayed, the driver reaches the same result', async () => {
    const { read, verdict } = await recordScene(scene);
    const clock = virtualClock();
    const link = tape(readFileSync(scene.file, 'utf8'), { clock });
    const again = await sell(scene, link, clock);
    expect(link.left()).toEqual([]);
    expect(again.read.kind).toBe(read.kind);
    expect(again.verdict?.kind).toBe(verdict?.kind);
    expect(clock.waiting()).toBe(0);
  });

  test('replayed from the till’s side, the device answers the same', async () => {
    const clock = virtualClock();
    const link = deviceFor(scene, clock);
    const text = readFileSync(scene.file, 'utf8');
    const differences = hostTape(text, { link, clock, answerMs: 90_000, pauses: 'recorded' });
    expect(await clock.until(differences)).toEqual([]);
  });
});
