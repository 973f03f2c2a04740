/** Which results exclude a follow-up from the sum: only certain ones may. */
import { expect, test } from 'vitest';
import { neverHappened } from '../../../src/gateway/payments/store/payments.ts';
import { meaningOf, resultCodes } from '../../../src/gateway/spec/results.ts';

test.each(neverHappened)('every code that begins with %s means that nothing happened', (prefix) => {
  const codes = resultCodes.map(({ code }) => code).filter((code) => code.startsWith(prefix));
  expect(codes.length).toBeGreaterThan(0);
  for (const code of codes) expect([code, ['declined', 'refused'].includes(meaningOf(code))]).toEqual([code, true]);
});
