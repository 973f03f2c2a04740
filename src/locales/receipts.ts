/** The languages that receipts are written in. */
import { decimalMark } from '../base/money.ts';
import { arabic } from './receipts/ar.ts';
import { bulgarian } from './receipts/bg.ts';
import { czech } from './receipts/cs.ts';
import { danish } from './receipts/da.ts';
import { german } from './receipts/de.ts';
import { greek } from './receipts/el.ts';
import { english, type ReceiptWords } from './receipts/en.ts';
import { spanish } from './receipts/es.ts';
import { finnish } from './receipts/fi.ts';
import { french } from './receipts/fr.ts';
import { hungarian } from './receipts/hu.ts';
import { italian } from './receipts/it.ts';
import { japanese } from './receipts/ja.ts';
import { korean } from './receipts/ko.ts';
import { dutch } from './receipts/nl.ts';
import { norwegian } from './receipts/no.ts';
import { polish } from './receipts/pl.ts';
import { portuguese } from './receipts/pt.ts';
import { romanian } from './receipts/ro.ts';
import { russian } from './receipts/ru.ts';
import { slovak } from './receipts/sk.ts';
import { slovenian } from './receipts/sl.ts';
import { swedish } from './receipts/sv.ts';
import { turkish } from './receipts/tr.ts';
import { chinese } from './receipts/zh.ts';

/** By language tag (BCP 47). */
export const receiptLanguages: Readonly<Record<string, ReceiptWords>> = {
  en: english,
  de: german,
  ar: arabic,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  da: danish,
  fi: finnish,
  sv: swedish,
  no: norwegian,
  pt: portuguese,
  pl: polish,
  cs: czech,
  sk: slovak,
  sl: slovenian,
  hu: hungarian,
  ro: romanian,
  tr: turkish,
  bg: bulgarian,
  ru: russian,
  el: greek,
  ja: japanese,
  zh: chinese,
  ko: korean,
};

const others: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

/** `mark`: what stands before an amount's decimals, by the country too. */
export type ReceiptLanguage = { tag: string; words: ReceiptWords; rtl: boolean; mark: string };

/** The first of these that there are words for, whatever its country: `de-AT` is German. English if there is none. */
export const receiptLanguage = (...tags: readonly (string | undefined)[]): ReceiptLanguage => {
  for (const asked of tags) {
    const first = asked?.toLowerCase().split('-')[0] ?? '';
    const tag = others[first] ?? first;
    const words = receiptLanguages[tag];
    if (words !== undefined) return { tag, words, rtl: tag === 'ar', mark: decimalMark(asked ?? tag) };
  }
  return { tag: 'en', words: english, rtl: false, mark: '.' };
};
