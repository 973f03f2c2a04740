import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { cvrWords } from '../../src/emv/cvr.ts';
import { parseIad } from '../../src/emv/iad.ts';
import { byNight } from '../support/night/night.ts';

const parts = (hex: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseIad(fromHex(hex))).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, typeof part === 'string' ? part : toHex(part)]],
    ),
  );

// Published traces, and the forms of EMV Book 3 Annex C9 and of the schemes' own documents.
test.each<[string, Record<string, string>]>([
  ['06020103A00000', { format: 'VIS 0/1/3', dki: '02', cvn: '01', cvr: '03A00000' }],
  ['07000103A0A80201', { format: 'PBOC', dki: '00', cvn: '01', cvr: '03A0A802', algorithm: '01' }],
  ['07000103A0A8020102AABB', { format: 'PBOC', dki: '00', cvn: '01', cvr: '03A0A802', algorithm: '01', idd: '02AABB' }],
  [
    `1F220103A0B0C0D0${'00'.repeat(24)}`,
    { format: 'VIS 2/4', cvn: '22', dki: '01', cvr: '03A0B0C0D0', idd: '00'.repeat(24) },
  ],
  [
    `0FA501A030000000${'11'.repeat(8)}0F${'22'.repeat(15)}`,
    { format: 'CCD', cci: 'A5', dki: '01', cvr: 'A030000000', counters: '11'.repeat(8), idd: '22'.repeat(15) },
  ],
  [
    '0114A00003220000DAC100000000000000FF0042',
    {
      format: 'M/Chip',
      kdi: '01',
      cvn: '14',
      cvr: 'A00003220000',
      dacIdn: 'DAC1',
      counters: '00000000000000FF',
      lastOnlineAtc: '0042',
    },
  ],
  [
    `0115A00003220000DAC1${'33'.repeat(16)}`,
    { format: 'M/Chip', kdi: '01', cvn: '15', cvr: 'A00003220000', dacIdn: 'DAC1', counters: '33'.repeat(16) },
  ],
  [
    '1501850440B100000000B00000000000000000000000',
    { format: 'Interac', dki: '01', cvn: '85', cvr: '0440B10000', idd: '0000B00000000000000000000000' },
  ],
])('%s', (hex, expected) => {
  expect(parts(hex)).toEqual(expected);
});

test.each([
  ['6 bytes', '060112030000'],
  ['33 bytes', '00'.repeat(33)],
  ['discretionary data shorter than it claims', '06010A03A0000005AABB'],
  ['a length of no scheme', '0110A00003220000DAC10000'],
  ['a version that is not Mastercard’s', '0120A00003220000DAC1000000000000FFFF'],
  ['18 zeros', '00'.repeat(18)],
  ['a version that is not Interac’s', '1501840440B100000000B00000000000000000000000'],
  ['Interac’s with a byte too few', '1501850440B100000000B000000000000000000000'],
])('%s are refused', (_, hex) => {
  expect(() => parseIad(fromHex(hex))).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
});

test('random bytes are split into fields or refused', () => {
  const leads = fc.constantFrom(
    [0x06, 1, 0x0a, 3],
    [0x07, 0, 1, 3],
    [0x1f, 0x22],
    [0x0f, 0xa5],
    [1, 0x10],
    [1, 0x15],
    [0x15, 1, 0x85, 4],
    [],
  );
  fc.assert(
    fc.property(leads, fc.uint8Array({ maxLength: 34 }), (lead, rest) => {
      const bytes = Uint8Array.of(...lead, ...rest);
      try {
        const split = Object.values(parseIad(bytes)).filter((part) => part instanceof Uint8Array);
        expect(toHex(bytes)).toContain(toHex(split.at(-1) ?? bytes));
        expect(cvrWords(parseIad(bytes)).every((text) => text.length > 3 && !text.includes('#'))).toBe(true);
      } catch (error) {
        if (!isFault(error, 'emv.malformed')) throw error;
      }
    }),
    { numRuns: byNight({ day: 500, night: 5_000 }) },
  );
});

describe('card verification results in words', () => {
  test('of Visa', () => {
    const iad = parseIad(fromHex('06010A03A4B800'));
    expect(cvrWords(iad)).toEqual([
      'Second GENERATE AC not requested',
      'ARQC in first GENERATE AC',
      'Offline PIN verification performed',
      'Last online transaction not completed',
      'Velocity checking counters exceeded',
      'New card',
      'Issuer authentication failed on last online transaction',
    ]);
    expect(cvrWords({ format: 'VIS 0/1/3', cvr: fromHex('03400018') })).toEqual([
      'TC in second GENERATE AC',
      'AAC in first GENERATE AC',
      '1 script command processed',
      'Script processing failed',
    ]);
  });

  test('of Mastercard, with the same result as the source', () => {
    expect(cvrWords({ format: 'M/Chip', cvr: fromHex('A78005022000') })).toEqual([
      'Second GENERATE AC not requested',
      'ARQC in first GENERATE AC',
      'Offline PIN verification performed',
      'Offline encrypted PIN verification performed',
      'Offline PIN verification successful',
      'DDA returned',
      '5 PIN tries left',
      'Domestic transaction',
      'Lower cumulative accumulator limit exceeded',
    ]);
  });

  test('of common core definitions, with no PIN try left and two script commands', () => {
    expect(cvrWords({ format: 'CCD', cvr: fromHex('6500002800') })).toEqual([
      'TC in second GENERATE AC',
      'ARQC in first GENERATE AC',
      'Offline DDA performed',
      'Issuer authentication performed and failed',
      '0 PIN tries left',
      '2 script commands processed',
      'Script processing failed',
    ]);
  });

  test('of a wrong length are refused', () => {
    expect(() => cvrWords({ format: 'M/Chip', cvr: fromHex('03A00000') })).toThrow('4 bytes, not 6');
  });
});
