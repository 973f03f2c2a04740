/** Every public capture of MPI: our device understands the commands, our driver the answers. */
import { expect, test } from 'vitest';
import { type MpiMessage, mpiReader } from '../../../drivers/mpi/protocol/messages.ts';
import { describeAnswer, mpiNarrator } from '../../../drivers/mpi/protocol/narrator.ts';
import { statusWords } from '../../../drivers/mpi/protocol/notices.ts';
import { mpiScribe } from '../../../drivers/mpi/protocol/trace.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { captured, captures } from './captures.ts';
import { rawBench } from './simulator-bench.ts';

const sent = captures.filter(({ direction, kind }) => direction === 'host->device' && kind !== 'negative');
const received = captures.filter(({ direction, kind }) => direction === 'device->host' && kind !== 'negative');

test('no capture is left over', () => {
  expect(sent.length + received.length + captures.filter(({ kind }) => kind === 'negative').length).toBe(
    captures.length,
  );
  expect([sent.length, received.length, captures.length]).toEqual([15, 20, 40]);
});

test.each(sent)('the simulated device understands $name', async ({ hex }) => {
  const { sendRaw } = rawBench();
  const [answer = ''] = await sendRaw(hex, 10);
  // A command that needs a card or another state is refused for that reason, or waits; never as unknown or malformed.
  expect(answer).not.toMatch(/^(6D00|9F0F|9F14|9F21|9F27)$/);
  expect(answer).not.toMatch(/noise/);
});

test('a request for a card number without its parameters is refused', async () => {
  expect(await rawBench().send('D25A0000')).toEqual(['9F88']);
  expect(await rawBench().send('D25A00000AE008DFA20204000400' + '00')).toEqual(['9F14']);
});

test('if nobody types, the device itself ends the wait after the given seconds', async () => {
  const { send, wait } = rawBench({ presentations: [{ card: testCard('visa-credit'), by: 'manual', never: true }] });
  expect(await send('D25A000115E013DFA2060400040000DFFF020100DFFF01020005', 4_900)).toEqual([]);
  expect(await wait(200)).toEqual(['9F42']);
});

const saidWords: Readonly<Record<string, RegExp>> = {
  'reset.req': /^RESET$/,
  'getConfig.req': /^CONFIGURATION\?$/,
  'deviceInfo.req': /^WHAT CAN THE DEVICE DO\?$/,
  'clock.get.req': /^CLOCK\?$/,
  'battery.req': /^BATTERY\?$/,
  'cardStatus.on.req': /^TELL OF CARDS: changes, answer to reset, tracks 1 2 3$/,
  'display.req': /^DISPLAY "PLEASE WAIT"$/,
  'abort.req': /^ABORT$/,
  'p2pe.status.req': /^KEYS\?$/,
  'startTxn.req': /^START CHIP purchase 10\.00 USD, 2026-01-01 12:00:00$/,
  'startCtls.req': /^START TAP purchase 10\.00 USD, 2026-01-01 12:00:00$/,
  'continue.approve.req': /^THE HOST’S WORD FOR THE CHIP: response code 00, issuer authentication data$/,
  'continue.decline.req': /^THE HOST’S WORD FOR THE CHIP: response code 05$/,
  'onlinePin.req': /^TAKE A PIN FOR THE HOST 10\.00 USD, 541333\*{6}1513$/,
  // Derived before its parameters were known: no device accepts it, as the test below shows.
  'manualPan.req': /^4 bytes that cannot be read, beginning D25A$/,
};

test.each(sent)('$name in words', ({ name, hex }) => {
  const [text, ...more] = mpiNarrator().push('said', fromHex(hex));
  expect(text).toMatch(saidWords[name] ?? /no words are expected/);
  expect(more).toEqual([]);
});

const decodeWhole = (hex: string): MpiMessage | undefined => {
  const [piece] = mpiReader().push(fromHex(hex));
  return piece?.kind === 'message' ? piece : undefined;
};

test.each(received.filter(({ name }) => /resp/.test(name) && !/block/.test(name)))('$name has a meaning', ({ hex }) => {
  const body = decodeWhole(hex)?.body ?? new Uint8Array(0);
  expect(Object.keys(statusWords)).toContain(toHex(body.subarray(-2)));
  expect(describeAnswer(body)).not.toMatch(/unknown/);
});

const cardNumbers = /4761739001010119|4761731000000043|3B?343736313733(3\d){6}|VISA ACQUIRER/i;

test.each([
  [
    'a chip',
    ['startTxn.resp.e4.block1/2', 'startTxn.resp.e4.block2/2'],
    /^GO ONLINE: 476173\*{6}0119, VISA CREDIT, ARQC EB2EC0F472BEA0A4/,
  ],
  [
    'a swipe',
    ['card.msr.unsolicited.block1/1'],
    /^unasked: a card was swiped, tracks 1 2, 476173\*{6}0010, card data sealed under 00000200000055400182, the slot is empty$/,
  ],
])('%s, captured, is described and recorded without card data', (_, names, pattern) => {
  const bytes = concat(...names.map(captured));
  const [line = ''] = mpiNarrator().push('heard', bytes);
  expect(line).toMatch(pattern);
  const [recorded = ''] = mpiScribe().push(bytes);
  expect(`${line} ${recorded}`).not.toMatch(cardNumbers);
});

test('reads captured unsolicited blocks between the blocks of a chained answer', () => {
  const reader = mpiReader();
  const pieces = [
    ...reader.push(captured('startTxn.resp.e4.block1/2')),
    ...reader.push(captured('card.msr.unsolicited.block1/1')),
    ...reader.push(captured('packet.unsolicited.chained')),
    ...reader.push(captured('packet.status.5051')),
    ...reader.push(captured('startTxn.resp.e4.block2/2')),
  ];
  expect(pieces.map((piece) => piece.kind === 'message' && [piece.unsolicited, piece.body.length])).toEqual([
    [true, 189],
    [true, 8],
    [false, 310],
  ]);
});

test('describes noise, unknown commands and broken templates', () => {
  const narrator = mpiNarrator();
  expect(narrator.push('heard', fromHex('FF'))).toEqual(['1 unreadable bytes: no block starts with this byte']);
  expect(narrator.push('said', fromHex('01000400A40000A1'))).toEqual(['command 00A4 with 4 bytes, unknown here']);
  expect(narrator.push('heard', fromHex('010004E4FF900010'.replace(/..$/, '8E')))).toHaveLength(1);
});
