/** A device that never ends the transaction after the host's answer: the till ends the wait. */
import { expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { encodeBlock } from '../../../drivers/mms/protocol/card-data.ts';
import { encodeFramed, payloadOf } from '../../../drivers/mms/protocol/messages.ts';
import { isFault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { bench } from './simulator-bench.ts';

const batch = encodeFramed(
  {
    kind: 'notification',
    id: '0101',
    detail: '10080302',
    payload: payloadOf(
      '0101',
      encodeTlv([
        tlv(
          '84',
          encodeBlock({
            serial: new Uint8Array(8),
            macKsn: new Uint8Array(10),
            macType: 0x82,
            body: [tlv('DFDF1A', '00')],
            mac: () => new Uint8Array(4),
          }),
        ),
      ]),
    ),
  },
  { carries: 'stream', from: 'device' },
);

test('repeated batch data does not prolong the wait for ever', async () => {
  const { clock, hostLink } = bench({
    carries: 'stream',
    presentations: [{ card: testCard('visa-credit'), by: 'chip' }],
  });
  let say: (bytes: Uint8Array) => void = () => {};
  let answersOnly = false;
  const link: Link = {
    ...hostLink,
    listen(listener) {
      say = (bytes) => listener.bytes(bytes.slice());
      hostLink.listen({
        bytes(bytes) {
          if (!answersOnly || toHex(bytes).includes('AA00810482')) listener.bytes(bytes);
        },
        closed: (fault) => listener.closed(fault),
      });
    },
  };
  const terminal = await clock.until(mms.open(link, { clock, report: () => {} }));
  const amount = { minor: 9_900n, currency: 'EUR' };
  const request = { amount, kind: 'purchase', at: clock.now(), accept: ['chip'], withinMs: 30_000 } as const;
  expect(await clock.until(terminal.read(request, () => {}))).toMatchObject({ kind: 'goOnline' });
  answersOnly = true;
  const startedAt = clock.monotonic();
  let isOver = false;
  const completing = terminal
    .complete({ kind: 'approved' })
    .then(
      ({ kind }) => kind,
      (error: unknown) => (isFault(error) ? error.code : 'no Fault'),
    )
    .finally(() => {
      isOver = true;
    });
  const inject = () => {
    if (isOver) return;
    say(batch);
    clock.after(4_000, inject);
  };
  inject();
  expect(await clock.until(completing, 600_000)).toMatch(/^(gone|terminal\.silent)$/);
  expect(clock.monotonic() - startedAt).toBeLessThan(40_000);
});
