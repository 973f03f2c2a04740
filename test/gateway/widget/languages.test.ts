/** All languages have all texts, with the same placeholders. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  amountIn,
  chosenLanguage,
  directionOf,
  fill,
  languageOf,
  languages,
  tagOf,
} from '../../../src/gateway/widget/browser/languages.ts';
import { widget as en } from '../../../src/locales/shopper/en.ts';
import { shopperTexts } from '../../../src/locales/shopper.ts';
import { languages as offered } from '../../../src/shop/flows.ts';

const folder = join(import.meta.dirname, '../../../src/locales/shopper');

const placesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test('there are 25, each with its file, and the shop offers them all', () => {
  expect(languages.length).toBe(25);
  expect(readdirSync(folder).sort()).toEqual(languages.map((language) => `${tagOf(language)}.ts`).sort());
  expect(Object.keys(offered).sort()).toEqual([...languages].sort());
});

describe.each(languages)('%s', (language) => {
  const widgetTexts: Readonly<Record<string, string>> = shopperTexts[tagOf(language)].widget;

  test('has every text, with the same placeholders', () => {
    expect(Object.keys(widgetTexts)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(en)) expect(placesIn(widgetTexts[key] ?? ''), key).toEqual(placesIn(text));
  });

  test('leaves nothing in English, and no blank around a text', () => {
    const same = Object.entries(widgetTexts).filter(
      ([key, text]) => text.length > 18 && text === en[key as keyof typeof en],
    );
    if (language !== 'en') expect(same).toEqual([]);
    for (const text of Object.values(widgetTexts)) expect(text).toBe(text.trim().replace(/ {2,}/g, ' '));
  });

  test('is a language that browsers know', () => {
    expect(Intl.getCanonicalLocales(tagOf(language))).toEqual([tagOf(language)]);
    expect(Intl.NumberFormat.supportedLocalesOf([tagOf(language)])).toEqual([tagOf(language)]);
    expect(languageOf(tagOf(language))).toBe(language);
  });

  test('writes an amount in Latin digits, completely', () => {
    const amount = amountIn(language, '12345678901234567.89', 'EUR');
    expect(amount.replace(/[^0-9]/g, '')).toBe('1234567890123456789');
  });
});

test.each([
  ['de_DE', 'de'],
  ['de-AT', 'de'],
  ['DE', 'de'],
  ['da', 'dk'],
  ['sv_SE', 'se'],
  ['cs', 'cz'],
  ['zh-Hans-CN', 'cn'],
  ['el', 'gr'],
  ['nb-NO', 'no'],
  ['xx', undefined],
  ['', undefined],
  ['__proto__', undefined],
])('%s is %s', (locale, language) => expect(languageOf(locale)).toBe(language));

test('the shop’s choice takes precedence over the browser’s; English is the last resort', () => {
  expect(chosenLanguage([undefined, 'fr', 'de'])).toBe('fr');
  expect(chosenLanguage(['xx', 'sv'])).toBe('se');
  expect(chosenLanguage([])).toBe('en');
});

test('only Arabic runs from right to left', () => {
  expect(languages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
});

test('values replace their placeholders', () => {
  expect(fill('{brand} ending in {digits}', { brand: 'Visa', digits: '0091' })).toBe('Visa ending in 0091');
});

test('a value in an Arabic text keeps its own direction', () => {
  const ending = fill(shopperTexts.ar.widget.cardEnding, { brand: 'Visa', digits: '0091' });
  expect(ending).toBe('\u2068Visa\u2069 تنتهي بالأرقام \u20680091\u2069');
});
