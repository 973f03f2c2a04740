/** What a result code means to a shopper: which words, and whether they can try again. */
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

/** The first row that fits. What fits none was declined. */
const rows: readonly (readonly [RegExp, WidgetWordKey])[] = [
  [/^(800\.100\.(155|162|163)|800\.700\.)/, 'declinedFunds'],
  [/^(100\.100\.303|800\.100\.157)/, 'declinedExpired'],
  [/^(800\.100\.153|100\.100\.60)/, 'declinedCvv'],
  [/^(100\.38|100\.390|300\.100\.100|000\.400\.10|100\.395)/, 'declinedSecurity'],
  [/^100\.396/, 'declinedCancelled'],
  // Another payment of the same checkout stands in the way.
  [/^(900\.|800\.110|800\.[568]|800\.120|999\.|600\.1|000\.400\.030)/, 'tryLater'],
  [/^(100\.[1279]|200\.[123]|100\.800|100\.55|800\.100\.(151|172|195)|800\.400\.1)/, 'declinedDetails'],
];

const APPROVED = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.(0[^3]|1[012]0))/;
const PENDING = /^(000\.200|800\.400\.5|100\.400\.500)/;
/** Timeout, uncertain result: the money may be gone. Nobody may be asked to pay again. */
const UNCERTAIN = /^900\.100\.[3456]00/;

type Outcome = 'approved' | 'pending' | 'uncertain' | 'declined';

export const outcomeOf = (code: string): Outcome => {
  if (PENDING.test(code)) return 'pending';
  if (UNCERTAIN.test(code)) return 'uncertain';
  return APPROVED.test(code) ? 'approved' : 'declined';
};

/** Why it was declined, in the shopper's words. */
export const wordOf = (code: string): WidgetWordKey => rows.find(([pattern]) => pattern.test(code))?.[1] ?? 'declined';
