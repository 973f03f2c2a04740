/** What the driver sends, byte for byte as printed or captured, and what it reads from captured answers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeNeo2Frame } from '../../../drivers/framing/neo2-frame.ts';
import { keyAnswer, pinAnswer, pinOfTag99 } from '../../../drivers/neo2/protocol/answers.ts';
import {
  answerFrame,
  decodeAnswer,
  decodeRequest,
  encodeRequest,
  fromHost,
  fromReader,
  type Neo2Ask,
  type Neo2CommandName,
  resultCodeOf,
} from '../../../drivers/neo2/protocol/commands.ts';
import { neo2Tlv } from '../../../drivers/neo2/protocol/tlv.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';

const row = <N extends Neo2CommandName>(capture: string, name: N, ask: Neo2Ask<N>) => [capture, name, ask] as const;
const patience = { fallback: 1, nextCommandS: 0x60 };

const sent = [
  row('serial.req', 'serial', {}),
  row('procType.req', 'processor', {}),
  row('fwMain.req', 'firmware', {}),
  row('modules.req', 'modules', {}),
  row('ping.req', 'ping', {}),
  row('cancel.req', 'cancel', {}),
  row('fw.req', 'version', {}),
  row('poweroff.req', 'powerOff', {}),
  row('pollOnDemand.req', 'pollMode', { mode: 1 }),
  row('burstOff.req', 'configure', { tlvs: [neo2Tlv('DFEE7E', '00')] }),
  row('setICS3C.req', 'setTerminal', { set: 3 }),
  row('ksn.data.req', 'keyState', { use: 2, slot: 0 }),
  row('activate.all.req', 'activate', {
    timeoutS: 30,
    type: '00',
    amountMinor: 100n,
    otherMinor: 0n,
    interfaces: 7,
    patience,
  }),
  row('activate.ctls.req', 'activate', { timeoutS: 10, amountMinor: 1000n, interfaces: 2 }),
  row('activate.contact.req', 'activate', { timeoutS: 60, amountMinor: 1000n, interfaces: 4, patience }),
  row('authenticate.req', 'authenticate', { forceOnline: 0, timeoutS: 120 }),
  row('hostresp.req', 'finish', {
    hostAnswered: 1,
    tlvs: [neo2Tlv('8A', '3030'), neo2Tlv('91', '11223344556677883030')],
  }),
  row('updateBalance.req', 'tapResult', {
    refused: 0,
    tlvs: [neo2Tlv('E300', '313233343536'), neo2Tlv('9A', '081126'), neo2Tlv('9F21', '123456')],
  }),
];

test.each(sent)('%s is what the driver sends, and reads back', (capture, name, ask) => {
  expect(toHex(encodeRequest(name, ask))).toBe(toHex(captured(capture)));
  expect(decodeRequest(decodeNeo2Frame(captured(capture), fromHost))).toEqual({ name, ask });
});

test('reads the sample that lacks the time limit', () => {
  const request = decodeRequest(decodeNeo2Frame(captured('activate.min.req'), fromHost));
  expect(request).toMatchObject({ name: 'activate', ask: { timeoutS: 0x9f } });
});

const answer = <N extends Neo2CommandName>(name: N, capture: string) =>
  decodeAnswer(name, decodeNeo2Frame(captured(capture), fromReader));

test.each([
  ['DF61024D00', { code: '4D00', text: 'ARM Cortex-M4 K21' }],
  ['DF61024E00', { code: '4E00', text: 'ARM Cortex-M4 K81' }],
  ['DF61027777', { code: '7777' }],
  ['DF6200', { code: '' }],
])('the processor in tag DF61: %s', (hex, expected) => {
  const frame = { ...answerFrame('processor', { status: 0 }, 'ViVOtech2'), data: fromHex(hex) };
  expect(decodeAnswer('processor', frame).answer).toEqual(expected);
});

test('the printed answer about the processor', () => {
  const printed = decodeNeo2Frame(fromHex('5669564F7465636832000900' + '0005DF61024D00AC4D'), fromReader);
  expect(decodeAnswer('processor', printed)).toEqual({
    status: 0,
    answer: { code: '4D00', text: 'ARM Cortex-M4 K21' },
  });
});

test.each([
  ['01 0A FFFF9876543210E00001', { state: 'valid', ksn: 'FFFF9876543210E00001' }],
  ['01 FFFF9876543210E00001', { state: 'valid', ksn: 'FFFF9876543210E00001' }],
  ['01 0C 0123456789ABCDEF00000001', { state: 'valid', ksn: '0123456789ABCDEF00000001' }],
  ['02 0123456789ABCDEF00000001', { state: 'ended', ksn: '0123456789ABCDEF00000001' }],
  ['01 09FF9876543210E00001', { state: 'valid', ksn: '09FF9876543210E00001' }],
  ['FF', { state: 'none' }],
  ['00 00', { state: 'unused' }],
])('reads the key state %s, with and without a length', (hex, expected) => {
  expect(keyAnswer.decode(fromHex(hex.replaceAll(' ', '')))).toEqual(expected);
});

describe('captured answers', () => {
  test('texts', () => {
    expect(answer('serial', 'serial.resp').answer).toEqual({ text: '630Z000001' });
    expect(answer('firmware', 'fwMain.resp').answer).toEqual({ text: 'CraneVendi_1.0.0' });
    expect(answer('modules', 'modules.resp').answer?.text).toContain('VCPS 2.1.3, v0.99');
  });

  test.each([
    ['activate', 'start.0010.resp', '0010'],
    ['authenticate', 'auth.0004.resp', '0004'],
    ['finish', 'complete.0002.resp', '0002'],
  ] as const)('%s of %s says %s', (name, capture, code) => {
    const { answer: result } = answer(name, capture);
    expect(result && resultCodeOf(result)).toBe(code);
  });

  test('the first answer is not the end', () => {
    expect(answer('authenticate', 'ack63.resp')).toEqual({ status: 0x63 });
  });

  test('an unreadable success is garbled', () => {
    const frame = { ...decodeNeo2Frame(captured('start.0010.resp'), fromReader), data: fromHex('DFEE25FF') };
    expect(() => decodeAnswer('authenticate', frame)).toThrow('not a valid answer');
  });
});

test.each([
  [18, 8],
  [20, 8],
  [26, 16],
  [28, 16],
])('tag 99 of %i bytes has a block of %i', (length, size) => {
  const pin = pinOfTag99(Uint8Array.from({ length }, (_, index) => index));
  expect(pin?.data.length).toBe(size);
  expect(pin?.ksn.length).toBe(2 * (length - size));
});

test('tag 99 of any other length is not a PIN', () => {
  for (const length of [0, 8, 17, 19, 27, 64]) expect(pinOfTag99(new Uint8Array(length))).toBeUndefined();
});

test.each([
  [20, 16],
  [24, 16],
  [20, 32],
  [24, 32],
])('62-01 with a serial number of %i and a block of %i characters', (ksn, data) => {
  const value = { kind: 'entered' as const, ksn: 'A'.repeat(ksn), data: fromHex('5'.repeat(data)) };
  expect(pinAnswer.decode(pinAnswer.encode(value))).toEqual(value);
});

test('no data of a command or an answer crashes its row', () => {
  const names = [
    'activate',
    'authenticate',
    'finish',
    'keyState',
    'onlinePin',
    'manual',
    'tapResult',
    'configure',
  ] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(0, 8, 10, 35, 99),
      (name, data, status) => {
        const frame = { ...answerFrame(name, { status }, 'ViVOtech2'), data };
        for (const run of [() => decodeAnswer(name, frame), () => decodeRequest(frame)]) {
          try {
            run();
          } catch (error) {
            expect(error).toMatchObject({ name: 'Fault' });
          }
        }
      },
    ),
  );
});
