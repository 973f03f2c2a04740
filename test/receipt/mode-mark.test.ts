/**
 * A receipt without real money says so first and last, in every form, language and width; a live receipt never does.
 */
import { describe, expect, test } from 'vitest';
import { decoder } from '../../drivers/printers/decoder.ts';
import type { ReceiptForm } from '../../src/api/contract/paper.ts';
import { isTwoByte } from '../../src/base/code-pages.ts';
import type { DisplayMode } from '../../src/base/mode.ts';
import { receiptLanguage, shopperTexts } from '../../src/locales/shopper.ts';
import { type Paper, printInForm } from '../../src/printing/paper-forms.ts';
import { columns, frame } from '../../src/receipt/columns.ts';
import { canPrint, escpos } from '../../src/receipt/escpos.ts';
import { layout, type Width } from '../../src/receipt/layout.ts';
import { markIn, modeMark } from '../../src/receipt/mode-mark.ts';
import { receiptOf } from '../../src/receipt/receipt.ts';
import { dotsAcross, sheetOf } from '../../src/receipt/sheet.ts';
import { receiptText } from '../../src/receipt/text.ts';
import { sale } from './sample.ts';

const tags = Object.keys(shopperTexts);
const marked = ['test', 'training'] as const;
const slip = { customer: ['K-U-N-D-E-N-B-E-L-E-G'], merchant: ['HAENDLERBELEG'] };

const paperOf = (mode: DisplayMode, tag: string, facts = {}): Paper => {
  const language = receiptLanguage(tag);
  const look = { copy: 'customer', words: language.words, duplicate: true, footer: ['***'] } as const;
  // Drawing the code costs more than all the rest, so only one language has it.
  const code = tag === 'en' ? { code: 'ABC' } : {};
  const rows = receiptOf({ ...sale, ...code, ...facts, mode }, look);
  return { rows, language, logo: undefined, number: '000417', at: sale.at, mode };
};

/** What a reader sees first, and what last. */
const firstAndLast = <T>(all: readonly T[]): [T | undefined, T | undefined] => [all.at(0), all.at(-1)];
const unescapeText = (line: string): string => line.replace(/\\(.)/g, '$1');

/** The texts of a form, from top to bottom. */
const textsOf: Readonly<Record<Exclude<ReceiptForm, 'pdf'>, (body: string | Uint8Array) => string[]>> = {
  text: (body) => String(body).trimEnd().split('\n'),
  svg: (body) => [...String(body).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text),
  escpos: (body) =>
    decoder()
      .take(body as Uint8Array)
      .flatMap((what) => (what.kind === 'line' ? [what.text] : [])),
  receiptline: (body) => String(body).split('\n').slice(1).map(unescapeText),
  email: (body) =>
    Buffer.from(String(body).split('\r\n\r\n')[1] ?? '', 'base64')
      .toString()
      .trimEnd()
      .split('\r\n'),
};
const forms = Object.keys(textsOf) as (keyof typeof textsOf)[];
/** Printing with pictures is the most expensive part of this test, so ESC/POS uses one width. */
const sizes = (form: ReceiptForm) => (form === 'escpos' ? ([58] as const) : ([58, 80] as const));
const languagesOf = (form: ReceiptForm) => (form === 'escpos' ? ['en', 'de', 'fr', 'ar'] : tags);

describe.each(forms)('as %s', (form) => {
  const bodies = async (mode: DisplayMode) =>
    Promise.all(
      languagesOf(form).flatMap((tag) =>
        sizes(form).map(async (paper) => {
          const { body } = await printInForm(paperOf(mode, tag), form, { paper, merchant: 'Nordwind' });
          return { tag, texts: textsOf[form](body) };
        }),
      ),
    );

  test.each(marked)('a receipt of mode %s is marked', async (mode) => {
    for (const { tag, texts } of await bodies(mode)) {
      const mark = modeMark(mode, receiptLanguage(tag).words);
      expect(
        firstAndLast(texts.map((text) => markIn(text.replace(/^\^\^/, '')))),
        `${tag}\n${texts.join('\n')}`,
      ).toEqual([mark, mark]);
    }
  });

  test('a live receipt is not marked', async () => {
    for (const { tag, texts } of await bodies('live')) {
      const { words } = receiptLanguage(tag);
      const all = texts.join('\n');
      expect(all).not.toContain(words.test);
      expect(all).not.toContain(words.training);
    }
  });
});

const subjectOf = (mail: string | Uint8Array): string =>
  [...String(mail).matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)]
    .map(([, word = '']) => Buffer.from(word, 'base64').toString())
    .join('');

test.each(tags)('in %s an e-mail’s subject and a picture’s title begin with the mark', async (tag) => {
  const { words } = receiptLanguage(tag);
  for (const mode of ['test', 'training', 'live'] as const) {
    const begins = mode === 'live' ? '' : `${words[mode]}: `;
    const of = { paper: 80, merchant: 'Nordwind' } as const;
    const subject = subjectOf((await printInForm(paperOf(mode, tag), 'email', of)).body);
    const svg = String((await printInForm(paperOf(mode, tag), 'svg', of)).body);
    const title = `${begins}${words.mailSubject.replace('{receipt}', '000417').replace('{merchant}', 'Nordwind')}`;
    expect([subject, /<title>([^<]*)/.exec(svg)?.[1]]).toEqual([title, title]);
  }
});

test('a PDF has the mark in its title', async () => {
  for (const mode of ['test', 'live'] as const) {
    const { body } = await printInForm(paperOf(mode, 'en'), 'pdf', { paper: 80, merchant: 'Nordwind' });
    const text = Buffer.from(body as Uint8Array).toString('latin1');
    expect(text.includes('(TEST - NO MONEY MOVED: Receipt 000417 from Nordwind)')).toBe(mode === 'test');
  }
});

const widths: readonly Width[] = [32, 42, 48];

describe.each(tags)('in %s', (tag) => {
  const { words } = receiptLanguage(tag);

  test('a mark is ASCII, and fits on the narrowest paper', () => {
    for (const mode of marked) {
      expect(words[mode]).toMatch(/^[A-Z][A-Z' -]+ - [A-Z' ]+$/);
      expect(columns(words[mode])).toBeLessThanOrEqual(32);
    }
    expect(words.test).not.toBe(words.training);
  });

  test('on the drawn sheet the mark is larger than the rest and within the paper', () => {
    for (const mode of marked)
      for (const width of widths) {
        const { strips } = sheetOf(layout(paperOf(mode, tag).rows, width), { width, rtl: tag === 'ar' });
        const texts = strips.flatMap(({ placed }) => placed.filter((it) => it.kind === 'text'));
        for (const it of firstAndLast(texts)) {
          expect(markIn(it?.text ?? '')).toBe(words[mode]);
          expect(it).toMatchObject({ bold: true, anchor: 'middle', x: dotsAcross(width) / 2 });
          expect((it?.size ?? 0) * 0.6 * columns(it?.text ?? '')).toBeLessThanOrEqual(dotsAcross(width) + 0.01);
          // The longest mark fills the narrowest paper: there it is bold, but no larger.
          expect(it?.size).toBeGreaterThanOrEqual(20);
          if (columns(words[mode]) * 1.3 <= width) expect(it?.size).toBe(26);
        }
      }
  });

  test('a printer prints the mark in its own font, bold and double height, in any code page', () => {
    for (const mode of marked)
      for (const width of widths)
        for (const codePage of ['cp437', 'shiftjis'] as const) {
          const lines = layout(paperOf(mode, tag).rows, width);
          const stub = { bytesAcross: 1, rows: 1, bits: new Uint8Array(1) };
          const drawn = new Map(
            [...lines.entries()].flatMap(([at, line]) => (canPrint(line, codePage) ? [] : [[at, stub]])),
          );
          const bytes = escpos(lines, { width, codePage, drawn });
          const printed = decoder(isTwoByte(codePage) ? codePage : undefined).take(bytes);
          const seen = printed
            .filter(({ kind }) => kind === 'line' || kind === 'raster')
            .map((what) => ('text' in what ? { ...what, text: what.text.trim() } : what));
          for (const what of firstAndLast(seen))
            expect(what).toMatchObject({ kind: 'line', bold: true, size: 1, text: frame(words[mode], width) });
        }
  });

  test('a card slip says once, near the foot, that it is not a tax receipt, whoever wrote the rest', () => {
    const withoutSpaces = (line: string) => line.replace(/\s/g, '');
    for (const facts of [{}, { slip }, { operation: 'refund' }, { ending: 'declined' }, { ending: 'unknown' }] as const)
      for (const mode of ['live', 'test'] as const)
        for (const width of [32, 42] as const) {
          const lines = receiptText(paperOf(mode, tag, facts).rows, width).map(withoutSpaces);
          const foot = lines.slice(lines.lastIndexOf(withoutSpaces(words.customerCopy)));
          expect(foot.join('')).toContain(withoutSpaces(words.notTaxReceipt));
          expect(lines.join('').split(withoutSpaces(words.notTaxReceipt))).toHaveLength(2);
        }
  });
});

test('only a mark is recognised as one', () => {
  expect(markIn('********* TEST - NO MONEY MOVED **********')).toBe('TEST - NO MONEY MOVED');
  expect(markIn('  TEST - KEIN GELD GEFLOSSEN')).toBe('TEST - KEIN GELD GEFLOSSEN');
  for (const line of ['TEST', '************4321', 'TEST - NO MONEY MOVED 12.50', '', '***'])
    expect(markIn(line)).toBeUndefined();
});

test('a frame is on both sides, or absent', () => {
  expect(frame('abc', 9)).toBe('** abc **');
  expect(frame('abc', 8)).toBe('* abc **');
  expect(frame('abc', 7)).toBe('* abc *');
  expect(frame('abc', 6)).toBe('abc');
});
