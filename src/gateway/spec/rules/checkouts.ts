/** Rules for a single kind of request: redirected shoppers, and payment types by brand (spec 2.2, 2.31). */
import { brandOf } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { isSet } from '../parameters/kinds.ts';
import { webUrl } from '../return-url.ts';
import { uses } from './shared.ts';

/** A shopper who is sent to a bank must be able to return. */
export const asynchronousRules: readonly Rule[] = needed(
  (sent) => brandOf(sent['paymentBrand'] ?? '')?.asynchronous === true,
  ['shopperResultUrl'],
  'may not be empty: with this brand the shopper is redirected and must be able to return',
);

const overridesType = uses('overridePaymentType[');

export const noOverrides: readonly Rule[] = [
  {
    name: 'overridePaymentType[key]',
    says: 'is accepted only when a checkout is created',
    holds: (sent) => !overridesType(sent),
  },
];

/** A checkout that stores an account and charges nothing: it says so, and has neither amount nor type. */
export const storesOnly = (sent: SentValues): boolean =>
  isSet(sent['createRegistration']) && sent['amount'] === undefined && sent['paymentType'] === undefined;

/** Apps have their own address schemes, but a checkout's shopper has a browser, which the gateway itself redirects. */
const webAddress = (name: 'shopperResultUrl' | 'notificationUrl'): Rule => ({
  name,
  says: 'must be an http or https address without a user name: a browser, or the gateway, is sent there',
  holds: (sent) => sent[name] === undefined || webUrl(sent[name]) !== undefined,
});

/** For a checkout's parameters, at its creation and after each update. */
export const checkoutRules: readonly Rule[] = [
  ...needed((sent) => !storesOnly(sent), ['amount', 'currency', 'paymentType']),
  webAddress('shopperResultUrl'),
  webAddress('notificationUrl'),
  {
    name: 'overridePaymentType[key]',
    says: 'has no effect without amount and paymentType: nothing is paid',
    holds: (sent) => !storesOnly(sent) || !overridesType(sent),
  },
];

/**
 * The same rules for a submitted checkout. Its browser adds data about itself, which alone require nothing: neither the
 * shopper's name nor an address for 3-D Secure, which works without one. The shop's own data about a browser were
 * checked when the checkout was created.
 */
export const browserUnasked = (rules: readonly Rule[]): Rule[] =>
  rules.map(({ when: _, holds, ...rule }) => ({ ...rule, holds: (sent) => holds(withoutBrowser(sent)) }));

export const isOfBrowser = (name: string): boolean => name.startsWith('customer.browser.');

const rests = new WeakMap<object, SentValues>();

/** Made once for each request: all of its rules use it. */
const withoutBrowser = (sent: SentValues): SentValues => {
  const known = rests.get(sent);
  if (known !== undefined) return known;
  const rest = Object.fromEntries(Object.entries(sent).filter(([name]) => !isOfBrowser(name)));
  rests.set(sent, rest);
  return rest;
};

/** The rules for the parameters that the shopper's side may add. */
export const submittedRules: readonly Rule[] = [webAddress('shopperResultUrl')];
