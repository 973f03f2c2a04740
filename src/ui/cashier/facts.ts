/** What every part of the cashier's screen needs: the shop, the person signed in, and amounts in the API's format. */
import { createContext, useContext } from 'react';
import type { SessionState } from '../../api/contract/session.ts';
import type { Amount } from '../../api/contract/wire.ts';
import { useWords } from '../locale/use-words.ts';
import { wireText } from './amount.ts';

export const FactsContext = createContext<SessionState | undefined>(undefined);

/** The shop's facts, and amounts in its currency. */
export const useFacts = () => {
  const state = useContext(FactsContext);
  const { money } = useWords('cashier');
  if (state === undefined) throw new TypeError('the cashier’s parts stand inside its screen');
  const { currency, exponent } = state.shop;
  const amountOf = (minor: bigint): Amount => ({ amount: wireText(minor, exponent), currency });
  const { signedIn } = state;
  /** Whether lists show only this person's own sales. */
  const isOwnOnly = signedIn?.name !== undefined && !signedIn.permissions.includes('seeAll');
  return {
    ...state,
    isOwnOnly,
    currency,
    exponent,
    amountOf,
    shown: (minor: bigint): string => money(amountOf(minor)),
  };
};
