import { describe, expect, test } from 'vitest';
import { decoder } from '../../drivers/printers/decoder.ts';
import { textOf } from '../../drivers/printers/simulator.ts';
import { type CodePage, isTwoByte } from '../../src/base/code-pages.ts';
import { printMoney } from '../../src/base/money.ts';
import { languages, tagOf } from '../../src/gateway/widget/browser/languages.ts';
import type { ReceiptWords } from '../../src/locales/shopper/en.ts';
import { type ReceiptLanguage, receiptLanguage } from '../../src/locales/shopper.ts';
import { canPrint, escpos } from '../../src/receipt/escpos.ts';
import type { ReceiptFacts } from '../../src/receipt/facts.ts';
import { layout, type Width } from '../../src/receipt/layout.ts';
import { type Copy, receiptOf } from '../../src/receipt/receipt.ts';
import { textOfLine } from '../../src/receipt/text.ts';
import { entryModes, offlineResults, offlineWords, operations, verificationKey } from '../../src/receipt/words.ts';
import { byNight } from '../support/night/night.ts';
import { pairwise } from '../support/night/pairwise.ts';
import { receiptKinds } from './kinds.ts';

/** The code page of printers in each country. Arabic is drawn on every printer. */
const pages: Readonly<Record<string, CodePage>> = {
  ...{ pl: 'cp852', cs: 'cp852', sk: 'cp852', sl: 'cp852', hu: 'cp852', ro: 'cp852', tr: 'cp1254', el: 'cp1253' },
  ...{ ru: 'cp866', bg: 'cp866', ja: 'shiftjis', zh: 'gb18030', ko: 'ksc5601' },
};

type Paper = { facts: ReceiptFacts; copy: Copy; width: Width; tag: string; duplicate?: boolean };

/** The receipt as bytes, and how a printer prints it; lines that the printer cannot print are taken from the layout. */
const paperOf = ({ facts, copy, width, tag, duplicate = false }: Paper) => {
  const language = receiptLanguage(tag);
  const { words, mark } = language;
  const codePage = pages[tag] ?? 'cp858';
  const lines = layout(receiptOf(facts, { copy, words, mark, duplicate }), width);
  const beyond = lines.filter((line) => !canPrint(line, codePage));
  const blank = { bytesAcross: 1, rows: 1, bits: new Uint8Array(1) };
  const drawn = new Map([...lines.entries()].filter(([, line]) => beyond.includes(line)).map(([at]) => [at, blank]));
  const printed = decoder(isTwoByte(codePage) ? codePage : undefined).take(escpos(lines, { width, codePage, drawn }));
  const whole = [...textOf(printed), ...beyond.map((line) => textOfLine(line, width))];
  const text = whole.map((line) => line.trim()).join('\n');
  return {
    ...language,
    printed,
    text,
    flat: text.replace(/\s+/g, ' '),
    beyond: beyond.map((line) => textOfLine(line, width)),
  };
};

type Spoken = Pick<ReceiptLanguage, 'words' | 'mark'>;

/** Wrapped text is on more than one line. */
const has = (flat: string, text: string): boolean => lettersOf(flat).includes(lettersOf(text));
/** Comma and cedilla are the same letter to an old printer. */
const lettersOf = (text: string): string =>
  text.replace(/\s/g, '').replace(/[ŞŢşţ]/g, (letter) => ({ Ş: 'Ș', Ţ: 'Ț', ş: 'ș', ţ: 'ț' })[letter] ?? letter);

const required = (facts: ReceiptFacts, copy: Copy, { words, mark }: Spoken): string[] => {
  const { merchant, card, ending, offline, reversed, operation } = facts;
  const approved = ending === 'approved' && reversed !== true;
  const slip = facts.slip !== undefined;
  const verified = card?.entryMode === undefined ? undefined : verificationKey(card.verification, ending);
  return [
    ...[merchant.name, ...merchant.address, merchant.id, facts.terminalId, facts.receiptNumber],
    ...['2026-11-20', '14:02:11', words[operations[operation].name], words[`${copy}Copy`]],
    printMoney(facts.amount).replace('.', mark),
    ...(card === undefined || slip ? [] : [card.label ?? card.brand ?? '', '********4321']),
    ...(card?.aid === undefined || slip ? [] : ['AID', card.aid]),
    ...(card?.cryptogram === undefined || slip ? [] : [card.cryptogram.kind, card.cryptogram.value]),
    ...(card?.entryMode === undefined || slip ? [] : [words[entryModes[card.entryMode]]]),
    ...(verified === undefined || slip ? [] : [words[verified]]),
    ...(copy === 'merchant' && card?.tvr !== undefined && !slip ? [card.tvr, card.iad ?? '', card.tsi ?? ''] : []),
    ...(approved && offline === undefined && !slip
      ? ['831742'].filter(() => facts.authorisationCode !== undefined)
      : []),
    ...(approved && offline !== undefined ? [words[offlineWords[offline]], words[offlineResults[offline]]] : []),
    ...(ending === 'declined' ? [words.declined] : []),
    ...(approved && offline === undefined && facts.neverSent !== true ? [words.approved] : []),
    ...(ending === 'unknown' ? [words.resultUnknown, words[operations[operation].unknown]] : []),
    words.notTaxReceipt,
  ];
};

const forbidden = (facts: ReceiptFacts, copy: Copy, words: ReceiptWords): string[] => {
  const { card, ending, offline, reversed } = facts;
  const online = ending === 'approved' && offline === undefined && reversed !== true;
  return [
    ...['476173', '47617', 'EXP', '3112', '12/31'],
    ...(online ? [] : ['831742']),
    ...(copy === 'customer' && card?.tvr !== undefined ? [card.tvr, card.iad ?? '?'] : []),
    ...(ending === 'approved' ? [words.declined] : []),
  ];
};

const forms = [
  ['merchant', 32],
  ['merchant', 42],
  ['customer', 32],
  ['customer', 48],
] as const;
type Case = { tag: string; kind: string; facts: ReceiptFacts; copy: Copy; width: Width };
const allCases: readonly Case[] = languages
  .map(tagOf)
  .flatMap((tag) =>
    Object.entries(receiptKinds).flatMap(([kind, facts]) =>
      forms.map(([copy, width]) => ({ tag, kind, facts, copy, width })),
    ),
  );

/** By day each kind is printed in each language and each paper form, and each language in each form. */
const cases = byNight({
  day: pairwise(allCases, ({ tag, kind, copy, width }) => [tag, kind, `${copy} ${width}`]),
  night: allCases,
});

/** What a scheme would criticise about the receipt, by the name of the rule; empty when it is right. */
const findFaults = ({ tag, facts, copy, width }: Case) => {
  const { words, mark, printed, flat, text, beyond } = paperOf({ facts, copy, width, tag });
  const approved = facts.ending === 'approved' && facts.reversed !== true;
  const signs = copy === 'merchant' && facts.card?.verification === 'signature' && approved;
  const count = (kind: string) => printed.filter((each) => each.kind === kind).length;
  return {
    missing: required(facts, copy, { words, mark }).filter((each) => !has(flat, each)),
    forbidden: forbidden(facts, copy, words).filter((each) => text.includes(each)),
    unprintable: tag === 'ar' || facts.slip !== undefined ? [] : beyond,
    commands: { noise: count('noise'), drawer: count('drawer'), cut: count('cut') },
    signatureLine: /^_{32,}$/m.test(text) === signs,
  };
};
const right = {
  ...{ missing: [], forbidden: [], unprintable: [], signatureLine: true },
  commands: { noise: 0, drawer: 0, cut: 1 },
};

test('enough receipts are checked', () => {
  expect(cases.length).toBeGreaterThanOrEqual(byNight({ day: 850, night: 3_400 }));
});

describe.each(languages.map(tagOf))('in %s', (tag) => {
  const own = cases.filter((each) => each.tag === tag);

  test.each([...Map.groupBy(own, ({ kind }) => kind)])(
    '%s: has all that schemes require, and nothing that they forbid',
    (_, copies) => {
      for (const paper of copies)
        expect(findFaults(paper), `${paper.copy} copy, ${paper.width} columns`).toEqual(right);
    },
  );

  test('reprints and training receipts are marked at the top and the bottom', () => {
    const facts: ReceiptFacts = { ...receiptKinds['chip, online PIN'], mode: 'training' } as ReceiptFacts;
    const { words, text } = paperOf({ facts, copy: 'customer', width: 42, tag, duplicate: true });
    for (const mark of ['DUPLICATE', words.training]) {
      const first = text.indexOf(mark);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(text.lastIndexOf(mark)).toBeGreaterThan(first);
    }
  });
});
