/**
 * Whether the sums of X and Z reports were real money: shown in their data, covered by their hash, and marked on paper.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Mode } from '../../src/base/mode.ts';
import { xLines, zCopyLines, zLines } from '../../src/books/reports/print.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { reportLanguage } from '../../src/locales/reports.ts';
import { receiptLanguage } from '../../src/locales/shopper.ts';
import { markIn, modeMark } from '../../src/receipt/mode-mark.ts';
import { FIRST, sealed, verifyZ } from '../../src/reconciliation/z-report.ts';
import { dice } from '../support/chance/dice.ts';
import { fixedMoment, never, openRig, sell } from './books-rig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'books-mode-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A till of this mode after a sale, an X report and a close. */
const reports = async (mode: Mode) => {
  const chance = dice(3);
  const config = loadConfig(folder, chance.ids);
  const { journal, ledger, service } = openRig(never, { folder, chance, now: fixedMoment });
  modeOf(journal, mode);
  sell(ledger, chance);
  const x = service.x('Anna');
  const z = await service.close();
  journal.close();
  return { config, x, z };
};

test.each(['test', 'live'] as const)(
  'reports of a till in mode %s name the mode in their data, and the hash covers it',
  async (mode) => {
    const { x, z } = await reports(mode);
    expect([x.mode, z.mode]).toEqual([mode, mode]);
    expect(() => verifyZ([z])).not.toThrow();
    const other = mode === 'test' ? 'live' : 'test';
    expect(() => verifyZ([{ ...z, mode: other }])).toThrow(expect.objectContaining({ code: 'books.zBroken' }));
  },
);

test('an old report without a mode is still valid', async () => {
  const { z } = await reports('test');
  const { mode: _, hash: __, ...older } = z;
  expect(older.previous).toBe(FIRST);
  expect(() => verifyZ([sealed(older)])).not.toThrow();
});

const modes = ['test', 'training', 'live'] as const;
const tags = ['en', 'de', 'fr', 'es'] as const;

test('a test report’s paper begins and ends with the mark in its language; live paper has none', async () => {
  const { config, x, z } = await reports('test');
  for (const tag of tags) {
    const language = await reportLanguage(tag);
    for (const width of [32, 42, 48] as const)
      for (const mode of modes) {
        const layout = { width, mode, language };
        const mark = modeMark(mode, receiptLanguage(tag).words);
        for (const lines of [xLines(x, config, layout), zLines(z, config, layout), zCopyLines(z, config, layout)]) {
          const marks = lines.map(markIn);
          expect([marks.at(0), marks.at(-1)], `${tag} ${width} ${mode}`).toEqual([mark, mark]);
          expect(marks.filter((one) => one !== undefined)).toHaveLength(mode === 'live' ? 0 : 2);
          expect(lines.filter((line) => line.length > width)).toEqual([]);
        }
      }
  }
});
