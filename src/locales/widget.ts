/** The texts of the widget in all its languages, by tag (BCP 47). The build makes a file of each. */
import { ar } from './widget/ar.ts';
import { bg } from './widget/bg.ts';
import { cs } from './widget/cs.ts';
import { da } from './widget/da.ts';
import { de } from './widget/de.ts';
import { el } from './widget/el.ts';
import { en, type WidgetTranslation } from './widget/en.ts';
import { es } from './widget/es.ts';
import { fi } from './widget/fi.ts';
import { fr } from './widget/fr.ts';
import { hu } from './widget/hu.ts';
import { it } from './widget/it.ts';
import { ja } from './widget/ja.ts';
import { ko } from './widget/ko.ts';
import { nl } from './widget/nl.ts';
import { no } from './widget/no.ts';
import { pl } from './widget/pl.ts';
import { pt } from './widget/pt.ts';
import { ro } from './widget/ro.ts';
import { ru } from './widget/ru.ts';
import { sk } from './widget/sk.ts';
import { sl } from './widget/sl.ts';
import { sv } from './widget/sv.ts';
import { tr } from './widget/tr.ts';
import { zh } from './widget/zh.ts';

export const widgetTexts = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  da,
  fi,
  sv,
  tr,
  ja,
  sl,
  pt,
  pl,
  cs,
  hu,
  bg,
  ro,
  ru,
  zh,
  el,
  no,
  sk,
  ar,
  ko,
} as const satisfies Readonly<Record<string, WidgetTranslation>>;

export type WidgetTag = keyof typeof widgetTexts;
