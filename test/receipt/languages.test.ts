import { describe, expect, test } from 'vitest';
import { languageOf, languages, tagOf } from '../../src/gateway/widget/browser/languages.ts';
import { receipt as english, type ReceiptWordKey } from '../../src/locales/shopper/en.ts';
import { receiptLanguage, shopperTexts } from '../../src/locales/shopper.ts';

const keys = Object.keys(english) as ReceiptWordKey[];
/** "Not yet", and words for approving or accepting, as receipts use them. */
const takenOnly: Readonly<Record<string, { notYet: RegExp; accepts: RegExp }>> = {
  en: { notYet: /NOT .* YET$/, accepts: /ACCEPT|APPROV/ },
  de: { notYet: /NOCH NICHT/, accepts: /ANGENOMMEN|GENEHMIGT/ },
  ar: { notYet: /ولم .* بعد$/, accepts: /مقبول|قبلت|وافق/ },
  fr: { notYet: /PAS ENCORE/, accepts: /ACCEPT|APPROUV/ },
  es: { notYet: /AÚN NO/, accepts: /ACEPT|APROB/ },
  it: { notYet: /NON ANCORA/, accepts: /ACCETT|APPROV/ },
  nl: { notYet: /NOG NIET/, accepts: /AANGENOMEN|AKKOORD/ },
  da: { notYet: /ENDNU IKKE/, accepts: /GODKENDT|ACCEPT/ },
  fi: { notYet: /EI VIELÄ/, accepts: /HYVÄKSY/ },
  sv: { notYet: /ÄNNU INTE/, accepts: /GODKÄN|ACCEPT/ },
  no: { notYet: /IKKE .* ENNÅ$/, accepts: /GODKJEN|AKSEPT/ },
  pt: { notYet: /AINDA NÃO/, accepts: /ACEIT|APROV/ },
  pl: { notYet: /JESZCZE NIE/, accepts: /AKCEPT|PRZYJĘT/ },
  cs: { notYet: /DOSUD NE/, accepts: /SCHVÁL|PŘIJAT/ },
  sk: { notYet: /ZATIAĽ NE/, accepts: /SCHVÁL|PRIJAT/ },
  sl: { notYet: /ŠE NI/, accepts: /ODOBR|SPREJET/ },
  hu: { notYet: /MÉG NINCS/, accepts: /ELFOGAD|ENGEDÉLY/ },
  ro: { notYet: /ÎNCĂ NE/, accepts: /ACCEPT|APROB/ },
  tr: { notYet: /HENÜZ ONAYLANMADI/, accepts: /ONAY|KABUL/ },
  bg: { notYet: /ОЩЕ НЕ/, accepts: /ОДОБР|ПРИЕТ/ },
  ru: { notYet: /ЕЩЁ НЕ/, accepts: /ОДОБР|ПРИНЯТ/ },
  el: { notYet: /ΔΕΝ .* ΑΚΟΜΗ$/, accepts: /ΕΓΚΡΙΘ|ΔΕΚΤΗ/ },
  ja: { notYet: /未承認$/, accepts: /承認/ },
  zh: { notYet: /尚未批准$/, accepts: /批准|接受/ },
  ko: { notYet: /아직 승인되지 않음$/, accepts: /승인/ },
};
/** Texts that must never be confused with each other. */
const results: ReceiptWordKey[] = [
  'approved',
  'declined',
  'reversed',
  'resultUnknown',
  'voided',
  'approvedOffline',
  'takenOffline',
];
const kinds: ReceiptWordKey[] = [
  'sale',
  'refund',
  'void',
  'preauthorisation',
  'credit',
  'increment',
  'release',
  'completion',
];

test('every language that shoppers can choose has a receipt', () => {
  expect(languages.map(tagOf).filter((tag) => shopperTexts[tag] === undefined)).toEqual([]);
  expect(Object.keys(shopperTexts).filter((tag) => languageOf(tag) === undefined)).toEqual([]);
});

describe.each(Object.entries(shopperTexts))('%s', (tag, { receipt: words }) => {
  test('has every text, printable, and no others', () => {
    expect(Object.keys(words)).toEqual(keys);
    expect(keys.filter((key) => !/^[^\p{C}\s]+( [^\p{C}\s]+)*$/u.test(words[key]))).toEqual([]);
  });

  test('calls a sale that only the store accepted accepted, and not yet approved', () => {
    const { notYet, accepts } = takenOnly[tag] ?? {};
    const [taken = '', rest = ''] = words.takenOffline.split(/[,،、，] ?/);
    expect(rest).toMatch(notYet ?? '');
    expect(taken).not.toMatch(accepts ?? '');
    expect(words.approvedOffline).toMatch(accepts ?? '');
  });

  test('uses different words for different things', () => {
    for (const group of [results, kinds]) expect(new Set(group.map((key) => words[key])).size).toBe(group.length);
    expect(words.merchantCopy).not.toBe(words.customerCopy);
    expect(words.pinVerified).not.toBe(words.pinEntered);
  });

  test('is not a copy of English', () => {
    const same = keys.filter((key) => words[key] === english[key]);
    expect(same.length).toBeLessThan(tag === 'en' ? keys.length + 1 : 8);
  });
});

describe('the requested language', () => {
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
