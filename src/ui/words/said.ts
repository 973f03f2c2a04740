/** What the till tells, in the reader's language, for components. */
import { useContext, useMemo } from 'react';
import type { Problem } from '../../api/ports/problem.ts';
import type { Result } from '../../api/ports/selling.ts';
import type { Said } from '../../api/ports/wire.ts';
import type { Told } from '../../base/told.ts';
import type { SaidRow } from '../../words/fill.ts';
import { formatsOf } from '../../words/formats.ts';
import { endingSaid, inWords, refusalSaid, told } from '../../words/said.ts';
import { ReaderContext } from './words.ts';

/** `const said = useSaid(); said.reason(sale.result).next; said.problem(refused.problem).says` */
export const useSaid = () => {
  const reader = useContext(ReaderContext);
  return useMemo(() => {
    const telling = { ...reader, dateTime: formatsOf(reader).dateTime };
    return {
      reason: (result: Result): SaidRow => endingSaid(telling, result),
      problem: (problem: Problem): SaidRow => refusalSaid(telling, problem),
      /** What the till told by code; `says` where it told none. */
      told: (what: Told | readonly Told[] | undefined | null, says = ''): string => (what ? told(telling, what) : says),
      /** A short reason that was given in English; one that the language has no words for stays. */
      fact: (words: string): string => inWords(reader.said.facts, words),
      /** A fault by its code alone: a terminal's, a printer's. */
      fault: ({ code, says, facts }: Said): string =>
        told(telling, { code: `fault.${code}`, says, ...(facts && { facts }) }),
    };
  }, [reader]);
};
