/** The language of this till's screens: the one chosen here, else the shop's, else English. */
import { useDirection } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { countryOf, rightToLeft } from '../../locales/formats.ts';
import { languageOf, load } from '../../locales/load.ts';
import { english } from '../../locales/messages/en/faults.ts';
import { en, type Language } from '../../locales/screens.ts';
import type { Catalogue } from '../../locales/translate.ts';
import { createStore } from '../store.ts';
import { ReaderContext } from './use-words.ts';

const KEY = 'tillgate.language';

/** If the browser cannot store it, the choice lasts as long as the page. */
const readStoredLanguage = (): Language | undefined => {
  try {
    return languageOf(localStorage.getItem(KEY));
  } catch {
    return undefined;
  }
};

/** Undefined until somebody chooses; then the shop's language is used. */
export const chosenLanguage = createStore<Language | undefined>(readStoredLanguage());

export const chooseLanguage = (language: Language): void => {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // See above.
  }
  chosenLanguage.set(language);
};

type Shop = { language: string; timeZone: string; currency: string };
type Props = { shop?: Shop | undefined; children: ReactNode };
type Loaded = { language: Language; table: Catalogue };

let first: Loaded = { language: 'en', table: { words: en, messages: english } };

const preferredLanguage = (shop: Shop | undefined, chosen: Language | undefined): Language =>
  chosen ?? languageOf(shop?.language) ?? 'en';

/** Runs before anything is drawn: the language to draw in. English when the till cannot be reached. */
export const loadLanguage = async (shop: Shop | undefined): Promise<void> => {
  const language = preferredLanguage(shop, chosenLanguage.get());
  await load[language]().then(
    (table) => {
      first = { language, table };
    },
    () => {},
  );
};

/** Provides the words to everything below. The page keeps its language until another has been loaded. */
export const LanguageProvider = ({ shop, children }: Props) => {
  const wanted = preferredLanguage(shop, chosenLanguage.use());
  const [{ language, table }, setLoaded] = useState(first);
  const { setDirection } = useDirection();
  useEffect(() => {
    if (wanted === language) return undefined;
    let isWanted = true;
    load[wanted]().then(
      (loadedTable) => isWanted && setLoaded({ language: wanted, table: loadedTable }),
      // Left as it is: the till is unreachable, which the page shows.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [wanted, language]);
  useEffect(() => {
    document.documentElement.lang = language;
    setDirection(rightToLeft.includes(language) ? 'rtl' : 'ltr');
  }, [language, setDirection]);
  const timeZone = shop?.timeZone ?? 'UTC';
  const country = shop && countryOf(shop);
  const reader = useMemo(() => ({ language, timeZone, country, ...table }), [language, timeZone, country, table]);
  return <ReaderContext value={reader}>{children}</ReaderContext>;
};
