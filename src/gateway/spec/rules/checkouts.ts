/** What belongs to one way of asking only: the shopper who is sent away, and types by brand (spec 2.2, 2.31). */
import { brandOf } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { isSet } from '../parameters/kinds.ts';
import { webUrl } from '../return-url.ts';
import { uses } from './shared.ts';

/** A shopper who is sent to a bank must be able to come back. */
export const asynchronousRules: readonly Rule[] = needed(
  (sent) => brandOf(sent['paymentBrand'] ?? '')?.asynchronous === true,
  ['shopperResultUrl'],
  'may not be empty: with this brand the shopper is sent away and must find back',
);

const overridesType = uses('overridePaymentType[');

export const noOverrides: readonly Rule[] = [
  {
    name: 'overridePaymentType[key]',
    says: 'is accepted only when a checkout is created',
    holds: (sent) => !overridesType(sent),
  },
];

/** A checkout that stores an account and charges nothing: it says so, and names neither amount nor type. */
export const storesOnly = (sent: SentValues): boolean =>
  isSet(sent['createRegistration']) && sent['amount'] === undefined && sent['paymentType'] === undefined;

/** Apps have addresses of their own, but a checkout's shopper has a browser, which the gateway itself sends there. */
const webAddress = (name: 'shopperResultUrl' | 'notificationUrl'): Rule => ({
  name,
  says: 'must be an http or https address without a user name: a browser, or the gateway, is sent there',
  holds: (sent) => sent[name] === undefined || webUrl(sent[name]) !== undefined,
});

/** Of a checkout's parameters, when it is created and after each update. */
export const checkoutRules: readonly Rule[] = [
  ...needed((sent) => !storesOnly(sent), ['amount', 'currency', 'paymentType']),
  webAddress('shopperResultUrl'),
  webAddress('notificationUrl'),
  {
    name: 'overridePaymentType[key]',
    says: 'is of no use without amount and paymentType: nothing is paid',
    holds: (sent) => !storesOnly(sent) || !overridesType(sent),
  },
];

/**
 * The same rules for a submitted checkout. Its browser tells of itself unasked, and that alone demands nothing: no name
 * of the shopper, and no address for 3-D Secure, which goes on without one. What the shop itself said of a browser was
 * held against the rules when the checkout was created.
 */
export const browserUnasked = (rules: readonly Rule[]): Rule[] =>
  rules.map(({ when: _, holds, ...rule }) => ({ ...rule, holds: (sent) => holds(withoutBrowser(sent)) }));

export const isOfBrowser = (name: string): boolean => name.startsWith('customer.browser.');

const rests = new WeakMap<object, SentValues>();

/** Made once for each request: all of its rules look at it. */
const withoutBrowser = (sent: SentValues): SentValues => {
  const known = rests.get(sent);
  if (known !== undefined) return known;
  const rest = Object.fromEntries(Object.entries(sent).filter(([name]) => !isOfBrowser(name)));
  rests.set(sent, rest);
  return rest;
};

/** What the shopper's side may bring along of them. */
export const submittedRules: readonly Rule[] = [webAddress('shopperResultUrl')];
