/** Reports in other languages: no placeholder lost, no text too wide for 58 mm paper, every reason translated. */
import { describe, expect, test } from 'vitest';
import { fill } from '../../src/base/placeholders.ts';
import { NO_CASHIER, nameOfPart } from '../../src/locales/names.ts';
import { englishReports, NO_ANSWER, reportLanguage, textOfWhy, whyWords } from '../../src/locales/reports.ts';

const tags = ['en', 'de', 'fr', 'es'] as const;

describe.each(tags)('%s', (tag) => {
  test('its labels leave room for an amount on 58 mm paper', async () => {
    const { reports: t, words } = await reportLanguage(tag);
    const { batches, noCashier, operations, entryModes } = words.manager;
    const labels = [t.charges, t.returns, t.holds, t.releases, batches.day, batches.opened, batches.closed, noCashier];
    for (const label of [...labels, ...Object.values(t.buckets), ...Object.values(batches.counted)])
      expect(label.length, label).toBeLessThanOrEqual(24);
    // These two may continue on a separate line.
    for (const label of [...Object.values(operations), ...Object.values(entryModes)])
      expect(label.length, label).toBeLessThanOrEqual(32);
  });

  test('translates a reason of a Z report', async () => {
    const { reports } = await reportLanguage(tag);
    for (const [name, reason] of Object.entries(whyWords)) {
      const output = textOfWhy(fill(reason, { code: '000.400.030' }), reports);
      expect(output, name).toBe(fill(reports.whys[name as keyof typeof whyWords], { code: '000.400.030' }));
    }
    expect(textOfWhy('the issuer’s own words', reports)).toBe('the issuer’s own words');
    expect(textOfWhy('constructor', reports)).toBe('constructor');
  });
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['ar', 'fr'], 'fr'],
  [['ar'], 'en'],
  [['tlh', undefined, 'ES'], 'es'],
  [['constructor', '', '*'], 'en'],
  [[], 'en'],
])('the first of %j that reports support is %s', async (requests, language) => {
  expect((await reportLanguage(...requests)).language).toBe(language);
});

test('names of counted groups, and groups without a name', () => {
  const { manager } = englishReports.words;
  expect(nameOfPart('entryModes', 'NFC_ICC', manager)).toBe('Contactless');
  expect(nameOfPart('entryModes', 'toString', manager)).toBe('toString');
  expect(nameOfPart('brands', 'OTHER', manager)).toBe('Other');
  expect(nameOfPart('cashiers', NO_CASHIER, manager)).toBe('nobody signed in');
  expect(nameOfPart('cashiers', 'Anna', manager)).toBe('Anna');
  expect(NO_ANSWER).toBe('no answer');
});
