/** What the simulated disk does to data that was not synced, and never does to synced data. */
import { describe, expect, test } from 'vitest';
import { dice } from '../chance/dice.ts';
import { simulatedDisk } from './disk.ts';

const bytes = (value: number, length: number): Uint8Array => new Uint8Array(length).fill(value);

/** What is left of two and a half sectors written over a synced file, depending on the seed of the power cut. */
const leftAfterCut = (seed: number): string => {
  const disk = simulatedDisk();
  const file = disk.open('f');
  file.write(0, bytes(1, 1536));
  file.sync();
  file.write(256, bytes(2, 1280));
  file.write(1536, bytes(3, 512));
  disk.kill();
  disk.powerOn(dice(seed));
  const left = disk.files().get('f') ?? new Uint8Array();
  return [0, 256, 512, 1024, 1536].map((offset) => left[offset] ?? '-').join('');
};

describe('a power cut', () => {
  test('leaves synced data, and any of the other sectors: none, all, torn, in any order', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, seed) => leftAfterCut(seed + 1)));
    expect([...seen].every((left) => left.startsWith('1') && /^1[12]{3}[-3]$/.test(left))).toBe(true);
    expect(seen).toContain('1111-');
    expect(seen).toContain('12223');
    expect(seen).toContain('11113');
    expect([...seen].some((left) => /^1(12|21)/.test(left))).toBe(true);
  });

  test('keeps or loses whole sectors, of 4096 bytes on such disks', () => {
    const leftOf = (seed: number): string => {
      const disk = simulatedDisk();
      disk.sector = 4096;
      const file = disk.open('f');
      file.write(0, bytes(1, 8192));
      file.sync();
      file.write(0, bytes(2, 8192));
      disk.kill();
      disk.powerOn(dice(seed));
      const left = disk.files().get('f') ?? new Uint8Array();
      return [0, 512, 4095, 4096, 8191].map((offset) => left[offset] ?? '-').join('');
    };
    const seen = new Set(Array.from({ length: 100 }, (_, seed) => leftOf(seed + 1)));
    expect([...seen].sort()).toEqual(['11111', '11122', '22211', '22222']);
  });

  test('loses a file whose name was never synced, and nothing when only the program died', () => {
    const left = (recovery: 'restart' | 'powerOn') => {
      const disk = simulatedDisk();
      disk.open('f').write(0, bytes(1, 4));
      disk.kill();
      if (recovery === 'restart') disk.restart();
      else disk.powerOn({ ...dice(1), one: (of) => of[0] });
      return disk.files().get('f')?.length;
    };
    expect([left('restart'), left('powerOn')]).toEqual([4, undefined]);
  });

  test('makes everything that was open unusable', () => {
    const disk = simulatedDisk();
    const file = disk.open('f');
    disk.judge = () => 'powerCutAfter';
    expect(() => file.write(0, bytes(1, 4))).toThrow();
    expect(() => disk.open('f')).toThrow();
    disk.powerOn(dice(1));
    disk.judge = () => 'done';
    expect(() => file.write(0, bytes(1, 4))).toThrow();
    expect(() => file.read(0, 4)).toThrow();
    disk.open('f').write(0, bytes(2, 4));
  });
});

test('the disk fails as told: before, after, full, and with a sync that only claims success', () => {
  const disk = simulatedDisk();
  const file = disk.open('f');
  const size = (outcome: Parameters<typeof reports>[0]) => reports(outcome, () => file.write(file.size, bytes(1, 4)));
  const reports = (outcome: ReturnType<typeof disk.judge>, act: () => void) => {
    disk.judge = () => outcome;
    try {
      act();
      return [file.size];
    } catch (error) {
      return [file.size, (error as Error).message];
    }
  };
  expect([size('done'), size('full'), size('failed'), size('failedAfter')]).toEqual([
    [4],
    [4, 'full'],
    [4, 'failed'],
    [8, 'failed'],
  ]);
  expect(reports('lied', () => file.sync())).toEqual([8]);
  disk.kill();
  disk.powerOn({ ...dice(1), one: (of) => of[0] });
  expect(disk.files().get('f')).toBeUndefined();
});
