/** Words and formats of the reader's language, for components: `const { t, money } = useWords('cashier')`. */
import { createContext, useContext, useMemo } from 'react';
import { english } from '../../words/en/faults.ts';
import { type Formats, formatsOf } from '../../words/formats.ts';
import type { SaidTables } from '../../words/said.ts';
import { type Area, en, type Language, type Words } from '../../words/tables.ts';

type Reader = {
  language: Language;
  timeZone: string;
  /** Whose dates are written. */
  country?: string | undefined;
  words: Words;
  said: SaidTables;
};

/** Set once by the app; English until a language was loaded. */
export const ReaderContext = createContext<Reader>({ language: 'en', timeZone: 'UTC', words: en, said: english });

/** The words of an area, the shared ones, and the formats. */
export const useWords = <A extends Area>(
  area: A,
): Formats & { t: Words[A]; shared: Words['shared']; language: Language } => {
  const reader = useContext(ReaderContext);
  return useMemo(
    () => ({ ...formatsOf(reader), t: reader.words[area], shared: reader.words.shared, language: reader.language }),
    [reader, area],
  );
};
