import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decoder, type PrintedItem } from '../../drivers/printers/decoder.ts';
import { receiptLanguage } from '../../src/locales/shopper.ts';
import { canPrint, escpos } from '../../src/receipt/escpos.ts';
import type { ReceiptFacts } from '../../src/receipt/facts.ts';
import { layout, type Width } from '../../src/receipt/layout.ts';
import { markIn } from '../../src/receipt/mode-mark.ts';
import { receiptOf } from '../../src/receipt/receipt.ts';
import { receiptSvg } from '../../src/receipt/svg.ts';
import { receiptEmail, receiptLineOf, receiptText } from '../../src/receipt/text.ts';
import { byNight } from '../support/night/night.ts';
import { card, sale } from './sample.ts';

const attack = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      '\u001b',
      '\u001d',
      '\u001c',
      '\u0010',
      '\u0004',
      '\n',
      'p',
      '\u0000',
      'V',
      'é',
      '€',
      '京',
      'ش',
      '‮',
      '<',
      '&',
      '|',
      '{',
      '\\',
    ),
    maxLength: 40,
  }),
  fc.constant(`${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}`),
);

const facts = fc
  .record({
    name: attack,
    line: attack,
    cashier: attack,
    status: attack,
    reason: attack,
    label: attack,
    store: attack,
    slip: attack,
  })
  .map((text) => ({
    facts: {
      ...sale,
      merchant: { name: text.name, address: [text.line], id: text.line, vat: text.line },
      ...{ cashier: text.cashier, statusText: text.status, reason: text.reason, code: 'ABC' },
      card: { ...card, label: text.label, aid: text.line },
      slip: { merchant: [text.slip], customer: [] },
    } satisfies ReceiptFacts,
    store: [text.store],
  }));

const rowsOf = ({ facts: what, store }: { facts: ReceiptFacts; store: string[] }, copy: 'customer' | 'merchant') =>
  receiptOf(what, { copy, header: store, footer: store });

const kindsOf = (printed: readonly PrintedItem[]) => new Set(printed.map(({ kind }) => kind));
const stub = { bytesAcross: 1, rows: 1, bits: new Uint8Array(1) };

test('no text reaches a printer as a command or leaves its line', () => {
  fc.assert(
    fc.property(
      facts,
      fc.constantFrom('cp437' as const, 'cp858' as const, 'gb18030' as const),
      fc.constantFrom<Width>(32, 42, 48),
      (what, codePage, width) => {
        for (const copy of ['customer', 'merchant'] as const) {
          const lines = layout(rowsOf(what, copy), width);
          const drawn = new Map(
            [...lines.entries()].filter(([, line]) => !canPrint(line, codePage)).map(([at]) => [at, stub]),
          );
          const printed = decoder().take(escpos(lines, { width, codePage, drawn }));
          const kinds = kindsOf(printed);
          for (const never of ['noise', 'drawer', 'asked', 'confirm'] as const) expect(kinds).not.toContain(never);
          expect(printed.filter(({ kind }) => kind === 'cut')).toHaveLength(1);
          const texts = lines.filter((line, index) => line.kind !== 'code' && !drawn.has(index)).length;
          const codes = lines.filter(({ kind }) => kind === 'code').length;
          expect(printed.filter(({ kind }) => kind === 'line')).toHaveLength(texts + codes);
        }
      },
    ),
    { numRuns: byNight({ day: 100, night: 300 }) },
  );
});

test('text stays text in an SVG', () => {
  fc.assert(
    fc.property(facts, (what) => {
      const svg = receiptSvg(layout(rowsOf(what, 'customer'), 42), {
        ...{ width: 42, rtl: false, title: what.facts.merchant.name, language: 'en' },
      });
      const names = new Set([...svg.matchAll(/<\/?([^\s>/]+)/g)].map(([, name]) => name));
      for (const name of names) expect(['svg', 'title', 'rect', 'g', 'text', 'path']).toContain(name);
      expect(svg.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
    { numRuns: byNight({ day: 70, night: 200 }) },
  );
});

test('a subject stays a single header, whatever it contains', () => {
  fc.assert(
    fc.property(attack, (subject) => {
      const [head = ''] = receiptEmail({ subject, lines: ['x'] }).split('\r\n\r\n');
      const headers = head
        .replace(/\r\n /g, '')
        .split('\r\n')
        .map((line) => line.split(':')[0]);
      expect(headers).toEqual(['X-Unsent', 'Subject', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding']);
      expect(head.split('\r\n').every((line) => line.length <= 78 + 'Subject: '.length)).toBe(true);
    }),
  );
});

describe('ReceiptLine', () => {
  test('is parsed by its own library as intended', async () => {
    const { default: receiptline } = await import('receiptline');
    const rows = receiptOf(
      { ...sale, merchant: { ...sale.merchant, name: 'A|B {C} \\D ~E _F "G `H ^I' } },
      { copy: 'customer', footer: ['---', 'a_b'] },
    );
    const text = receiptline.transform(receiptLineOf(rows, {}), {
      cpl: 42,
      encoding: 'cp437',
      command: 'text',
    } as never);
    const withoutSeparators = (text: string) => text.replace(/[\s-]/g, '');
    const read = withoutSeparators(text);
    for (const text of [
      'A|B {C} \\D ~E _F "G `H ^I',
      'APPROVED',
      '12.50 EUR',
      '************4321',
      'AUTH 831742',
      'a_b',
    ]) {
      expect(read).toContain(withoutSeparators(text));
    }
  });

  test.each(['en', 'de', 'fr'])('breaks neither the mark nor a word of the slip on any paper, in %s', async (tag) => {
    const { default: receiptline } = await import('receiptline');
    const { words } = receiptLanguage(tag);
    for (const mode of ['test', 'training'] as const)
      for (const cpl of [32, 42, 48]) {
        const rows = receiptOf({ ...sale, mode }, { copy: 'customer', words });
        const document = receiptLineOf(rows, {});
        const text: string = receiptline.transform(document, { cpl, encoding: 'cp437', command: 'text' } as never);
        const lines = text.trimEnd().split('\n');
        expect([lines[0], lines.at(-1)].map((line = '') => markIn(line))).toEqual([words[mode], words[mode]]);
        expect(text.replace(/\s+/g, ' ')).toContain(words.notTaxReceipt);
      }
  });
});

test('the text form has no caption for a missing code', () => {
  const lines = receiptText(receiptOf({ ...sale, code: 'ABC' }, { copy: 'customer' }), 42);
  expect(lines).toEqual(receiptText(receiptOf(sale, { copy: 'customer' }), 42));
});

describe('the code for refunds', () => {
  const rows: [string, Partial<ReceiptFacts>, 'customer' | 'merchant', boolean][] = [
    ['a sale', {}, 'customer', true],
    ['a completion', { operation: 'completion' }, 'customer', true],
    ['the merchant’s copy', {}, 'merchant', false],
    ['a refund', { operation: 'refund' }, 'customer', false],
    ['a decline', { ending: 'declined' }, 'customer', false],
    ['what was reversed', { reversed: true }, 'customer', false],
    ['an invalid code', { code: '\u001b@' }, 'customer', false],
  ];
  test.each(rows)('%s', (_, change, copy, there) => {
    const kinds = receiptOf({ ...sale, code: 'ABC', ...change }, { copy }).map(({ kind }) => kind);
    expect(kinds.includes('code')).toBe(there);
  });
});
