/** How the files of a support bundle are named: the same on each system, whatever separates its folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledFiles } from '../../src/terminals/support/bundled-files.ts';

test('a name has slashes, whatever the system’s separator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  try {
    for (const below of ['logs', 'recordings', 'traces']) mkdirSync(join(folder, below));
    for (const file of ['till.log', 'logs/old.txt', 'recordings/1.tape', 'traces/2.jsonl'])
      writeFileSync(join(folder, file), file);
    // Imitates a system with another separator: it leads to the same file here.
    const otherSpelling = (...parts: string[]): string => parts.filter((part) => part !== '').join('/./');
    const found = bundledFiles(folder, { join: otherSpelling });
    expect(found.map(({ name, read }) => [name, ...read()])).toEqual([
      ['log till.log', 'till.log'],
      ['log logs/old.txt', 'logs/old.txt'],
      ['recording recordings/1.tape', 'recordings/1.tape'],
      ['recording traces/2.jsonl', 'traces/2.jsonl'],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
