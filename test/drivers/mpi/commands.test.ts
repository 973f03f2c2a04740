/** The command table: requests are sent byte for byte as documented, and both sides read a row the same way. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MpiAsk, MpiCommandName, MpiReply } from '../../../drivers/mpi/protocol/commands.ts';
import { decodeAnswer, decodeRequest, encodeAnswer, encodeRequest } from '../../../drivers/mpi/protocol/commands.ts';
import { encodeMessage } from '../../../drivers/mpi/protocol/messages.ts';
import { decodeNotice, encodeNotice } from '../../../drivers/mpi/protocol/notices.ts';
import { Fault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { tlv } from '../../../src/emv/tlv.ts';
import { captured } from './captures.ts';

const usd = { type: '00', amountMinor: 1000n, date: '260101', time: '120000', currency: 'USD' };
const row = <N extends MpiCommandName>(capture: string, name: N, ask: MpiAsk<N>) => ({ capture, name, ask }) as const;

const requests = [
  row('reset.req', 'reset', {}),
  row('battery.req', 'battery', {}),
  row('clock.get.req', 'clock', {}),
  row('cardStatus.on.req', 'cardStatus', { tell: 0x1f }),
  row('display.req', 'display', { text: 'PLEASE WAIT' }),
  row('abort.req', 'abort', {}),
  row('p2pe.status.req', 'keys', {}),
  row('startTxn.req', 'startContact', { ...usd, dfa204: '01', dfa203: '00' }),
  row('startCtls.req', 'startContactless', usd),
  row('continue.approve.req', 'continueContact', { tlvs: [tlv('8A', '3030'), tlv('91', '11223344556677883030')] }),
  row('continue.decline.req', 'continueContact', { tlvs: [tlv('8A', '3035')] }),
  row('onlinePin.req', 'onlinePin', {
    amountMinor: 1000n,
    currency: 'USD',
    label: 'MasterCard',
    maskedTrack2: ';541333******1513=1412201************',
  }),
];

test.each(requests)('$capture is what $name sends, and what the device reads', ({ capture, name, ask }) => {
  const body = encodeRequest(name, ask as MpiAsk<typeof name>);
  expect(toHex(encodeMessage(body))).toBe(toHex(captured(capture)));
  expect(decodeRequest(body)).toEqual({ name, ask });
});

test('requests a card number with prompt 4, no options, and the time in seconds', () => {
  const ask = { prompt: '00040000', options: '00', seconds: 30 };
  const body = encodeRequest('manualEntry', ask);
  expect(toHex(body)).toBe('D25A000115E013DFA20604000400' + '00DFFF020100DFFF0102001E');
  expect(decodeRequest(body)).toEqual({ name: 'manualEntry', ask });
  expect(() => encodeRequest('manualEntry', { ...ask, seconds: 65_536 })).toThrow(Fault);
});

const answer = <N extends MpiCommandName>(name: N, reply: MpiReply<N>, hex: string) => ({ name, reply, hex }) as const;

const answers = [
  answer('abort', { status: '9000', answer: {} }, '9000'),
  answer('startContact', { status: '9F41' }, '9F41'),
  answer('onlinePin', { status: '9000', answer: { kind: 'cancelled', code: 8 } }, '089000'),
  answer('onlinePin', { status: '9000', answer: { kind: 'bypassed', code: 12 } }, '0C9000'),
  answer('onlinePin', { status: '9000', answer: { kind: 'failed', code: 10 } }, '0A9000'),
  answer(
    'onlinePin',
    { status: '9000', answer: { kind: 'entered', data: fromHex('0011223344556677'), ksn: 'FFFF9876543210E00001' } },
    'E11ADFAE04080011223344556677DFAE050AFFFF9876543210E000019000',
  ),
  answer('keys', { status: '9000', answer: { ready: true, pin: false, sred: true } }, 'E105DFAE0101059000'),
  answer('clock', { status: '9000', answer: { date: '260102', time: '120130' } }, 'E10B9A032601029F21031201309000'),

  answer('battery', { status: '9000', answer: { charging: 1, percent: 87 } }, 'E10ADFA2090101DFA20A01579000'),
  answer(
    'reset',
    { status: '9000', answer: { serial: '17000001', parts: [{ name: 'M020-MPI', version: '1-58' }] } },
    'E11F9F1E083137303030303031EF12DF0D084D3032302D4D5049DF7F04312D35389000',
  ),
];

test.each(answers)('$name answers $hex', ({ name, reply, hex }) => {
  expect(toHex(encodeAnswer(name, reply as MpiReply<typeof name>))).toBe(hex);
  expect(decodeAnswer(name, fromHex(hex))).toEqual(reply);
});

test('an unreadable success is garbled', () => {
  expect(() => decodeAnswer('startContact', fromHex('9000'))).toThrow(
    expect.objectContaining({ code: 'terminal.garbled' }),
  );
});

test('the captured swipe notice is read', () => {
  const notice = decodeNotice(captured('card.msr.unsolicited.block1/1').subarray(3, -1));
  expect(notice).toMatchObject({ kind: 'card', present: false, chip: false, swiped: true, tracks: [1, 2] });
  expect(notice.kind === 'card' && toHex(encodeNotice(notice))).toBe(
    toHex(captured('card.msr.unsolicited.block1/1').subarray(3, -1)),
  );
});

test('a command without a row is unknown', () => {
  expect(decodeRequest(fromHex('00A40000'))).toBeUndefined();
});

const names: MpiCommandName[] = ['reset', 'keys', 'startContact', 'onlinePin', 'battery', 'cardStatus', 'display'];

test('random bytes are refused by name and never crash it', () => {
  const assertOnlyFaults = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(Fault);
    }
  };
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 2, maxLength: 300 }), fc.constantFrom(...names), (bytes, name) => {
      assertOnlyFaults(() => decodeRequest(bytes));
      assertOnlyFaults(() => decodeAnswer(name, bytes));
      assertOnlyFaults(() => decodeAnswer(name, Uint8Array.of(...bytes, 0x90, 0)));
      assertOnlyFaults(() => decodeNotice(bytes));
    }),
  );
});
