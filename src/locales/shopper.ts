/** The texts for shoppers, on receipts and in the payment widget. The widget's build makes a file of each language. */
import { decimalMark } from '../base/money.ts';
import * as ar from './shopper/ar.ts';
import * as bg from './shopper/bg.ts';
import * as cs from './shopper/cs.ts';
import * as da from './shopper/da.ts';
import * as de from './shopper/de.ts';
import * as el from './shopper/el.ts';
import type { ReceiptWords, WidgetTranslation } from './shopper/en.ts';
import * as en from './shopper/en.ts';
import * as es from './shopper/es.ts';
import * as fi from './shopper/fi.ts';
import * as fr from './shopper/fr.ts';
import * as hu from './shopper/hu.ts';
import * as it from './shopper/it.ts';
import * as ja from './shopper/ja.ts';
import * as ko from './shopper/ko.ts';
import * as nl from './shopper/nl.ts';
import * as no from './shopper/no.ts';
import * as pl from './shopper/pl.ts';
import * as pt from './shopper/pt.ts';
import * as ro from './shopper/ro.ts';
import * as ru from './shopper/ru.ts';
import * as sk from './shopper/sk.ts';
import * as sl from './shopper/sl.ts';
import * as sv from './shopper/sv.ts';
import * as tr from './shopper/tr.ts';
import * as zh from './shopper/zh.ts';
import type { LanguageTag } from './translation.ts';

type ShopperTexts = { readonly receipt: ReceiptWords; readonly widget: WidgetTranslation };

/** By language tag (BCP 47): every language of the catalogue. */
export const shopperTexts = {
  en,
  ar,
  bg,
  cs,
  da,
  de,
  el,
  es,
  fi,
  fr,
  hu,
  it,
  ja,
  ko,
  nl,
  no,
  pl,
  pt,
  ro,
  ru,
  sk,
  sl,
  sv,
  tr,
  zh,
} as const satisfies Readonly<Record<LanguageTag, ShopperTexts>>;

const aliases: Readonly<Record<string, LanguageTag>> = { nb: 'no', nn: 'no' };

/** `mark`: the decimal sign of amounts, which also depends on the country. */
export type ReceiptLanguage = { tag: string; words: ReceiptWords; rtl: boolean; mark: string };

/** The first of these languages that the catalogue has, for any country: `de-AT` is German. Otherwise English. */
export const receiptLanguage = (...tags: readonly (string | undefined)[]): ReceiptLanguage => {
  for (const requested of tags) {
    const first = requested?.toLowerCase().split('-')[0] ?? '';
    const tag = aliases[first] ?? first;
    if (!Object.hasOwn(shopperTexts, tag)) continue;
    const words = shopperTexts[tag as LanguageTag].receipt;
    return { tag, words, rtl: tag === 'ar', mark: decimalMark(requested ?? tag) };
  }
  return { tag: 'en', words: en.receipt, rtl: false, mark: '.' };
};
