/** Reports in other languages: no blank lost, no words too wide for 58 mm paper, and every reason known. */
import { describe, expect, test } from 'vitest';
import { fill } from '../../src/base/placeholders.ts';
import { countedName, NO_CASHIER } from '../../src/locales/names.ts';
import { englishReports, NO_ANSWER, reportLanguage, whyIn, whyWords } from '../../src/locales/reports.ts';

const tags = ['en', 'de', 'fr', 'es'] as const;

describe.each(tags)('%s', (tag) => {
  test('its labels leave room for an amount on 58 mm paper', async () => {
    const { reports: t, words } = await reportLanguage(tag);
    const { batches, noCashier, operations, entryModes } = words.manager;
    const labels = [t.charges, t.returns, t.holds, t.releases, batches.day, batches.opened, batches.closed, noCashier];
    for (const label of [...labels, ...Object.values(t.buckets), ...Object.values(batches.counted)])
      expect(label.length, label).toBeLessThanOrEqual(24);
    // These two may go on in a line of their own.
    for (const label of [...Object.values(operations), ...Object.values(entryModes)])
      expect(label.length, label).toBeLessThanOrEqual(32);
  });

  test('tells a reason of a Z report in its own words', async () => {
    const { reports } = await reportLanguage(tag);
    for (const [name, reason] of Object.entries(whyWords)) {
      const output = whyIn(fill(reason, { code: '000.400.030' }), reports);
      expect(output, name).toBe(fill(reports.whys[name as keyof typeof whyWords], { code: '000.400.030' }));
    }
    expect(whyIn('the issuer’s own words', reports)).toBe('the issuer’s own words');
    expect(whyIn('constructor', reports)).toBe('constructor');
  });
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['ar', 'fr'], 'fr'],
  [['ar'], 'en'],
  [['tlh', undefined, 'ES'], 'es'],
  [['constructor', '', '*'], 'en'],
  [[], 'en'],
])('of %j the first that reports have is %s', async (requests, language) => {
  expect((await reportLanguage(...requests)).language).toBe(language);
});

test('names of what is counted, and what has none', () => {
  const { manager } = englishReports.words;
  expect(countedName('entryModes', 'NFC_ICC', manager)).toBe('Contactless');
  expect(countedName('entryModes', 'toString', manager)).toBe('toString');
  expect(countedName('brands', 'OTHER', manager)).toBe('Other');
  expect(countedName('cashiers', NO_CASHIER, manager)).toBe('nobody signed in');
  expect(countedName('cashiers', 'Anna', manager)).toBe('Anna');
  expect(NO_ANSWER).toBe('no answer');
});
