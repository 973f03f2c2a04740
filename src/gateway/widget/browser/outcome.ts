/** What a result code means to a shopper: which words, and whether they can try again. */
import { meaningOf, movedNoMoney, shopperReasonOf } from '../../../base/code-meanings.ts';
import type { WidgetWordKey } from './languages.ts';

/** As the answer of spec 2.35 has it, as far as the widget reads it. */
export type PaymentAnswer = {
  id?: string;
  result?: { code: string; description?: string; parameterErrors?: readonly { name: string }[] };
  redirect?: Redirect;
  shopperResultUrl?: string;
};

export type Parameter = { name: string; value: string };

export type Redirect = {
  url: string;
  method?: string;
  parameters?: readonly Parameter[];
  preconditions?: readonly BrowserStep[];
};

/** A step that the browser makes before the shopper is sent away: 3-D Secure's method call. */
export type BrowserStep = { url: string; method?: string; parameters?: readonly Parameter[]; waitUntil?: string };

type Outcome = 'approved' | 'pending' | 'uncertain' | 'declined';

/** `uncertain`: money may have moved, and nobody may be asked to pay again. */
export const outcomeOf = (code: string): Outcome => {
  if (movedNoMoney(code)) return 'declined';
  const means = meaningOf(code);
  return means === 'approved' || means === 'pending' ? means : 'uncertain';
};

/** Why it was declined, in the shopper's words. */
export const wordOf = (code: string): WidgetWordKey => shopperReasonOf(code);
