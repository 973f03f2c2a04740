/** What the driver reads from captured card data: masks, ciphertexts that decrypt, PINs, and no account data. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeNeo2Frame } from '../../../drivers/framing/neo2-frame.ts';
import { attributionByte, attributionOf, resultCodec } from '../../../drivers/neo2/protocol/answers.ts';
import { cardDataOf, entryModeOf } from '../../../drivers/neo2/protocol/card-data.ts';
import { fromReader, resultCodeOf } from '../../../drivers/neo2/protocol/commands.ts';
import { decodeMsrBlock, encodeMsrBlock } from '../../../drivers/neo2/protocol/msr-block.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, neo2Tlv } from '../../../drivers/neo2/protocol/tlv.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { openPin, openSred } from './bench.ts';
import { captured } from './captures.ts';

const dataOf = (name: string): Uint8Array => decodeNeo2Frame(captured(name), fromReader).data;

describe('captured readers', () => {
  test('a tap: pairs A1 and C1, the ciphertext with number and expiry first', () => {
    const result = resultCodec.decode(captured('ctls.mchip.resp.tlvs'));
    expect(entryModeOf(result)).toBe('NFC_ICC');
    const card = cardDataOf(result, 'NFC_ICC');
    expect(card).toMatchObject({
      maskedPan: '5413********1513',
      label: 'MasterCard',
      aid: 'A0000000041010',
      cryptogram: { kind: 'ARQC', value: 'E120C07356EA3DD8' },
    });
    expect(card.sred.map((pair) => pair.ksn)).toEqual(['FFFFFF0200223D20000F', 'FFFFFF0200223D20000F']);
    const [first, second] = card.sred.map((pair) => openSred(pair));
    expect(first?.startsWith('57125413339000001513D2012')).toBe(true);
    expect(second?.startsWith('5A085413339000001513')).toBe(true);
    expect(JSON.stringify(card)).not.toContain('5413339000001513');
  });

  test('AES: the same key, another cipher, and a PIN block of ISO format 4', () => {
    const card = cardDataOf(resultCodec.decode(dataOf('v3.contact.02-06.encAES.pinISO4.resp')), 'ICC');
    const [first] = card.sred.map((pair) => openSred(pair, 'aes'));
    expect(first?.startsWith('57114761739001010010D20122010123456789')).toBe(true);
    expect(card.maskedPan).toBe('4761********0010');
    expect(card.pin && openPin(card.pin, '4761739001010010')).toBe('1234');
    expect(card.verification).toBe('onlinePin');
  });

  test('a reader without keys: its clear data stops here', () => {
    const result = resultCodec.decode(dataOf('v3.contact.02-05.plain.resp'));
    expect(entryModeOf(result)).toBe('ICC');
    const card = cardDataOf(result, 'ICC');
    expect(card).toMatchObject({ maskedPan: '476173******0010', sred: [], cryptogram: { kind: 'TC' } });
    expect(JSON.stringify(card)).not.toMatch(/4761739001010010|D2012|46554C4C/);
  });

  test('the Augusta family, which writes 81 for both', () => {
    const result = resultCodec.decode(captured('contact.rawdata.tlvs'));
    expect(result.attribution).toBe(0xc0);
    expect(resultCodeOf(result)).toBe('0004');
    const card = cardDataOf(result, 'ICC');
    expect(card.maskedPan).toBe('4761********0119');
    expect(card.sred.map((pair) => openSred(pair)).map((plain) => plain.slice(0, 30))).toEqual([
      '57134761739001010119D221220111',
    ]);
  });
});

test.each([
  [0xc0, 'contact', 'tdes', true],
  [0xe1, 'tap', 'tdes', true],
  [0xd1, 'tapStripe', 'tdes', true],
  [0xc8, 'swipe', 'tdes', true],
  [0xc2, 'contact', 'aes', true],
  [0x01, 'tap', 'tdes', false],
])('attribution %i: %s, %s', (byte, way, cipher, encrypted) => {
  expect(attributionOf(byte)).toEqual({ way, cipher, encrypted });
  if (byte !== 0xe1) expect(attributionByte({ way, cipher, encrypted } as never)).toBe(byte);
});

describe('of several ciphertexts', () => {
  const ksn = neo2Tlv('DFEE12', 'FFFF9876543210E00001');
  const sealedTag = (tag: string, byte: string) => neo2Tlv(tag, byte.repeat(16), 'encrypted');
  const chosen = (...tlvs: ReturnType<typeof neo2Tlv>[]) =>
    cardDataOf({ tlvs: [ksn, ...tlvs] }, 'NFC_MAGSTRIPE').sred.map(({ data }) => toHex(data.subarray(0, 1)));

  test.each([
    ['track 2 of a stripe tap has the expiry, the number alone does not', ['5A', '9F6B'], ['BB', 'AA']],
    ['its track 1 has it too', ['5A', '56'], ['BB', 'AA']],
    ['chip data comes before both', ['56', '57'], ['BB', 'AA']],
    ['a ciphertext without the number is left out', ['9F20', '57'], ['BB']],
  ] as const)('%s', (_, [one, other], first) => {
    expect(chosen(sealedTag(one, 'AA'), sealedTag(other, 'BB'))).toEqual(first);
  });

  test('without one that contains the number there is none', () => {
    expect(chosen(sealedTag('9F20', 'AA'), sealedTag('5F20', 'BB'))).toEqual([]);
  });

  test('for a swipe track 2, then track 1, never track 3', () => {
    const masked = new Uint8Array(Buffer.from(';4761**?'));
    const track = (number: 1 | 2 | 3, byte: number) => ({
      track: number,
      masked,
      encrypted: new Uint8Array(8).fill(byte),
    });
    const block = { cipher: 'tdes' as const, ksn: fromHex('FFFF9876543210E00001') };
    const blockOf = (...tracks: ReturnType<typeof track>[]) =>
      chosen(neo2Tlv('DFEE23', encodeMsrBlock({ ...block, tracks })));
    expect(blockOf(track(1, 0x11), track(2, 0x22), track(3, 0x33))).toEqual(['22', '11']);
    expect(blockOf(track(3, 0x33))).toEqual([]);
  });
});

describe('the stripe block', () => {
  const block = {
    cipher: 'tdes' as const,
    ksn: fromHex('FFFF9876543210E00001'),
    tracks: [
      { track: 2 as const, masked: new Uint8Array(Buffer.from(';4761**?')), encrypted: new Uint8Array(8).fill(7) },
    ],
  };

  test('there and back', () => {
    expect(decodeMsrBlock(encodeMsrBlock(block))).toEqual({ ...block, headBytes: 10 });
  });

  test('any damaged byte makes it invalid', () => {
    const bytes = encodeMsrBlock(block);
    bytes.forEach((_, index) => {
      expect(decodeMsrBlock(bytes.map((byte, each) => (each === index ? byte ^ 0x24 : byte)))).toBeUndefined();
    });
  });

  test('no bytes crash the decoder', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void decodeMsrBlock(bytes)));
  });
});

describe('TLV', () => {
  const tag = fc.constantFrom('57', '5A', '9F26', 'DFEE12', 'DFEE25', 'E300', '99');
  const mark = fc.constantFrom(undefined, 'masked' as const, 'encrypted' as const);

  test('print and parse are inverse', () => {
    const object = fc.tuple(tag, mark, fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), (list) => {
        const tlvs = list.map(([name, mark, value]) => neo2Tlv(name, value, mark));
        expect(toHex(encodeNeo2Tlv(decodeNeo2Tlv(encodeNeo2Tlv(tlvs))))).toBe(toHex(encodeNeo2Tlv(tlvs)));
      }),
    );
  });

  test('any bytes are read or refused by name', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          decodeNeo2Tlv(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'tlv.malformed' });
        }
      }),
    );
  });

  test.each(['57', '57C1', '57C118AA', '5780', '578300000101', 'FF8105820180'])('%s is refused', (hex) => {
    expect(() => decodeNeo2Tlv(fromHex(hex))).toThrow('TLV');
  });
});
