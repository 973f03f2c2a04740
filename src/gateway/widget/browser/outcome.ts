/** The meaning of a result code for a shopper: which text to show, and whether they can try again. */
import { meaningOf, movedNoMoney, shopperReasonOf } from '../../../base/code-meanings.ts';
import type { WidgetWordKey } from '../../../locales/shopper/en.ts';

/** The fields of the answer (spec 2.35) that the widget reads. */
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

/** A step of the browser before the shopper is redirected: 3-D Secure's method call. */
export type BrowserStep = { url: string; method?: string; parameters?: readonly Parameter[]; waitUntil?: string };

type Outcome = 'approved' | 'pending' | 'uncertain' | 'declined';

/** `uncertain`: money may have moved, so the shopper must not be asked to pay again. */
export const outcomeOf = (code: string): Outcome => {
  if (movedNoMoney(code)) return 'declined';
  const meaning = meaningOf(code);
  return meaning === 'approved' || meaning === 'pending' ? meaning : 'uncertain';
};

export const declineReasonKey = (code: string): WidgetWordKey => shopperReasonOf(code);
