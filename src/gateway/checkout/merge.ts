/** What the shop gave when it created the checkout, and what the shopper's side adds: one request. */
import { printable } from '../../base/mask.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import { lookupOf } from '../spec/parameters/lookup.ts';
import { misplacedCardNumbers } from '../spec/parameters/misplaced-card-numbers.ts';
import type { Sent } from '../spec/parameters/parser.ts';
import { chosenRegistration, offeredRegistrations } from '../spec/parameters/registration.ts';
import { accountRows, holderRows, paymentRows } from '../spec/rules/accepts.ts';
import { isOfBrowser } from '../spec/rules/checkouts.ts';
import type { Values } from './life.ts';
import { isShoppers, isShoppersCustom } from './shopper-side.ts';

const find = lookupOf({
  ...paymentRows,
  ...accountRows,
  ...holderRows,
  ...chosenRegistration,
  ...offeredRegistrations,
});

export type Merged = { merged: Sent; errors: readonly ParameterError[] };

/**
 * Both together, and what of `sent` is refused by name: what would change a value that the shop gave, and what is the
 * shop's to say. An equal value is none of these: clients send amount and currency twice, and mean no harm by it.
 * What the browser tells of itself stands back behind what the shop told of it.
 */
export const mergedWith = (values: Values, sent: Sent, entityId: string): Merged => {
  const merged: Record<string, string> = Object.assign(Object.create(null), values);
  const errors: ParameterError[] = [];
  for (const [name, value] of Object.entries(sent)) {
    // Whichever of the two is right about the browser: no sale is refused over it.
    if (isOfBrowser(name) && values[name] !== undefined) continue;
    const says = refusalOf(name, value, name === 'entityId' ? entityId : values[name]);
    if (says === undefined) merged[name] = value;
    else errors.push({ name: printable(name, 128), value: null, message: says });
  }
  for (const name of Object.keys(merged)) if (isOfCheckoutOnly(name)) delete merged[name];
  merged['entityId'] = entityId;
  // An account number may stand in what the shop gave only when both are seen together.
  const strays = misplacedCardNumbers(merged, undefined);
  const named = new Set(errors.map(({ name }) => name));
  return { merged, errors: [...errors, ...strays.filter(({ name }) => !named.has(name))] };
};

const refusalOf = (name: string, value: string, given: string | undefined): string | undefined => {
  if (given !== undefined) {
    if (isSame(name, value, given)) return undefined;
    return name === 'entityId'
      ? 'is another one than that of the checkout'
      : 'was already set by the shop, to another value, and cannot be overwritten';
  }
  if (name.startsWith('customParameters[')) {
    return isShoppersCustom(name) ? undefined : 'must begin with SHOPPER_ when it is sent from the shopper’s side';
  }
  if (name.startsWith('overridePaymentType[')) return 'is accepted only when a checkout is created';
  // Whatever is no parameter at all is the parser's to tell.
  if (isShoppers(name) || find(name).kind === 'stranger') return undefined;
  return 'can be set only by the shop, when it creates or updates the checkout';
};

/** Equal in what it says: 10 and 10.00 are one amount, 1 is how some clients write true. */
const isSame = (name: string, one: string, other: string): boolean => {
  if (one === other) return true;
  if (name === 'amount') return one.replace(/\.00$/, '') === other.replace(/\.00$/, '');
  return name === 'createRegistration' && isSet(one) === isSet(other);
};

/** What says how the checkout goes, and is no part of the payment in it. */
const isOfCheckoutOnly = (name: string): boolean =>
  name === 'integrity' ||
  name === 'registrationId' ||
  name.startsWith('registrations[') ||
  name.startsWith('overridePaymentType[');

/**
 * What an update makes of the values. A list that is sent is the whole list: three items of a cart replace five.
 */
export const updatedWith = (values: Values, sent: Values): Values => {
  const lists = new Set(Object.keys(sent).flatMap((name) => /^[^[]*\[(?=\d{1,3}\])/.exec(name)?.[0] ?? []));
  const kept = Object.entries(values).filter(([name]) => {
    const list = /^[^[]*\[(?=\d{1,3}\])/.exec(name)?.[0];
    return list === undefined || !lists.has(list);
  });
  return { ...Object.fromEntries(kept), ...sent };
};

/** The stored accounts that the checkout offers. */
export const offeredIn = (values: Values): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (/^registrations\[\d+\]\.id$/.test(name) ? [value] : []));
