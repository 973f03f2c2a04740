import { expect, test } from 'vitest';
import { countryOf, formatsOf } from '../../src/locales/formats.ts';
import { languageOf, load } from '../../src/locales/load.ts';
import { reportLanguage } from '../../src/locales/reports.ts';
import { languages } from '../../src/locales/screens.ts';
import { translateFault, translateReason } from '../../src/locales/translate.ts';

type Tag = keyof typeof languages;

test('a code without a translation keeps the till’s text', () => {
  const problem = { code: 'not.known', says: 'a', money: 'b', next: 'c', remedy: 'retry' } as const;
  expect(translateFault({ messages: { reasons: {}, faults: {} }, language: 'en' }, problem)).toMatchObject({
    says: 'a',
    money: 'b',
    next: 'c',
  });
  expect(
    translateFault({ messages: { reasons: {}, faults: {} }, language: 'en' }, { ...problem, code: 'toString' }),
  ).toMatchObject({ says: 'a' });
});

test('the facts of an ending are filled in, and the gateway’s repeated text appears once', async () => {
  const result = {
    ending: 'declined',
    state: 'declined',
    reason: 'refusedByHost',
    says: '',
    money: '',
    next: '',
    again: true,
    why: 'transaction declined (limit exceeded)',
  } as const;
  expect(translateReason({ ...(await load.de()), language: 'de' }, result).says).toBe(
    'Das Gateway hat die Anfrage zurückgewiesen: Limit überschritten',
  );
});

const amounts: readonly (readonly [Tag, string, string, string])[] = [
  ['en', '1234.56', 'EUR', '1,234.56 EUR'],
  ['de', '1234.56', 'EUR', '1.234,56 EUR'],
  ['fr', '1234.56', 'EUR', '1 234,56 EUR'],
  ['es', '12345.60', 'EUR', '12.345,60 EUR'],
  ['ar', '1234.56', 'EUR', '1,234.56 EUR'],
  ['de', '1500', 'JPY', '1.500 JPY'],
  ['en', '12.345', 'KWD', '12.345 KWD'],
  ['de', '12.345', 'KWD', '12,345 KWD'],
  ['de', '-12.50', 'EUR', '-12,50 EUR'],
  ['en', '9007199254740993.01', 'EUR', '9,007,199,254,740,993.01 EUR'],
];

test.each(amounts)('%s writes %s %s as %s', (language, amount, currency, written) => {
  const { money } = formatsOf({ language, timeZone: 'UTC' });
  expect(
    money({ amount, currency })
      .replace(/[\u202f\u00a0]/g, ' ')
      .replace(/[\u200e\u200f\u061c]/g, ''),
  ).toBe(written);
});

test.each(Object.keys(languages) as Tag[])(
  '%s: times are the store’s, in digits that all tills and terminals show',
  (tag) => {
    const { time, dateTime, date, number } = formatsOf({ language: tag, timeZone: 'Europe/Berlin' });
    const at = Date.UTC(2026, 6, 1, 22, 5);
    expect(time(at).replace(/[\u200e\u200f]/g, '')).toBe('00:05');
    expect(date(at)).toMatch(/02.*07.*2026|07.*02.*2026/);
    expect(`${dateTime(at)}${number(1234567)}`).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/);
  },
);

test.each([
  [0, '0:00'],
  [6_400, '0:06'],
  [59_999, '0:59'],
  [600_000, '10:00'],
  [3_661_000, '61:01'],
])('%s ms last %s', (ms, written) => {
  expect(formatsOf({ language: 'ar', timeZone: 'UTC' }).duration(ms)).toBe(written);
});

test.each([
  ['de-AT', 'de'],
  ['AR', 'ar'],
  ['nl', undefined],
  ['toString', undefined],
  [undefined, undefined],
])('%s is the language %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

const evening = Date.UTC(2026, 6, 1, 22, 5);

test.each<[language: Tag, country: string | undefined, written: string]>([
  ['en', undefined, '02/07/2026 00:05'],
  ['en', 'US', '07/02/2026 00:05'],
  ['en', 'CA', '2026-07-02 00:05'],
  ['de', undefined, '02.07.2026 00:05'],
  ['de', 'AT', '02.07.2026 00:05'],
  ['fr', undefined, '02/07/2026 00:05'],
  ['es', undefined, '02/07/2026 00:05'],
])('%s in %s writes %s, reads it back, and writes business days the same way', (language, country, written) => {
  const { dateTime, date, day, isoDay } = formatsOf({ language, timeZone: 'Europe/Berlin', country });
  expect(dateTime(evening)).toBe(written);
  expect(day('2026-07-02')).toBe(date(evening));
  expect([isoDay(dateTime(evening)), isoDay(date(evening))]).toEqual(['2026-07-02', '2026-07-02']);
});

test('Arabic dates are read back with their marks, as they are copied', () => {
  const { dateTime, isoDay } = formatsOf({ language: 'ar', timeZone: 'Europe/Berlin' });
  expect(isoDay(dateTime(evening))).toBe('2026-07-02');
});

test.each([
  ['2.7.26', '2026-07-02'],
  ['2026-07-02', '2026-07-02'],
  ['31.02.2026', undefined],
  ['12.50', undefined],
  ['0412', undefined],
  ['1.2.3.4', undefined],
])('in German %s is the day %s', (text, iso) => {
  expect(formatsOf({ language: 'de', timeZone: 'UTC' }).isoDay(text)).toBe(iso);
});

test.each([
  ['en', 'EUR', undefined],
  ['en', 'USD', 'US'],
  ['en-GB', 'USD', 'GB'],
  ['de-AT', 'EUR', 'AT'],
])('a shop whose language is %s and that takes %s writes dates as in %s', (language, currency, country) => {
  expect(countryOf({ language, currency })).toBe(country);
});

test('French: its high punctuation and quotation marks have a narrow no-break space', async () => {
  const texts = JSON.stringify([await load.fr(), (await reportLanguage('fr')).reports]);
  expect(texts.match(/.{20}[^\u202f] [:;!?»](?=[ .,"]).{9}|.{20}« .{9}/gu)).toBeNull();
});
