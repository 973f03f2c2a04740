/**
 * Recorded days of a ZVT terminal, as serial frames and as APDUs over TCP: the simulated terminal still sends these
 * bytes, the driver still understands them, and a replay of the till's side finds the same terminal. After an intended
 * change, `vitest -u` writes them again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseTape } from '../../drivers/links/tape-text.ts';
import { zvt } from '../../drivers/zvt/driver/driver.ts';
import { toHex } from '../../src/base/hex.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { tracedTape } from '../../src/terminals/trace/recording.ts';
import { hostTape } from '../support/devices/host-tape.ts';
import { tape } from '../support/devices/tape.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { deviceFor, play, recordScene, scenes } from './zvt-scenes.ts';

const hexOf = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

describe.each(scenes)('%s', (title, scene) => {
  test('the recording is unchanged and holds no card data', async () => {
    const { text, done } = await recordScene(scene);
    const { pan } = testCard(scene.card);
    const whole = text.replaceAll(/\s/g, '');
    for (const secret of [pan, hexOf(pan)]) expect(whole).not.toContain(secret);
    expect(done[0]).toBe(/declined|cancelled/.test(title) ? 'declined' : 'approved');
    await expect(text).toMatchFileSnapshot(fileURLToPath(scene.file));
  });

  test('the text of an unmasked recording holds no card data', async () => {
    const { text } = await recordScene(scene, () => ({ push: (bytes: Uint8Array) => [toHex(bytes)] }));
    const message = [...tracedTape(parseTape(text), zvt.narrator('stream'))].flatMap(({ says }) => says).join('\n');
    expect(message).not.toContain(testCard(scene.card).pan);
    expect(message).not.toMatch(/unreadable|cannot be read|unknown/);
    expect(message).toMatch(/10\.00 EUR/);
  });

  test('replayed, the driver reaches the same result', async () => {
    const { done } = await recordScene(scene);
    const clock = virtualClock();
    const link = tape(readFileSync(scene.file, 'utf8'), { clock });
    const again = await play(scene, link, clock);
    expect(link.left()).toEqual([]);
    expect(again.length).toBe(done.length);
    expect(again[0]).toBe(done[0]);
    expect(clock.waiting()).toBe(0);
  });

  test('replayed from the till’s side, the terminal answers the same', async () => {
    const clock = virtualClock();
    const link = deviceFor(scene, clock);
    const text = readFileSync(scene.file, 'utf8');
    const differences = hostTape(text, { link, clock, answerMs: 90_000, pauses: 'recorded' });
    expect(await clock.until(differences)).toEqual([]);
  });
});
