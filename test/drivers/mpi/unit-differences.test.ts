/** How units differ, byte by byte, and the driver with each: slot, taps, aborts, events. */
import { expect, test } from 'vitest';
import { encodeMessage } from '../../../drivers/mpi/protocol/messages.ts';
import { mpiNarrator } from '../../../drivers/mpi/protocol/narrator.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { cardOf } from '../../support/devices/driver-bench.ts';
import { openTdesSred as openSred } from '../../support/devices/driver-hsm.ts';
import { inserted, showText, startChip } from './mpi-tape.ts';
import { notRead, playRow } from './read-rows.ts';
import { openBench, rawBench, startBody } from './simulator-bench.ts';

const chip: Presentation = { card: testCard('visa-credit'), by: 'chip' };
const swipe: Presentation = { card: testCard('visa-stripe'), by: 'swipe' };
const [empty, detected] = ['*E104480200009000', '*E104480201009000'];

test.each([
  [[], chip, 1, /^\*E1..48020300/],
  [['card-before-chip'], chip, 2, /^\*E1..48020300/],
  [[], swipe, 1, /^\*E1....48020007/],
  [['card-before-chip'], swipe, 2, /^\*E1....48020007/],
] as const)('a device with dialects %j reports a card, case %#', async (dialects, presentation, count, last) => {
  const { send, wait } = rawBench({ dialects, presentations: [presentation] });
  expect(await send('D0601F00')).toEqual([empty]);
  await send(showText('INSERT OR SWIPE'));
  const messages = await wait(2_000);
  expect(messages.slice(0, -1)).toEqual(count === 1 ? [] : [detected]);
  expect(messages.at(-1)).toMatch(last);
});

test('until its chip has answered a card cannot be read', async () => {
  const { send, wait } = rawBench({ dialects: ['card-before-chip'], presentations: [chip] });
  await send('D0601F00');
  await send(showText('INSERT'), 500);
  expect(await send(startBody('DED1'))).toEqual(['9F22']);
  expect(await wait(1_000)).toEqual([expect.stringMatching(/^\*E1..48020300/)]);
  expect(await send(startBody('DED1'), 5_000)).toEqual([expect.stringMatching(/^E4/)]);
});

const started = `
  > EEE00000
  < E105 DFAE010107 9000
  > D0601F00
  < E104 48020000 9000
  > ${showText('10.00 EUR\nINSERT')}
  < 9000`;
const alone = 'E104 48020100 9000';

test.each([
  ['its chip answers: it is read', `! ${alone}\n ! ${inserted}\n > ${startChip}\n < 9F41`, 'cancelledByCustomer'],
  ['its chip never answers: the device says what is allowed', `! ${alone}\n > ${startChip}\n < 9F25`, 'cardUnreadable'],
])('a detected card; %s', (text, messages, reason) =>
  playRow({ says: text, accept: ['chip'], messages: `${started}\n${messages}`, expected: notRead(reason) }),
);

test('a card that is being swiped is not taken for one in the slot', async () => {
  const { read, unsolicited, events } = await openBench({ dialects: ['card-before-chip'], presentations: [swipe] });
  expect(cardOf(await read(9_900n, ['chip', 'swipe'])).entryMode).toBe('MAGSTRIPE');
  expect(events).toEqual(['presentCard', 'cardSwiped']);
  expect(unsolicited).toEqual([]);
});

test.each([
  [[], ['9000', '9F41']],
  [['abort-answered-last'], ['9F41', '9000']],
])('a device with dialects %j answers an abort and the running command', async (dialects, answers) => {
  const { send } = rawBench({ dialects });
  await send(startBody('DEC1'));
  expect(await send('D0FF0000', 1_000)).toEqual(answers);
  expect(await send('D0FF0000', 1_000)).toEqual(['9000']);
});

test.each([
  [[], []],
  [['powered-on-told'], ['device: powered on "POWERED ON"']],
])('a device with dialects %j, when a serial connection begins', async (dialects, expected) => {
  const { wait } = rawBench({ dialects });
  const narrator = mpiNarrator();
  const received = (await wait(10)).flatMap((body) =>
    narrator.push('heard', encodeMessage(fromHex(body.slice(1)), { unsolicited: true })),
  );
  expect(received).toEqual(expected.map((line) => `unasked: ${line}`));
});

test('events between its answers disturb no sale', async () => {
  const received: string[] = [];
  const bench = await openBench({
    dialects: ['device-events'],
    presentations: [{ card: testCard('mastercard-tap'), by: 'tap' }, chip],
  });
  const narrator = mpiNarrator();
  for (const [code, text] of [
    ['C0', 'the customer should look at the phone'],
    ['CB', 'it beeps for a tap that was read'],
    ['CE', 'it beeps for a tap that failed'],
  ]) {
    const body = fromHex(`E607C301${code}C402484E9000`);
    received.push(...narrator.push('heard', encodeMessage(body, { unsolicited: true })));
    expect(received.at(-1)).toBe(`unasked: device: ${text} "HN"`);
  }
  expect(cardOf(await bench.read(1_000n)).entryMode).toBe('NFC_ICC');
  expect(await bench.complete({ kind: 'approved' })).toEqual({ kind: 'none' });
  expect(cardOf(await bench.read()).pin).toBeDefined();
  expect(bench.unsolicited).toEqual([]);
});

test.each([
  [[], 'visa-credit', 'DFAE57', '57'],
  [[], 'visa-tap-stripe', 'DFAE57', '57'],
  [['tap-track-apart'], 'visa-credit', 'DFAE6B', '57'],
  [['tap-track-apart'], 'visa-tap-stripe', 'DFAE6B', '9F6B'],
] as const)('dialects %j, a tap of %s: masked in %s, encrypted as %s', async (dialects, name, masked, sealed) => {
  const card = testCard(name);
  const presentations = [{ card, by: 'tap' }] as const;
  const raw = rawBench({ dialects, presentations });
  await raw.send('D0601F00');
  const answer = (await raw.send(startBody('DEC1'), 5_000)).at(-1) ?? '';
  expect(answer).toContain(masked);
  expect(answer).not.toContain(masked === 'DFAE57' ? 'DFAE6B' : 'DFAE57');
  const { read } = await openBench({ dialects, presentations });
  const data = cardOf(await read(1_000n));
  expect(data.maskedPan).toBe(`${card.pan.slice(0, 6)}******${card.pan.slice(-4)}`);
  for (const pair of data.sred) expect(openSred(pair)).toMatch(new RegExp(`^${sealed}..${card.pan}D`));
});
