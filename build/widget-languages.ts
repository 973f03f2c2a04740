/** The texts of all the widget's languages, by the value of `wpwlOptions.locale`. */

import { ar } from '../src/gateway/widget/browser/languages/ar.ts';
import { bg } from '../src/gateway/widget/browser/languages/bg.ts';
import { cn } from '../src/gateway/widget/browser/languages/cn.ts';
import { cz } from '../src/gateway/widget/browser/languages/cz.ts';
import { de } from '../src/gateway/widget/browser/languages/de.ts';
import { dk } from '../src/gateway/widget/browser/languages/dk.ts';
import { en } from '../src/gateway/widget/browser/languages/en.ts';
import { es } from '../src/gateway/widget/browser/languages/es.ts';
import { fi } from '../src/gateway/widget/browser/languages/fi.ts';
import { fr } from '../src/gateway/widget/browser/languages/fr.ts';
import { gr } from '../src/gateway/widget/browser/languages/gr.ts';
import { hu } from '../src/gateway/widget/browser/languages/hu.ts';
import { it } from '../src/gateway/widget/browser/languages/it.ts';
import { ja } from '../src/gateway/widget/browser/languages/ja.ts';
import { ko } from '../src/gateway/widget/browser/languages/ko.ts';
import { nl } from '../src/gateway/widget/browser/languages/nl.ts';
import { no } from '../src/gateway/widget/browser/languages/no.ts';
import { pl } from '../src/gateway/widget/browser/languages/pl.ts';
import { pt } from '../src/gateway/widget/browser/languages/pt.ts';
import { ro } from '../src/gateway/widget/browser/languages/ro.ts';
import { ru } from '../src/gateway/widget/browser/languages/ru.ts';
import { se } from '../src/gateway/widget/browser/languages/se.ts';
import { sk } from '../src/gateway/widget/browser/languages/sk.ts';
import { sl } from '../src/gateway/widget/browser/languages/sl.ts';
import { tr } from '../src/gateway/widget/browser/languages/tr.ts';
import type { WidgetLanguage, WidgetTranslation } from '../src/gateway/widget/browser/languages.ts';

export const tables: Readonly<Record<WidgetLanguage, WidgetTranslation>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  dk,
  fi,
  se,
  tr,
  ja,
  sl,
  pt,
  pl,
  cz,
  hu,
  bg,
  ro,
  ru,
  cn,
  gr,
  no,
  sk,
  ar,
  ko,
};
