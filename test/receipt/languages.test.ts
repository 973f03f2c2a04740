import { describe, expect, test } from 'vitest';
import { languageOf, languages, tagOf } from '../../src/gateway/widget/browser/languages.ts';
import { receiptLanguage, receiptLanguages } from '../../src/receipt/languages.ts';
import { english } from '../../src/receipt/words/en.ts';
import type { WordKey } from '../../src/receipt/words.ts';

const keys = Object.keys(english) as WordKey[];
/** What must never be taken for one another. */
const results: WordKey[] = [
  'approved',
  'declined',
  'reversed',
  'resultUnknown',
  'voided',
  'approvedOffline',
  'acceptedOffline',
];
const kinds: WordKey[] = ['sale', 'refund', 'void', 'preauthorisation', 'credit', 'increment', 'release', 'completion'];

test('every language that shoppers can choose has a receipt', () => {
  expect(languages.map(tagOf).filter((tag) => receiptLanguages[tag] === undefined)).toEqual([]);
  expect(Object.keys(receiptLanguages).filter((tag) => languageOf(tag) === undefined)).toEqual([]);
});

describe.each(Object.entries(receiptLanguages))('%s', (tag, words) => {
  test('has every word, printable, and no more', () => {
    expect(Object.keys(words)).toEqual(keys);
    expect(keys.filter((key) => !/^[^\p{C}\s]+( [^\p{C}\s]+)*$/u.test(words[key]))).toEqual([]);
  });

  test('fills in what English fills in', () => {
    const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort();
    for (const key of keys) expect(blanks(words[key])).toEqual(blanks(english[key]));
  });

  test('calls different things by different names', () => {
    for (const group of [results, kinds]) expect(new Set(group.map((key) => words[key])).size).toBe(group.length);
    expect(words.merchantCopy).not.toBe(words.customerCopy);
    expect(words.pinVerified).not.toBe(words.pinEntered);
  });

  test('is not English with another name', () => {
    const same = keys.filter((key) => words[key] === english[key]);
    expect(same.length).toBeLessThan(tag === 'en' ? keys.length + 1 : 8);
  });
});

describe('the language asked for', () => {
  const rows: [readonly (string | undefined)[], string][] = [
    [['de-AT'], 'de'],
    [['nb'], 'no'],
    [['xx', 'fr'], 'fr'],
    [[undefined, 'ar-EG'], 'ar'],
    [['xx'], 'en'],
    [[], 'en'],
    [['constructor'], 'en'],
  ];
  test.each(rows)('%j: %s', (tags, tag) => {
    expect(receiptLanguage(...tags).tag).toBe(tag);
  });
});
