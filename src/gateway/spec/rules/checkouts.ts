/** Rules for a single kind of request: redirected shoppers, and payment types by brand (spec 2.2, 2.31). */
import { brandOf } from '../brands.ts';
import { type Rule, requireWhen, type SentValues } from '../operation.ts';
import { isSet } from '../parameters/kinds.ts';
import { parseWebUrl } from '../return-url.ts';
import { usesStructure } from './shared.ts';

/** A shopper who is sent to a bank must be able to return. */
export const asynchronousRules: readonly Rule[] = requireWhen(
  (values) => brandOf(values['paymentBrand'] ?? '')?.asynchronous === true,
  ['shopperResultUrl'],
  'may not be empty: with this brand the shopper is redirected and must be able to return',
);

const hasTypeOverride = usesStructure('overridePaymentType[');

export const noOverrides: readonly Rule[] = [
  {
    name: 'overridePaymentType[key]',
    message: 'is accepted only when a checkout is created',
    holds: (values) => !hasTypeOverride(values),
  },
];

/** A checkout that stores an account and charges nothing: it says so, and has neither amount nor type. */
export const isStoreOnly = (values: SentValues): boolean =>
  isSet(values['createRegistration']) && values['amount'] === undefined && values['paymentType'] === undefined;

/** Apps have their own address schemes, but a checkout's shopper has a browser, which the gateway itself redirects. */
const webAddressRule = (name: 'shopperResultUrl' | 'notificationUrl'): Rule => ({
  name,
  message: 'must be an http or https address without a user name: a browser, or the gateway, is sent there',
  holds: (values) => values[name] === undefined || parseWebUrl(values[name]) !== undefined,
});

/** For a checkout's parameters, at its creation and after each update. */
export const checkoutRules: readonly Rule[] = [
  ...requireWhen((values) => !isStoreOnly(values), ['amount', 'currency', 'paymentType']),
  webAddressRule('shopperResultUrl'),
  webAddressRule('notificationUrl'),
  {
    name: 'overridePaymentType[key]',
    message: 'has no effect without amount and paymentType: nothing is paid',
    holds: (values) => !isStoreOnly(values) || !hasTypeOverride(values),
  },
];

/**
 * The same rules for a submitted checkout. Its browser adds data about itself, which alone require nothing: neither the
 * shopper's name nor an address for 3-D Secure, which works without one. The shop's own data about a browser were
 * checked when the checkout was created.
 */
export const withoutBrowserRules = (rules: readonly Rule[]): Rule[] =>
  rules.map(({ appliesTo: _, holds, ...rule }) => ({ ...rule, holds: (values) => holds(removeBrowser(values)) }));

export const isOfBrowser = (name: string): boolean => name.startsWith('customer.browser.');

const reducedValues = new WeakMap<object, SentValues>();

/** Made once for each request: all of its rules use it. */
const removeBrowser = (values: SentValues): SentValues => {
  const cached = reducedValues.get(values);
  if (cached !== undefined) return cached;
  const reduced = Object.fromEntries(Object.entries(values).filter(([name]) => !isOfBrowser(name)));
  reducedValues.set(values, reduced);
  return reduced;
};

/** The rules for the parameters that the shopper's side may add. */
export const submittedRules: readonly Rule[] = [webAddressRule('shopperResultUrl')];
