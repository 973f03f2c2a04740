/** Card status (D060): answered by its notice, by 9000, by both, or not at all; and D064 for units that know it. */
import { expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { encodeMessage } from '../../../drivers/mpi/protocol/messages.ts';
import { mpiNarrator } from '../../../drivers/mpi/protocol/narrator.ts';
import { isFault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { cardOf, openedOn } from '../../support/devices/driver-bench.ts';
import { inserted, showText, startChip, bench as tapeBench } from './mpi-tape.ts';
import { notRead, playRow } from './read-rows.ts';
import { bench, rawBench } from './simulator-bench.ts';

const visa = testCard('visa-credit');

test.each([
  [[], ['*E104480200009000'], ['6D00']],
  [['card-status-answered'], ['9000', '*E104480200009000'], ['6D00']],
  [['card-status-answered-late'], ['*E104480200009000', '9000'], ['6D00']],
  [['card-status-silent'], [], ['6D00']],
  [['card-status-asked'], [], ['E104480200009000']],
])('a device of dialects %j', async (dialects, messages, requests) => {
  const { send } = rawBench({ dialects });
  expect(await send('D0601F00', 100)).toEqual(messages);
  expect(await send('D0641F00', 100)).toEqual(requests);
});

test.each([
  ['card-status-silent', ['D060', 'D064', 'D060', 'D060']],
  ['card-status-asked', ['D060', 'D064', 'D060', 'D064', 'D060', 'D064']],
])('%s: an answer that did not come once is not waited for again', async (dialect, requests) => {
  const rig = bench({
    dialects: [dialect],
    presentations: [1, 2, 3].map(() => ({ card: visa, by: 'chip' as const })),
  });
  const sent: { code: string; at: number }[] = [];
  const { write } = rig.hostLink;
  const notify = (bytes: Uint8Array): Promise<void> => {
    sent.push({ code: Buffer.from(bytes.subarray(3, 5)).toString('hex').toUpperCase(), at: rig.clock.monotonic() });
    return write.call(rig.hostLink, bytes);
  };
  const till = await openedOn({ ...rig, hostLink: { ...rig.hostLink, write: notify } }, mpi);
  for (const _ of [1, 2, 3]) {
    expect(cardOf(await till.read()).entryMode).toBe('ICC');
    expect((await till.complete({ kind: 'approved' })).kind).toBe('approved');
    expect(await rig.clock.until(till.terminal.waitForRemoval(30_000))).toBe(true);
  }
  expect(till.unsolicited).toEqual([]);
  const status = sent.filter(({ code }) => code === 'D060' || code === 'D064');
  expect(status.map(({ code }) => code)).toEqual(requests);
  const waits = sent.filter(({ code }) => code === 'D201').map(({ at }) => at);
  const lasts = status.filter(({ code }) => code === 'D060').map(({ at }) => at);
  // The second sale's display command is sent at once.
  const second = waits.find((at) => at > (lasts[1] ?? 0)) ?? 0;
  expect(second - (lasts[1] ?? 0)).toBeLessThan(100);
});

test.each([
  [
    'a unit that reports a card in the slot only on request',
    `> D0641F00
    < E104 48020300 9000
    > ${showText('10.00 EUR\nINSERT')}
    < 9000`,
  ],
  [
    'one that cannot be asked, and reports nothing before a card is inserted',
    `> D0641F00
    < 6D00
    > ${showText('10.00 EUR\nINSERT')}
    < 9000
    ! ${inserted}`,
  ],
  [
    'one that leaves both unanswered',
    `> D0641F00
    > ${showText('10.00 EUR\nINSERT')}
    < 9000
    ! ${inserted}`,
  ],
])('%s', (text, messages) =>
  playRow({
    says: text,
    accept: ['chip'],
    messages: `
      > EEE00000
      < E105 DFAE010107 9000
      > D0601F00
      ${messages}
      > ${startChip}
      < 9F41`,
    expected: notRead('cancelledByCustomer'),
  }),
);

test('describes the question and its answer', () => {
  const narrator = mpiNarrator();
  expect(narrator.push('said', encodeMessage(fromHex('D0641F00')))).toEqual([
    'HOW IS THE SLOT? TELL OF CARDS: changes, answer to reset, tracks 1 2 3',
  ]);
  const received = ['E104480203009000', 'E104480200009000'].flatMap((body) =>
    narrator.push('heard', encodeMessage(fromHex(body))),
  );
  expect(received).toEqual(['data: a card is in the slot', 'data: the slot is empty']);
});

test('reports a unit that refuses the command', async () => {
  const { read, link } = await tapeBench(`
    > EEE00000
    < E105 DFAE010107 9000
    > D0601F00
    < 9F26
    > D0FF0000
    < 9000`);
  const fault = await read(['chip']).catch((error: unknown) => error);
  expect(isFault(fault, 'terminal.refused') && fault.facts).toMatchObject({ command: 'cardStatus', status: '9F26' });
  expect(link.left()).toEqual([]);
});

test('a 9000 that arrives after its question was given up does not answer the next', async () => {
  const { read, unsolicited, link } = await tapeBench(`
    > EEE00000
    < E105 DFAE010107 9000
    > D0601F00
    > D0641F00
    < 9000
    < E104 48020300 9000
    > ${showText('10.00 EUR\nINSERT')}
    < 9000
    > ${startChip}
    < 9F41`);
  expect(await read(['chip'])).toEqual(notRead('cancelledByCustomer'));
  expect([unsolicited.map(({ code }) => code), link.left()]).toEqual([['terminal.stray'], []]);
});
