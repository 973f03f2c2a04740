/** What holds for every receipt, whatever the facts: the width of the paper, and what may be printed of the card. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryModes } from '../../src/emv/entry-mode.ts';
import { columns, wrap } from '../../src/receipt/columns.ts';
import type { ReceiptCard, ReceiptFacts, ReceiptOperation } from '../../src/receipt/facts.ts';
import { receiptOf } from '../../src/receipt/receipt.ts';
import { receiptText, type Width } from '../../src/receipt/text.ts';
import { operations } from '../../src/receipt/words.ts';

/**
 * Anything that a host, a chip or a configuration can contain: letters, controls, wide characters, emoji, half pairs.
 */
const text = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('京', '\u0301', '\u200d', '👩', '\ud800', '\u001b', '\n', ' ', 'W'),
    maxLength: 90,
  }),
);
const may = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** fast-check makes absent values `undefined`; facts leave them out. */
const withoutUndefined = <T extends object>(value: object): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;

const cards = (pan: fc.Arbitrary<string>, words: fc.Arbitrary<string>): fc.Arbitrary<ReceiptCard> =>
  fc
    .record({
      maskedPan: pan,
      label: may(words),
      brand: may(words),
      entryMode: fc.constantFrom(...entryModes),
      verification: fc.constantFrom('onlinePin', 'offlinePin', 'signature', 'device', 'none'),
      aid: may(text),
      tvr: may(text),
      tsi: may(text),
      iad: may(text),
      cryptogram: may(fc.record({ kind: fc.constantFrom('ARQC', 'TC', 'AAC'), value: text })),
    })
    .map(withoutUndefined<ReceiptCard>);

const amounts = fc.bigInt(-(10n ** 12n), 10n ** 30n);
const sum = fc.record({ minor: amounts, currency: fc.constant('EUR') });
const sums = {
  ...{ tip: may(sum), asked: may(sum), heldInAll: may(sum), balance: may(sum) },
  bill: may(fc.record({ total: sum, left: sum })),
};

const receipts = (pan: fc.Arbitrary<string>, words: fc.Arbitrary<string>): fc.Arbitrary<ReceiptFacts> =>
  fc
    .record({
      merchant: fc
        .record({ name: text, address: fc.array(text, { maxLength: 4 }), id: text, vat: may(text) })
        .map(withoutUndefined<ReceiptFacts['merchant']>),
      terminalId: text,
      receiptNumber: text,
      batch: may(text),
      at: fc.integer({ min: 0, max: 4e12 }),
      zoneMinutes: fc.integer({ min: -720, max: 840 }),
      operation: fc.constantFrom(...(Object.keys(operations) as ReceiptOperation[])),
      originalReceiptNumber: may(text),
      cashier: may(words),
      amount: fc.record({ minor: amounts, currency: fc.constant('EUR') }),
      ...sums,
      heldUntil: may(fc.integer({ min: 0, max: 4e12 })),
      neverSent: may(fc.boolean()),
      card: may(cards(pan, words)),
      authorisationCode: may(text),
      traceNumber: may(text),
      ending: fc.constantFrom('approved', 'declined', 'notSent', 'unknown'),
      offline: may(fc.constantFrom('chip', 'deferred', 'stored')),
      statusText: may(words),
      reason: may(words),
      reversed: may(fc.boolean()),
    })
    .chain((facts) => fc.constantFrom('EUR', 'JPY', 'KWD').map((currency) => inCurrency(facts, currency)))
    .map(withoutUndefined<ReceiptFacts>);

/** A receipt has one currency, because tip and amount are added up. */
const inCurrency = (facts: object, currency: string): object =>
  JSON.parse(
    JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
    (name, value: unknown) =>
      name === 'currency' ? currency : name === 'minor' ? BigInt(String(value).slice(0, -1)) : value,
  ) as object;

const options = fc.record({ copy: fc.constantFrom('merchant', 'customer'), duplicate: fc.boolean() });
const widths = fc.constantFrom<Width>(32, 42);

test('no line is wider than the paper, and none contains a printer command', () => {
  fc.assert(
    fc.property(receipts(text, text), options, widths, (facts, how, width) => {
      for (const line of receiptText(receiptOf(facts, how), width)) {
        expect(columns(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/\p{C}/u);
      }
    }),
  );
});

/** Digits found nowhere else on the receipts below, so that any five in a row come from the card number. */
const cardDigits = fc.string({ unit: fc.constantFrom(...'234568'), minLength: 12, maxLength: 19 });
const plain = {
  merchant: { name: 'Shop', address: [], id: '1' },
  terminalId: '1',
  receiptNumber: '1',
  at: 0,
  zoneMinutes: 0,
  operation: 'sale',
  amount: { minor: 100n, currency: 'EUR' },
} as const;

test('of a card number only the last four digits are printed, wherever card or host put it', () => {
  const noise = text.map((text) => text.replace(/\p{Nd}/gu, ''));
  const scenes = fc
    .tuple(cardDigits, fc.constantFrom('', ' ', '-', '\n', '\u200b'), noise)
    .chain(([pan, gap, before]) => {
      const written = pan.replace(/(\d{4})(?=\d)/g, `$1${gap}`);
      const words = fc.constantFrom(written, `${before} ${written}`, `card\n${written} expired`);
      const card = cards(fc.constantFrom(pan, written), words).map(
        ({ aid: _aid, tvr: _tvr, tsi: _tsi, iad: _iad, cryptogram: _ac, ...rest }) => rest,
      );
      const ending = fc.constantFrom('approved', 'declined', 'notSent', 'unknown');
      return fc.tuple(fc.constant(pan), fc.record({ card, ending, statusText: words, reason: words }));
    });
  fc.assert(
    fc.property(scenes, options, widths, ([pan, facts], how, width) => {
      const printed = receiptText(receiptOf({ mode: 'live', ...plain, ...facts }, how), width)
        .join('')
        .replace(/[^\d*]/g, '');
      const shown = Array.from({ length: pan.length - 4 }, (_, index) => pan.slice(index, index + 5)).filter((piece) =>
        printed.includes(piece),
      );
      expect(shown).toEqual([]);
      expect(printed).toContain(`*${pan.slice(-4)}`);
    }),
  );
});

test('wrapping keeps words in order and breaks only words that are wider than a line', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '京', '1'), minLength: 1, maxLength: 50 }));
  fc.assert(
    fc.property(words, widths, (list, width) => {
      const lines = wrap(list.join(' '), width);
      expect(lines.join('').replaceAll(' ', '')).toBe(list.join(''));
      const whole = list.filter((word) => columns(word) <= width);
      const seen = new Set(lines.flatMap((line) => line.split(' ')));
      expect(whole.filter((word) => !seen.has(word))).toEqual([]);
    }),
  );
});

test.each([
  ['abc', 3],
  ['', 0],
  ['京都', 4],
  ['ｶﾅ', 2],
  ['ＡＢ', 4],
  ['e\u0301', 1],
  ['👍', 2],
  ['한글', 4],
  ['€', 1],
  ['עברית', 5],
])('%j takes %i columns', (written, expected) => {
  expect(columns(written)).toBe(expected);
});
