/** What the till may know about a card: facts from unencrypted tags, and masks, but no account data. */
import { describe, expect, test } from 'vitest';
import {
  type ClearValueLookup,
  chipFacts,
  cryptogramOf,
  normaliseMask,
  selectTags,
  serviceCodeOf,
  takesStripePin,
  travels,
} from '../../drivers/card-facts.ts';
import { fromHex } from '../../src/base/hex.ts';

const clearOf =
  (values: Readonly<Record<string, string>>): ClearValueLookup =>
  (tag) => {
    const value = values[tag];
    return value === undefined ? undefined : fromHex(value);
  };

const asciiHex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

describe('facts of a chip', () => {
  test('all of them', () => {
    const clear = clearOf({
      '9F26': '0102030405060708',
      '9F27': '80',
      95: '0000008000',
      '9B': 'E800',
      '9F34': '420300',
      '5F34': '01',
      84: 'A0000000031010',
      50: asciiHex('VISA CREDIT'),
    });
    expect(chipFacts(clear, 'ICC')).toEqual({
      cryptogram: { kind: 'ARQC', value: '0102030405060708' },
      tvr: '0000008000',
      tsi: 'E800',
      verification: 'onlinePin',
      panSequence: '01',
      aid: 'A0000000031010',
      label: 'VISA CREDIT',
    });
  });

  test('none of them', () => {
    expect(chipFacts(clearOf({}), 'ICC')).toEqual({ verification: 'none' });
  });

  test.each([
    ['the preferred name', { '9F12': asciiHex('Carte'), 50: asciiHex('CB') }, 'Carte'],
    ['a preferred name in another alphabet', { '9F11': '05', '9F12': asciiHex('Carte'), 50: asciiHex('CB') }, 'CB'],
    ['blanks', { 50: asciiHex('   ') }, undefined],
    ['a card number in place of a name', { 50: asciiHex('4761739001010010') }, '476173******0010'],
  ])('label: %s', (_, values, label) => {
    expect(chipFacts(clearOf(values), 'ICC').label).toBe(label);
  });

  test.each([
    ['00', 'AAC'],
    ['40', 'TC'],
    ['90', 'ARQC'],
    ['C0', undefined],
  ])('9F27 %s is %s', (information, kind) => {
    expect(cryptogramOf(clearOf({ '9F26': '0102030405060708', '9F27': information }))?.kind).toBe(kind);
  });

  test('leaves out an invalid sequence number and results of the wrong length', () => {
    expect(chipFacts(clearOf({ '5F34': 'AB', '9F34': '4203' }), 'ICC')).toEqual({ verification: 'none' });
  });
});

test('no tag with account data is passed on', () => {
  expect(['57', '5A', '5F20', '5F24', '56', '9F1F', '9F6B', '99'].filter((tag) => travels.has(tag))).toEqual([]);
});

test('of a repeated tag only the first is passed on, or none', () => {
  const list = [
    { tag: '95', at: 1 },
    { tag: '5A', at: 2 },
    { tag: '95', at: 3 },
    { tag: '9B', at: 4 },
  ];
  expect(selectTags(list, ({ tag }) => travels.has(tag)).map(({ at }) => at)).toEqual([1, 4]);
  expect(selectTags(list, ({ at }) => at > 2).map(({ at }) => at)).toEqual([4]);
});

test.each([
  ['4761739001010010', '476173******0010'],
  ['476173******0010', '476173******0010'],
  ['4761*********010', '4761*********010'],
  ['476173C101010010', '****'],
  ['47617390010', '****'],
  ['', '****'],
])('%s is shown as %s', (number, text) => {
  expect(normaliseMask(number)).toBe(text);
});

test.each([
  ['15122011234', '201'],
  ['1512***', undefined],
  ['1512', undefined],
])('the service code after the separator of %s is %s', (rest, code) => {
  expect(serviceCodeOf(rest)).toBe(code);
});

describe('the PIN of a stripe', () => {
  test.each([
    [undefined, { pinKey: true }, false],
    ['101', { pinKey: true }, false],
    ['120', { pinKey: true }, true],
    ['126', { pinKey: true }, true],
    ['126', { pinKey: false }, false],
  ] as const)('service code %s with %j: %s', (code, keys, takes) => {
    expect(takesStripePin(code, keys)).toBe(takes);
  });

  test('a card that requires a PIN is refused if there is no key', () => {
    const refused = expect.objectContaining({ code: 'terminal.unready' });
    expect(() => takesStripePin('120', { pinKey: false })).toThrow(refused);
  });
});
