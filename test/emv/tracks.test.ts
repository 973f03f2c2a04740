import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import {
  parseTag57,
  parseTrack1,
  parseTrack2,
  printTag57,
  printTrack1,
  printTrack2,
  type Track2,
} from '../../src/emv/tracks.ts';
import { byNight } from '../support/night/night.ts';

const PAN = '4761739001010010';

const parsers: Record<string, (input: string) => unknown> = {
  track1: parseTrack1,
  track2: parseTrack2,
  tag57: (hex) => parseTag57(fromHex(hex)),
};

test.each([
  ['track2', '', 'no separator'],
  ['track2', `;${PAN}=3112201`, undefined],
  ['track2', `${PAN}d3112201`, undefined],
  ['track2', `;${PAN}=3112201??`, 'a character that is not a digit'],
  ['track2', `;${PAN}=31122`, 'a service code that is not three digits'],
  ['track2', `;${PAN}=`, 'an expiry date that is no year and month'],
  ['track2', `;${PAN}=3113201`, 'an expiry date that is no year and month'],
  ['track2', `;${PAN}=3100201`, 'an expiry date that is no year and month'],
  ['track2', `;${PAN}=3112=201`, 'a character that is not a digit'],
  ['track2', ';47617390010=3112201', 'a card number of 11 characters, it has 12 to 19 digits'],
  ['track2', `;${PAN}=3112201${'0'.repeat(14)}?`, '38 characters, at most 37 are possible'],
  ['track2', '1'.repeat(5000), '5000 characters'],
  ['tag57', '', 'no separator'],
  ['tag57', `${PAN}D31122017F`, undefined],
  ['tag57', `${PAN}D3112201FF`, 'a character that is not a digit'],
  ['tag57', `${PAN}D311220A1F`, 'a character that is not a digit'],
  ['tag57', `${PAN}D3112D201F`, 'a character that is not a digit'],
  ['track1', `%B${PAN}^CARDHOLDER/TEST^3112201`, undefined],
  ['track1', `B${PAN}^  ^3112201?`, undefined],
  ['track1', `%A${PAN}^CARDHOLDER/TEST^3112201?`, 'it is not of format B'],
  ['track1', `%B${PAN}^C^3112201?`, 'a name of 1 characters, it has 2 to 26'],
  ['track1', `%B${PAN}^CARDHOLDER`, 'it does not have two ^ separators'],
  ['track1', `%B${PAN}^CARDHOLDER/TEST^3112201^?`, 'it does not have two ^ separators'],
  ['track1', `%B${PAN}^cardholder^3112201?`, 'a character that the track cannot hold'],
  ['track1', `%B${PAN}^CARD\nHOLDER^3112201?`, 'a character that the track cannot hold'],
  ['track1', `%B${PAN}^CARDHOLDER/TEST^3112201${'0'.repeat(36)}?`, '77 characters, at most 76 are possible'],
])('%s %s', (kind, input, reason) => {
  const parse = () => parsers[kind]?.(input);
  if (reason === undefined) expect(parse()).toMatchObject({ pan: PAN, expiry: '3112', serviceCode: '201' });
  else
    expect(parse).toThrow(
      expect.objectContaining({ code: 'emv.malformed', facts: expect.objectContaining({ why: reason }) }),
    );
});

test('names are split at the slash, and only padding spaces are removed', () => {
  const named = (name: string) => parseTrack1(`%B${PAN}^${name}^3112201?`);
  expect(named('DOE/JOHN A.MR   ')).toMatchObject({ name: 'DOE/JOHN A.MR', surname: 'DOE', firstName: 'JOHN A.MR' });
  expect(named('PREPAID CARD')).toMatchObject({ name: 'PREPAID CARD', surname: 'PREPAID CARD' });
  expect(named('PREPAID CARD')).not.toHaveProperty('firstName');
  expect(named(' /')).toMatchObject({ surname: '', firstName: '' });
});

test.each<[Partial<Track2>, string]>([
  [{ expiry: '311' }, 'Track data'],
  [{ serviceCode: '2010' }, 'Track data'],
  [{ pan: '12345' }, '12 to 19 digits'],
  [{ discretionary: '0'.repeat(15) }, 'are possible'],
  [{ discretionary: 'F' }, 'not a digit'],
  [{ discretionary: '12D' }, 'not a digit'],
])('%j is not printed', (change, text) => {
  const track = { pan: PAN, expiry: '3112', serviceCode: '201', discretionary: '', ...change };
  expect(() => printTrack2(track)).toThrow(text);
  expect(() => printTag57(track)).toThrow(text);
});

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const tracks = fc.record({
  pan: digits(12, 19),
  expiry: fc.tuple(digits(2, 2), fc.integer({ min: 1, max: 12 })).map(([yy, mm]) => yy + String(mm).padStart(2, '0')),
  serviceCode: digits(3, 3),
  discretionary: digits(0, 10),
});
const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ .-');
const names = fc.tuple(fc.string({ unit: letters, minLength: 1, maxLength: 25 }), fc.constantFrom(...'ABC'));

describe('properties', () => {
  test('parsing restores what was printed', () => {
    fc.assert(
      fc.property(tracks, names, (track, [start, end]) => {
        expect(parseTrack2(printTrack2(track))).toEqual(track);
        expect(parseTag57(printTag57(track))).toEqual(track);
        expect(parseTrack1(printTrack1({ ...track, name: start + end }))).toMatchObject({
          ...track,
          name: start + end,
        });
      }),
      { numRuns: byNight({ day: 300, night: 1_000 }) },
    );
  });

  test('bad input only gives faults, and no fault contains the card number', () => {
    const inputs = fc.tuple(
      fc.constantFrom('track1', 'track2', 'tag57'),
      tracks,
      fc.string({ maxLength: 12 }),
      fc.nat({ max: 40 }),
    );
    fc.assert(
      fc.property(inputs, ([kind, track, noise, index]) => {
        const good = kind === 'track1' ? printTrack1({ ...track, name: 'AB' }) : printTrack2(track);
        const text = kind === 'tag57' ? toHex(printTag57(track)) : good;
        const changed = text.slice(0, index) + noise + text.slice(index + 1);
        try {
          parsers[kind]?.(changed);
        } catch (error) {
          if (!isFault(error)) throw error;
          expect(error.message + JSON.stringify(error.facts)).not.toMatch(/\d{5}/);
        }
      }),
      { numRuns: byNight({ day: 500, night: 5_000 }) },
    );
  });

  test('random bytes under tag 57 are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => {
        try {
          expect(toHex(printTag57(parseTag57(bytes)))).toBe(toHex(bytes));
        } catch (error) {
          if (!isFault(error, 'emv.malformed')) throw error;
        }
      }),
      { numRuns: byNight({ day: 500, night: 5_000 }) },
    );
  });
});
