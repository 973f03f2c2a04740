/** The languages that receipts are written in. */
import { decimalMark } from '../base/money.ts';
import { arabic } from './words/ar.ts';
import { bulgarian } from './words/bg.ts';
import { czech } from './words/cs.ts';
import { danish } from './words/da.ts';
import { german } from './words/de.ts';
import { greek } from './words/el.ts';
import { english } from './words/en.ts';
import { spanish } from './words/es.ts';
import { finnish } from './words/fi.ts';
import { french } from './words/fr.ts';
import { hungarian } from './words/hu.ts';
import { italian } from './words/it.ts';
import { japanese } from './words/ja.ts';
import { korean } from './words/ko.ts';
import { dutch } from './words/nl.ts';
import { norwegian } from './words/no.ts';
import { polish } from './words/pl.ts';
import { portuguese } from './words/pt.ts';
import { romanian } from './words/ro.ts';
import { russian } from './words/ru.ts';
import { slovak } from './words/sk.ts';
import { slovenian } from './words/sl.ts';
import { swedish } from './words/sv.ts';
import { turkish } from './words/tr.ts';
import { chinese } from './words/zh.ts';
import type { ReceiptWords } from './words.ts';

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
