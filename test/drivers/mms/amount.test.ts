/** SLIP has no checksum: a device that received a different amount must not approve it by itself. */
import { expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { isFault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { bench } from './simulator-bench.ts';

test.each([
  ['the amount that was asked for', '000000002500', 'approvedOffline'],
  ['another amount', '000000001500', 'terminal.refused'],
])('an offline approval of %s', async (_, amountHeard, ends) => {
  const { clock, hostLink } = bench({
    carries: 'stream',
    presentations: [{ card: testCard('visa-no-cvm'), by: 'chip' }],
  });
  const link: Link = {
    ...hostLink,
    write: (bytes) => hostLink.write(fromHex(toHex(bytes).replace('9F0206000000002500', `9F0206${amountHeard}`))),
  };
  const terminal = await clock.until(mms.open(link, { clock, report: () => {} }));
  const amount = { minor: 2_500n, currency: 'EUR' };
  const request = { amount, kind: 'purchase', at: clock.now(), accept: ['chip'], withinMs: 30_000 } as const;
  const ended = terminal
    .read(request, () => {})
    .then(
      ({ kind }) => kind,
      (error: unknown) => (isFault(error) ? error.code : 'no Fault'),
    );
  expect(await clock.until(ended)).toBe(ends);
});
