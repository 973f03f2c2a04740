import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import {
  decodeTlv,
  encodeTlv,
  find,
  findAll,
  findDeep,
  isConstructed,
  isTag,
  type Tlv,
  tlv,
} from '../../src/emv/tlv.ts';
import { byNight } from '../support/night/night.ts';

const nested = (templates: number): string => {
  let hex = '9C0100';
  for (let depth = 0; depth < templates; depth += 1) hex = toHex(encodeTlv([tlvRaw('70', hex)]));
  return hex;
};
/** A template with unparsed content, to build what `tlv` would refuse. */
const tlvRaw = (tag: string, hex: string): Tlv => ({ tag, value: fromHex(hex) });

describe('what is refused, and at which offset', () => {
  test.each([
    ['5A', 0, 'tag 5A has no length'],
    ['9C01005F', 3, 'the tag is cut short'],
    ['9F', 0, 'the tag is cut short'],
    ['DF818181', 0, 'the tag is cut short'],
    ['DF8181818101', 0, 'a tag of more than 4 bytes'],
    ['5A80', 1, 'an indefinite length'],
    ['9F0285000000000A', 2, 'a length of 5 bytes'],
    ['5AFF', 1, 'a length of 127 bytes'],
    ['5A8201', 1, 'the length is cut short'],
    ['5A8480000000', 1, 'tag 5A claims 2147483648 bytes, 0 are left'],
    ['5A0411', 1, 'tag 5A claims 4 bytes, 1 are left'],
    // The template ends after its stated length; the bytes after it do not belong to it.
    ['70039F02061122334455660000', 4, 'tag 9F02 claims 6 bytes, 0 are left'],
    ['E0019F0001FF', 2, 'the tag is cut short'],
    ['7003 9C8201 FF00', 3, 'the length is cut short'],
    ['9C0100FFFF', 3, 'FF filler between objects'],
    ['9C0100FF', 3, 'the tag is cut short'],
    ['0000FFFFFF', 2, 'FF filler between objects'],
  ])('%s at byte %i: %s', (hex, offset, reason) => {
    const decode = () => decodeTlv(fromHex(hex.replaceAll(' ', '')));
    expect(decode).toThrow(expect.objectContaining({ code: 'tlv.malformed', facts: { offset, why: reason } }));
  });

  test('seventeen nested templates, but not sixteen', () => {
    expect(findDeep(decodeTlv(fromHex(nested(16))), '9C')).toBeDefined();
    expect(() => decodeTlv(fromHex(nested(17)))).toThrow('more than 16 templates');
  });

  test('more than 64 KiB, but not 64 KiB', () => {
    expect(decodeTlv(new Uint8Array(65_536))).toEqual([]);
    expect(() => decodeTlv(new Uint8Array(65_537))).toThrow('more than 65536 bytes');
  });
});

test('padding is skipped before, between and after objects, at every level', () => {
  const list = decodeTlv(fromHex('0000 7008 00 9C0101 00 5000 00'.replaceAll(' ', '')));
  expect(list.map(({ tag, children }) => [tag, children?.map((child) => child.tag)])).toEqual([['70', ['9C', '50']]]);
});

test('a value is a view of the input that reaches nothing outside it', () => {
  const input = Buffer.from('FF9C01AAFF', 'hex').subarray(1, 4);
  const [object] = decodeTlv(input);
  expect(object?.value).toEqual(Uint8Array.of(0xaa));
  expect(object?.value.constructor).toBe(Uint8Array);
});

describe('building', () => {
  test('children take precedence over the value', () => {
    const object: Tlv = { tag: '70', value: fromHex('AABB'), children: [tlv('9C', '01')] };
    expect(toHex(encodeTlv([object]))).toBe('70039C0101');
  });

  test('a template given as bytes has its children', () => {
    expect(find(tlv('70', '9C0101').children ?? [], '9C')?.value).toEqual(Uint8Array.of(1));
    expect(tlv('9f02', '000000000100')).toEqual({ tag: '9F02', value: fromHex('000000000100') });
  });

  test.each([0, 1, 127, 128, 255, 256, 65_000])('a value of %i bytes has the shortest length', (size) => {
    const bytes = encodeTlv([tlv('50', new Uint8Array(size))]);
    const lengthBytes = size < 128 ? 1 : size < 256 ? 2 : 3;
    expect(bytes.length).toBe(1 + lengthBytes + size);
    expect(decodeTlv(bytes)[0]?.value.length).toBe(size);
  });

  test.each(['', '00', '0050', '9F', '9F81', 'DF81818101', '9F0201', '5', 'XY', 'FFFF01', '50\n'])(
    'the tag "%s" is refused',
    (tag) => {
      expect(() => tlv(tag, '01')).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
    },
  );

  test('children under a primitive tag, too deep and too big are refused', () => {
    const byHand: Tlv = { tag: '5A', value: new Uint8Array(), children: [] };
    expect(() => encodeTlv([byHand])).toThrow('cannot have children');
    expect(() => tlv('5A', [])).toThrow('cannot have children');
    expect(() => encodeTlv([tlv('50', new Uint8Array(65_534))])).toThrow('more than 65536 bytes');
    expect(() => encodeTlv(new Array<Tlv>(40_000).fill(tlv('50', '')))).toThrow('more than 65536 bytes');
    let deep: Tlv = tlv('9C', '00');
    for (let depth = 0; depth < 17; depth += 1) deep = { tag: '70', value: new Uint8Array(), children: [deep] };
    expect(() => encodeTlv([deep])).toThrow('more than 16 templates');
  });
});

test('finding: the first at this level, all at this level, the first at any level', () => {
  const list = decodeTlv(fromHex('7206860101860102 7103 860103 860104'.replaceAll(' ', '')));
  expect(find(list, '86')?.value).toEqual(Uint8Array.of(4));
  expect(findAll(list[0]?.children ?? [], '86').map(({ value }) => value[0])).toEqual([1, 2]);
  expect(findDeep(list, '86')?.value).toEqual(Uint8Array.of(1));
  expect(findDeep(list, '9F26')).toBeUndefined();
  expect(find([], '86')).toBeUndefined();
});

const tags = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 3 }))
  .map(([first, more]) => toHex(Uint8Array.of(first, ...more)))
  .filter(isTag);

const trees: fc.Arbitrary<Tlv[]> = fc.letrec<{ list: Tlv[]; object: Tlv }>((tie) => ({
  list: fc.array(tie('object'), { maxLength: 5, depthIdentifier: 'tlv' }),
  object: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'tlv' },
    fc
      .tuple(
        tags.filter((tag) => !isConstructed(tag)),
        fc.uint8Array({ maxLength: 300 }),
      )
      .map(([tag, value]) => tlv(tag, value)),
    fc.tuple(tags.filter(isConstructed), tie('list')).map(([tag, list]) => tlv(tag, list)),
  ),
})).list;

/** Decodes, and returns whether the input was good. Only a fault with an offset inside the input is allowed. */
const survives = (bytes: Uint8Array): boolean => {
  try {
    decodeTlv(bytes);
    return true;
  } catch (error) {
    if (!isFault(error, 'tlv.malformed')) throw error;
    const { offset } = error.facts;
    expect(offset).toBeGreaterThanOrEqual(0);
    expect(offset).toBeLessThan(bytes.length);
    return false;
  }
};

describe('properties', () => {
  test('decoding restores what was encoded', () => {
    fc.assert(
      fc.property(trees, (list) => {
        expect(decodeTlv(encodeTlv(list))).toEqual(list);
      }),
      { numRuns: byNight({ day: 300, night: 1_000 }) },
    );
  });

  test('random bytes are decoded or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        survives(bytes);
      }),
      { numRuns: byNight({ day: 2_000, night: 20_000 }) },
    );
  });

  test('bytes that look like objects are decoded or refused, and decoded ones encode to the same tree', () => {
    const likely = fc.constantFrom(0x00, 0x01, 0x02, 0x03, 0x5a, 0x70, 0x81, 0x82, 0x9f, 0xbf, 0xdf, 0xe0, 0xff);
    fc.assert(
      fc.property(fc.array(likely, { maxLength: 24 }), (values) => {
        const bytes = Uint8Array.from(values);
        if (!survives(bytes)) return;
        const withoutContent = (list: readonly Tlv[]): unknown[] =>
          list.map(({ tag, value, children }) => (children ? [tag, withoutContent(children)] : [tag, toHex(value)]));
        const list = decodeTlv(bytes);
        expect(withoutContent(decodeTlv(encodeTlv(list)))).toEqual(withoutContent(list));
      }),
      { numRuns: byNight({ day: 2_000, night: 20_000 }) },
    );
  });

  test('good data cut anywhere or with any byte changed is decoded or refused', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 255 }), (list, cut, at, byte) => {
        const bytes = encodeTlv(list);
        if (bytes.length === 0) return;
        survives(bytes.subarray(0, cut % bytes.length));
        const changed = Uint8Array.from(bytes);
        changed[at % bytes.length] = byte;
        survives(changed);
      }),
      { numRuns: byNight({ day: 500, night: 3_000 }) },
    );
  });

  test('one object cut anywhere is always refused', () => {
    fc.assert(
      fc.property(tags, fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (tag, value, cut) => {
        fc.pre(!isConstructed(tag));
        const bytes = encodeTlv([tlv(tag, value)]);
        const stored = 1 + (cut % (bytes.length - 1));
        expect(survives(bytes.subarray(0, stored))).toBe(false);
      }),
      { numRuns: byNight({ day: 500, night: 3_000 }) },
    );
  });
});
