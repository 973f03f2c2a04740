/** The unit tests on Windows pass if enough of them ran, few were skipped, and none failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countsIn, judged, PASSED_LEAST, SKIPPED_MOST } from './unit-report.ts';

const enough = { passed: PASSED_LEAST, failed: [], skipped: SKIPPED_MOST };

test.each([
  [enough, /^15000 passed, 0 failed, 90 skipped$/],
  [{ ...enough, failed: ['a.test.ts: a title'] }, /1 failed.*\na\.test\.ts: a title/],
  [{ ...enough, skipped: SKIPPED_MOST + 1 }, /91 skipped: at most 90/],
  [{ ...enough, passed: PASSED_LEAST - 1 }, /14999 passed.*at least 15000/],
])('%o', (counts, pattern) => {
  if (counts === enough) expect(judged(counts)).toMatch(pattern);
  else expect(() => judged(counts)).toThrow(pattern);
});

test('counts a file that cannot be loaded as failed, and skipped tests as skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-report-'));
  const results = (...statuses: string[]) => statuses.map((status) => ({ status, title: status }));
  const at = (name: string, status: string, ...statuses: string[]) => ({
    ...{ name: `C:/the shop/tillgate/test/${name}`, status, assertionResults: results(...statuses) },
  });
  const testResults = [
    at('a.test.ts', 'passed', 'passed', 'skipped', 'pending'),
    at('b.test.ts', 'failed', 'passed', 'failed'),
    at('c.test.ts', 'failed'),
  ];
  try {
    writeFileSync(join(folder, 'unit.json'), JSON.stringify({ testResults }));
    expect(countsIn(join(folder, 'unit.json'))).toEqual({
      ...{ passed: 2, skipped: 2 },
      failed: ['test/b.test.ts: failed', 'test/c.test.ts: cannot be loaded'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
