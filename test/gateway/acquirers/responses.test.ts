/** The table of response codes against the gateway's catalogue. */
import { expect, test } from 'vitest';
import { responses } from '../../../src/gateway/acquirers/simulator/responses.ts';
import { meaningOf, describe as words } from '../../../src/gateway/spec/results.ts';

test.each(Object.entries(responses))('%s has a result code of the catalogue with the right meaning', (code, row) => {
  expect(words(row.resultCode)).not.toBe('unlisted result code');
  // A duplicate was not processed, but the earlier request may have been: neither approved nor declined.
  const expected = code === '00' ? ['approved'] : code === '94' ? ['refused', 'unknown'] : ['declined'];
  expect(expected).toContain(meaningOf(row.resultCode));
  expect(row.statusText).toMatch(/^[A-Z0-9]+$/);
  expect(code).toMatch(/^[A-Z0-9]{2}$/);
});
