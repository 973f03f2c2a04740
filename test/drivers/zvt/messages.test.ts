/** Every public capture of ZVT is read correctly, and every field of the tables round-trips. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeZvtApdu } from '../../../drivers/framing/zvt-frame.ts';
import { knownResultCodes, resultOf, statusOf } from '../../../drivers/zvt/protocol/codes.ts';
import { decodeRequest, encodeRequest } from '../../../drivers/zvt/protocol/commands.ts';
import { bmp, bmpSizes, decodeBmps, encodeBmps, encodeBraces, textOf } from '../../../drivers/zvt/protocol/fields.ts';
import { decodeMessage, maskedPan, readResult } from '../../../drivers/zvt/protocol/messages.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { apduCaptures, captured } from './captures.ts';

const resultNamed = (name: string) => {
  const message = decodeMessage(decodeZvtApdu(captured(name)));
  if (message?.kind !== 'result') throw new Error(`${name} is no result`);
  return readResult(message);
};

test.each([
  ['status.AbortByKey', { code: '6C', details: { terminalId: '28004869' } }],
  ['status.SystemError', { code: 'FF' }],
  [
    'status.PaymentGood1',
    {
      code: '00',
      amountMinor: 2_040n,
      receiptNumber: '0470',
      currency: 'EUR',
      details: {
        traceNumber: '000470',
        terminalId: '28004869',
        authorisationCode: '611804',
        maskedPan: '************4771',
        cardName: 'Debit Mastercard',
        time: '10-06 22:39:53',
      },
    },
  ],
  [
    'status.ReversalGood1',
    { code: '00', amountMinor: 100n, receiptNumber: '0607', details: { aid: 'A0000000041010', entryMode: 'NFC_ICC' } },
  ],
  ['status.TlvInfos1', { code: '00', receiptNumber: '0008', details: { entryMode: 'NFC_ICC', verification: 'none' } }],
  ['status.TlvInfos2', { code: '00', amountMinor: 2_040n, details: { entryMode: 'ICC', verification: 'offlinePin' } }],
  ['status.declined', { code: '05' }],
])('the result %s', (name, expected) => {
  expect(resultNamed(name)).toMatchObject(expected);
});

test('the capture without an amount has none', () => {
  expect(resultNamed('status.TlvInfos1')).not.toHaveProperty('amountMinor');
});

test('the fields of the truncated capture can be read as far as they go', () => {
  const fields = decodeBmps(captured('status.AbortViaTimeout').subarray(3));
  expect(toHex(bmp(fields, '04') ?? new Uint8Array(0))).toBe('000000001200');
});

test('every field of a captured result is written as it was', () => {
  for (const { hex, name } of apduCaptures.filter(({ hex: start }) => start.startsWith('040F'))) {
    const data = fromHex(hex).subarray(3);
    expect([name, toHex(encodeBmps(decodeBmps(data)))]).toEqual([name, toHex(data)]);
  }
});

test.each([
  ['intermediate.insert', { kind: 'status', code: '0A' }],
  ['completion', { kind: 'completion' }],
  ['abort.05', { kind: 'aborted', code: '05' }],
  ['printline', { kind: 'print', receipt: 'unnamed', lines: ['*** KASSENSCHNITT **'.slice(1)], ends: false }],
])('the message %s', (name, expected) => {
  expect(decodeMessage(decodeZvtApdu(captured(name)))).toMatchObject(expected);
});

test('a text block from the field: German letters, its type and its end', () => {
  const block =
    '06D3 23 06 21 1F0701 02 25 1B 07 07 66817220504F52 07 0B 4B554E44454E42454C4547 09 01 81 07 00'.replace(/ /g, '');
  expect(decodeMessage(decodeZvtApdu(fromHex(block)))).toEqual({
    kind: 'print',
    receipt: 'customer',
    lines: ['für POR', 'KUNDENBELEG', ''],
    ends: true,
  });
});

test('what we send for an authorisation is the documented command with its currency', () => {
  const apdu = encodeRequest('authorisation', { amountMinor: 1_000n, currency: 'EUR' });
  expect([apdu.code, toHex(apdu.data)]).toEqual(['0601', '04000000001000490978']);
  expect(decodeRequest(decodeZvtApdu(fromHex('06010704000000001000')))).toEqual({
    name: 'authorisation',
    ask: { amountMinor: 1_000n, currency: 'EUR' },
  });
});

test.each([
  ['unknown bitmap', 'FE00'],
  ['cut short', '0400'],
  ['no length', '22'],
  ['an invalid length', '22FA00'],
  ['container beyond the end', '0605'],
  ['container of five length bytes', '0685000000000000'],
])('fields are refused: %s', (_name, hex) => {
  expect(() => decodeBmps(fromHex(hex))).toThrow('A ZVT message is malformed');
});

test('every bitmap of the table is written and read the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...bmpSizes.entries()),
      fc.uint8Array({ minLength: 20, maxLength: 99 }),
      ([number, size], bytes) => {
        const value = typeof size === 'number' ? bytes.slice(0, size) : bytes;
        expect(decodeBmps(encodeBmps([{ number, value }]))).toEqual([{ number, value }]);
      },
    ),
  );
});

test('no data crashes a reader except with a fault', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('040F', '04FF', '06D1', '06D3', '060F', '061E', '0600', '0630'),
      fc.uint8Array({ maxLength: 80 }),
      (code, data) => {
        for (const read of [() => decodeMessage({ code, data }), () => decodeRequest({ code, data })]) {
          try {
            read();
          } catch (error) {
            expect(error).toHaveProperty('code');
          }
        }
      },
    ),
  );
});

test.each([
  ['EEEEEEEEEEEE4771', '************4771'],
  ['4761739001010143', '476173******0143'],
  ['EEEEEEEEEEEEEEE4771F', '***************4771'],
  ['476173900', '*********'],
])('the number %s is shown as %s', (hex, text) => {
  expect(maskedPan(fromHex(hex.length % 2 === 0 ? hex : `${hex}F`))).toBe(text);
});

test('characters of code page 437, both ways', () => {
  const every = Uint8Array.from({ length: 0xff - 0x20 }, (_, index) => index + 0x20).filter((code) => code !== 0x7f);
  expect(toHex(encodeBraces(textOf(every)))).toBe(toHex(every));
  expect(textOf(fromHex('1B4110'))).toBe(' A ');
});

test('only 00 approves, host codes decline, unknown codes decide nothing', () => {
  expect(knownResultCodes().filter((code) => resultOf(code).worth === 'approved')).toEqual(['00']);
  for (let value = 1; value <= 0x63; value += 1) {
    expect(resultOf(value.toString(16).toUpperCase().padStart(2, '0')).worth).toBe('declined');
  }
  expect(['69', '9D', 'D9', 'FF', '66', '9C'].map((code) => resultOf(code).worth)).toEqual(Array(6).fill('unsure'));
});

test('statuses with "remove card" match the plain ones', () => {
  expect(statusOf('4A')).toEqual({ says: 'insert card, remove card', event: 'removeCard' });
  expect(statusOf('44')).toMatchObject({ event: 'removeCard' });
  expect(statusOf('99')).toEqual({ says: 'status 99', event: undefined });
});
