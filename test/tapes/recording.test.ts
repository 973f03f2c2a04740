/** Recordings as files: private to their owner, never over another file, limited in size, harmless to the sale. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parseTape } from '../../drivers/links/tape-text.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import type { TracedMessage } from '../../src/api/contract/diagnosis.ts';
import type { Fault } from '../../src/base/fault.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { recordTo, traceLink } from '../../src/terminals/trace/recording.ts';
import { modeHere } from '../support/platform/platform.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { deviceFor, type Scene, sell } from './mpi-scenes.ts';

const folders: string[] = [];
const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  folders.push(folder);
  return join(folder, 'sale.tape');
};
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const scene: Scene = { card: 'visa-credit', by: 'chip', minor: 9_900n, host: { kind: 'approved' } };

test('two connections of a till form one recording that only its owner can read', async () => {
  const file = newFile();
  const clock = virtualClock();
  const recording = recordTo(file, { clock });
  for (const _ of [1, 2]) {
    await sell(scene, recording.wrap(deviceFor(scene, clock), mpi), clock);
    await clock.advance(60_000);
  }
  recording.close();
  const text = readFileSync(file, 'utf8');
  const { protocol, carries, steps } = parseTape(text, file);
  expect([protocol, carries]).toEqual(['mpi', 'stream']);
  expect(text.match(/^# opened memory$/gm)).toHaveLength(2);
  expect(steps.filter((step) => step.do === '>' && step.bytes[3] === 0xd0 && step.bytes[4] === 0x00)).toHaveLength(2);
  expect(steps.at(-1)?.atMs).toBeGreaterThan(60_000);
  expect(statSync(file).mode & 0o777).toBe(modeHere(0o600));
  expect(text).not.toContain(testCard(scene.card).pan);
});

test('an existing file is not changed', () => {
  const file = newFile();
  writeFileSync(file, 'mine');
  expect(() => recordTo(file, { clock: virtualClock() })).toThrow(
    expect.objectContaining({
      code: 'command.malformed',
      message: expect.stringMatching(/sale\.tape cannot be written: there is a file of that name already/),
    }),
  );
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(() => recordTo('/nowhere/at/all', { clock: virtualClock() })).toThrow(
    expect.objectContaining({ code: 'command.malformed' }),
  );
});

test('a full recording says where it was cut, and the sale continues', async () => {
  const file = newFile();
  const clock = virtualClock();
  const faults: Fault[] = [];
  const recording = recordTo(file, { clock, bytesMax: 1_000, report: (fault) => faults.push(fault) });
  const { verdict } = await sell(scene, recording.wrap(deviceFor(scene, clock), mpi), clock);
  recording.close();
  expect(verdict?.kind).toBe('approved');
  expect(faults.map(({ message }) => message).join()).toMatch(/full at 1000 bytes/);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/# cut here: the recording has reached 1000 bytes\n$/);
  expect(text.length).toBeLessThan(1_100);
  expect(parseTape(text, file).steps.length).toBeGreaterThan(3);
});

test('the live view shows each message as it passes, without card data', async () => {
  const clock = virtualClock();
  const reports: TracedMessage[] = [];
  const link = traceLink(deviceFor(scene, clock), mpi, { clock, onMessage: (message) => reports.push(message) });
  await sell(scene, link, clock);
  const words = reports.flatMap(({ says }) => says);
  expect(words).toContain('START CHIP purchase 99.00 EUR, 2026-01-01 12:00:00');
  expect(words.join('\n')).toMatch(/GO ONLINE: 476173\*{6}0010/);
  expect(reports.map(({ line }) => line)).toEqual(reports.map((_, index) => index + 1));
  expect(JSON.stringify(reports)).not.toContain(testCard(scene.card).pan);
});
