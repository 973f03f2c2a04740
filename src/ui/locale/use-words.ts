/**
 * Words, formats and the till's messages in the reader's language, for components: `const { t, money } =
 * useWords('cashier')`.
 */
import { createContext, useContext, useMemo } from 'react';
import type { Problem } from '../../api/contract/problem.ts';
import type { Result } from '../../api/contract/sales.ts';
import type { Said } from '../../api/contract/wire.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { type Formats, formatsOf } from '../../locales/formats.ts';
import { english } from '../../locales/messages/en/faults.ts';
import { type Area, en, type Language, type Words } from '../../locales/screens.ts';
import {
  type MessageCatalogue,
  translate,
  translateEnding,
  translateFact,
  translateProblem,
} from '../../locales/translate.ts';
import type { MessageParts } from '../../locales/translation.ts';

type Reader = {
  language: Language;
  timeZone: string;
  /** The country whose date format is used. */
  country?: string | undefined;
  words: Words;
  messages: MessageCatalogue;
};

/** Set once by the app; English until a language was loaded. */
export const ReaderContext = createContext<Reader>({ language: 'en', timeZone: 'UTC', words: en, messages: english });

export const useWords = <A extends Area>(
  area: A,
): Formats & { t: Words[A]; shared: Words['shared']; language: Language } => {
  const reader = useContext(ReaderContext);
  return useMemo(
    () => ({ ...formatsOf(reader), t: reader.words[area], shared: reader.words.shared, language: reader.language }),
    [reader, area],
  );
};

/** `const messages = useMessages(); messages.reason(sale.result).next; messages.problem(refused.problem).says` */
export const useMessages = () => {
  const reader = useContext(ReaderContext);
  return useMemo(() => {
    const messageReader = { ...reader, dateTime: formatsOf(reader).dateTime };
    return {
      reason: (result: Result): MessageParts => translateEnding(messageReader, result),
      problem: (problem: Problem): MessageParts => translateProblem(messageReader, problem),
      /** A localized message by its code; `says` if there is none. */
      text: (message: LocalizedMessage | readonly LocalizedMessage[] | undefined | null, text = ''): string =>
        message ? translate(messageReader, message) : text,
      /** A short reason given in English; unchanged if the language has no translation. */
      fact: (text: string): string => translateFact(reader.messages.facts, text),
      /** A fault by its code alone: a terminal's, a printer's. */
      fault: ({ code, says, facts }: Said): string => translate(messageReader, { code: `fault.${code}`, says, facts }),
    };
  }, [reader]);
};

/** How simulated terminals name themselves: this alone, or before the simulated model. */
const SIMULATED = /^SIMULATED(?= |$)/;

/** A terminal's model for display: `M020`; a simulated one as `Simuliertes Terminal` or `SIMULIERT M020`. */
export const modelName = (model: string, shared: Pick<Words['shared'], 'simulated' | 'simulatedTerminal'>): string =>
  model === 'SIMULATED' ? shared.simulatedTerminal : model.replace(SIMULATED, shared.simulated);
