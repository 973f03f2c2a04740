/** Card data is found in text however people write it; numbers of orders, dates and goods are not taken for it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardDataIn, withoutCardData } from '../../src/emv/card-text.ts';
import { luhnDigit } from '../../src/emv/luhn.ts';
import { testCards } from '../../src/emv/test-cards.ts';

const PAN = '4761739001010010';
const inDigitsOf = (zero: number) => [...PAN].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
const group = (gap: string) => PAN.replace(/\d{4}(?=\d)/g, `$&${gap}`);

describe('a card number', () => {
  test.each(Object.values(testCards).map(({ pan }) => pan))('%s', (pan) => {
    expect(cardDataIn(pan)).toBe('card number');
    expect(cardDataIn(`Order 7, table 12: ${pan}, thanks`)).toBe('card number');
    const masked = withoutCardData(`Order 7, table 12: ${pan}, thanks`);
    expect(masked).toBe(`Order 7, table 12: ${'*'.repeat(pan.length - 4)}${pan.slice(-4)}, thanks`);
    expect(cardDataIn(masked)).toBeUndefined();
  });

  test.each([' ', '-', '.', '/', '_', '\u00a0', '\u2011', '\u200b', ' - ', '\t'])('in groups with %j', (gap) => {
    expect(cardDataIn(`no. ${group(gap)}!`)).toBe('card number');
    expect(cardDataIn([...PAN].join(gap))).toBe('card number');
    expect(withoutCardData(`no. ${group(gap)}!`)).toBe(`no. ${['****', '****', '****', '0010'].join(gap)}!`);
  });

  test.each([
    ['full-width', 0xff10],
    ['Arabic', 0x0660],
    ['Persian', 0x06f0],
    ['Devanagari', 0x0966],
    ['mathematical bold', 0x1d7ce],
    ['mathematical monospace', 0x1d7f6],
  ])('in %s digits', (_, zero) => {
    expect(cardDataIn(`(${inDigitsOf(zero)})`)).toBe('card number');
    expect(cardDataIn(withoutCardData(`(${inDigitsOf(zero)})`))).toBeUndefined();
  });

  test.each([
    `Visa${PAN}`,
    `${PAN} 12/31 123`,
    `12.50 ${PAN}`,
    `2026-11-23 ${group(' ')}`,
    `https://shop.example/back?pan=${PAN}&x=1`,
    `a%20${PAN}`,
    [...PAN].map((digit) => `%3${digit}`).join(''),
    `fee-${PAN}`,
    '3782 822463 10005',
  ])('in %s', (text) => expect(cardDataIn(text)).toBe('card number'));
});

test.each([
  `;${PAN}=31122011143804400000?`,
  `%B${PAN}^CARDHOLDER/TEST^3112201?`,
  `57134761739001010010D31122011143804400000F`,
  `5A08${PAN}`,
  // A track is recognized by its marks, whatever its check digit.
  ';4761739001010011=31122011143804400000?',
])('a track, or a chip tag with a track: %s', (text) => {
  expect(cardDataIn(text)).toBe('track');
  expect(withoutCardData(text)).not.toMatch(/\d{13}/);
});

test.each([
  'CVV 123',
  'cvc: 1234',
  'CVV2=123',
  'card code 123',
  'his Security Code is 987',
  'Kartenprüfnummer 123',
  'KARTENPRUEFNUMMER 123',
  'Prüfziffer der Karte: 123',
  'cryptogramme visuel 123',
  'Código de seguridad: 123',
  'CODIGO DE SEGURIDAD 1234',
  'رمز الأمان: 123',
  'رمز التحقق ١٢٣',
  'cvn 123',
  'CAV2 123',
  'card verification code is 1234',
  'CVV-１２３',
])('a security code with its name: %s', (text) => {
  expect(cardDataIn(text)).toBe('card security code');
  expect(withoutCardData(text)).not.toMatch(/\p{Nd}{3}/u);
});

/** An order number with this start, and the digit that makes it valid as a card number. */
const check = (partial: string): string => partial + luhnDigit(partial);

describe('not a card number', () => {
  test.each([check('3011202622150'), check('301120262215001'), check('261123221500123')])(
    'a timestamp, with or without a counter: %s',
    (text) => expect(cardDataIn(`order ${text}`)).toBeUndefined(),
  );

  test.each([
    '4761739001010011',
    '4761, 7390, 0101, 0010',
    '4 x 7617 on 3900-10-10 at 10.01',
    'till-7-000042',
    'INV-2026-0042',
    '20261123221500123456',
    '1763939553123',
    '2026-11-23T22:15:00.123+01:00',
    '4006381333931 x 2',
    '352099001761481',
    '8944110068123456789',
    '+43 664 123 45 67',
    'DE89 3704 0044 0532 0130 00',
    '4761739001010010123456',
    'c0ffee4761739001010010abcdef0123',
    'f4761739-0010-4100-8100-123456789abc',
    'cid: 1234',
    'code 1234',
    'CVV2 checked',
    'Room 123, 4 nights',
    '476173******0010',
    '',
  ])('%j', (text) => {
    expect(cardDataIn(text)).toBeUndefined();
    expect(withoutCardData(text)).toBe(text);
  });

  test('none of ten thousand ids of this project', () => {
    const ids = fc.stringMatching(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(ids, (id) => cardDataIn(id) === undefined),
      { numRuns: 10_000 },
    );
  });
});

test('any number of a brand is found in any text, and fully masked', () => {
  const pan = fc
    .tuple(fc.constantFrom('4', '51', '2221', '6011', '62', '3528', '675'), fc.stringMatching(/^\d{15}$/))
    .map(([start, rest]) => (start + rest).slice(0, 15))
    .map((partial) => partial + luhnDigit(partial));
  const words = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\p{L}\p{N}-]/u.test(text));
  fc.assert(
    fc.property(words, pan, words, (before, number, behind) => {
      const text = `${before} a ${number} b ${behind}`;
      expect(cardDataIn(text)).toBe('card number');
      expect(cardDataIn(withoutCardData(text))).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test('the time grows only with the length of the text', () => {
  for (const text of ['1 '.repeat(200_000), '4'.repeat(400_000), 'cvv '.repeat(100_000), '٤'.repeat(100_000)])
    expect(cardDataIn(text)).toBeUndefined();
});

test('the quick check before the search, which only ASCII text gets, misses nothing', () => {
  const card = fc
    .constantFrom('4200000000000000', '4200 0000 0000 0000', '4200 - 0000 - 0000 - 0000', '4200...0000...0000...0000')
    .chain((number) => fc.constantFrom(number, number.replace('0', '1'), number.replace(' ', '     ')));
  const piece = fc.oneof(
    card,
    fc.constantFrom('cvv 123', 'card code: 1234', 'CVC2=999', 'postcode 8010', '5A084200000000000000'),
    fc.constantFrom(';420000000000=3412', '%B420000000000^JONES/J^3412', '570C420000000000D3412201', 'Market Street 1'),
    fc.stringMatching(/^[0-9 .:/A-Fa-f-]{0,12}$/),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), fc.constantFrom('', ' ', ', ', '\n'), (pieces, between) => {
      const text = pieces.join(between);
      expect(cardDataIn(text)).toBe(cardDataIn(`${text}\n\n\n\n\u00e9`));
    }),
    { numRuns: 2_000 },
  );
});
