/** The SQLite versions that may hold money. */
import { expect, test } from 'vitest';
import { tooOldReason } from '../../src/base/databases.ts';

test.each(['3.51.3', '3.51.4', '3.54.1', '4.0.0', '3.52.0'])('%s will do', (version) => {
  expect(tooOldReason(version)).toBeUndefined();
});

test.each(['3.51.2', '3.50.9', '2.99.99', '3', '', 'x'])('%j will not', (version) => {
  expect(tooOldReason(version)).toContain('3.51.3');
});
