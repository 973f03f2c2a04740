/** What the table of a day reports as wrong: differing sums, a step that was not done, an unknown ending. */
import { expect, test } from 'vitest';
import { type Day, dueOf, type Step, steps, wrongIn } from './day.ts';
import { allRows } from './table.ts';

const done = (text: string, receipt?: number) => ({ done: true, known: true, text, receipt });
const answers: Day['answers'] = {
  sale: done('approved', 1),
  'second sale': done('approved', 2),
  void: done('voided', 3),
  refund: done('refunded', 4),
  close: done('closed'),
};
const good: Day = { answers, holder: 'terminal', held: 430n, till: 430n, complaints: [] };
const refused = { done: false, known: true, text: 'refused' };
const answersWithout = (...missing: Step[]): Day['answers'] => ({
  ...answers,
  ...Object.fromEntries(missing.map((step) => [step, refused])),
});

test('12.50 and 7.30 minus a void of 12.50 and a refund of 3.00 are 4.30', () => {
  expect(dueOf(answers)).toBe(430n);
  expect(wrongIn(good, { sells: true })).toEqual([]);
  expect(wrongIn({ ...good, holder: 'gateway' }, { sells: true })).toEqual([]);
});

const bad: readonly (readonly [string, Day, string])[] = [
  ['the terminal has more', { ...good, held: 1_680n }, 'by the terminal it is 16.80 EUR, by the commands 4.30 EUR'],
  ['the terminal says nothing', { ...good, held: undefined }, 'by the terminal it is —'],
  ['the till has less', { ...good, till: 0n }, 'by the till it is 0.00 EUR, by the commands 4.30 EUR'],
  [
    'both have the same wrong sum',
    { ...good, held: 730n, till: 730n },
    'by the till it is 7.30 EUR, by the commands 4.30 EUR',
  ],
  ['the till found a difference', { ...good, complaints: ['other sums'] }, 'other sums'],
  ['a refund was refused', { ...good, answers: answersWithout('refund'), held: 730n, till: 730n }, 'refund: refused'],
  ['the day was not closed', { ...good, answers: answersWithout('close') }, 'close: refused'],
  [
    'the second sale is unresolved',
    { ...good, answers: { ...answers, 'second sale': { ...done('approved', 2), known: false } } },
    'second sale: nobody knows what became of it',
  ],
];

test.each(bad)('wrong: %s', (_, day, text) => {
  expect(wrongIn(day, { sells: true }).join('; ')).toContain(text);
});

test('a locked terminal sells nothing, or only once somebody unlocked it; selling at once is an error', () => {
  const locked: Day = {
    ...good,
    answers: answersWithout(...steps),
    holder: 'nobody',
    held: undefined,
    till: undefined,
  };
  expect(wrongIn(locked, { sells: false })).toEqual([]);
  expect(wrongIn(locked, { sells: true })).not.toEqual([]);
  const unlocked = { ...good, answers: { ...answers, sale: done('approved, after a close', 1) } };
  expect(wrongIn(unlocked, { sells: false })).toEqual([]);
  expect(wrongIn(good, { sells: false })).toEqual(['it was to be locked, and sold at once']);
});

const keysMissing = { done: false, known: true, text: 'The terminal cannot take cards: its keys are missing' };
const refusing: Day = {
  ...good,
  answers: { ...answersWithout('void', 'refund'), sale: keysMissing, 'second sale': keysMissing },
  ...{ holder: 'gateway', held: 0n, till: 0n },
};

test.each<[string, Day, string]>([
  ['in words', refusing, ''],
  ['without words', { ...refusing, answers: { ...refusing.answers, sale: refused } }, 'sale: not refused in words'],
  ['and sold', { ...refusing, answers: { ...refusing.answers, sale: done('approved', 1) } }, 'it was to be refused'],
  ['and somebody holds money', { ...refusing, held: 730n }, '7.30 EUR of sales that were refused'],
])('a terminal on which nothing can be sold, refused %s', (_, day, text) => {
  const wrong = wrongIn(day, { sells: 'never' });
  if (text === '') expect(wrong).toEqual([]);
  else expect(wrong.join('; ')).toContain(text);
});

test('the table has the strictest terminal of each protocol, and each of its dialects once', () => {
  const names = allRows().map(({ protocol, dialect }) => `${protocol} ${dialect ?? ''}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['mms ', 'mpi ', 'neo2 ', 'zvt ', 'zvt locked-day']));
});
