/**
 * A checkout's request: the shop's values and what the shopper's side may add, merged, and the checks that need the
 * gateway.
 */
import { printable } from '../../base/mask.ts';
import type { Channel } from '../channel.ts';
import { type Incoming, strictnessOf, traitsOf } from '../payments/endpoint.ts';
import { isUsable } from '../registrations/registration.ts';
import { brandNamed } from '../spec/brands.ts';
import { ERRORS_MAX, type ParameterError } from '../spec/parameters/errors.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import { lookupOf } from '../spec/parameters/lookup.ts';
import { misplacedCardNumbers } from '../spec/parameters/misplaced-card-numbers.ts';
import type { Parsed, Sent, Strictness, Traits } from '../spec/parameters/parser.ts';
import { chosenRegistration, offeredRegistrations } from '../spec/parameters/registration.ts';
import type { Rows } from '../spec/parameters/row.ts';
import { accountRows, holderRows, paymentRows } from '../spec/rules/accepts.ts';
import { isOfBrowser, submittedRules } from '../spec/rules/checkouts.ts';
import type { Registration } from '../store/records.ts';
import type { Session } from '../store/store.ts';
import type { Values } from './life.ts';

const find = lookupOf({
  ...paymentRows,
  ...accountRows,
  ...holderRows,
  ...chosenRegistration,
  ...offeredRegistrations,
});

export type MergedRequest = { merged: Sent; errors: readonly ParameterError[] };

/**
 * Both together, and the parameters of `sent` that are refused by name: a change to a value of the shop, and values
 * that only the shop may set. An equal value is accepted, because clients send amount and currency twice. The shop's
 * data about the browser take precedence over the browser's own.
 */
const mergeRequest = (values: Values, sent: Sent, entityId: string): MergedRequest => {
  const merged: Record<string, string> = Object.assign(Object.create(null), values);
  const errors: ParameterError[] = [];
  for (const [name, value] of Object.entries(sent)) {
    // Whichever of the two is right about the browser: no sale is refused because of it.
    if (isOfBrowser(name) && values[name] !== undefined) continue;
    const text = refusalOf(name, value, name === 'entityId' ? entityId : values[name]);
    if (text === undefined) merged[name] = value;
    else errors.push({ name: printable(name, 128), value: null, message: text });
  }
  for (const name of Object.keys(merged)) if (isCheckoutOnly(name)) delete merged[name];
  merged['entityId'] = entityId;
  // An account number among the shop's values can only be detected when both are merged.
  const misplaced = misplacedCardNumbers(merged, undefined);
  const names = new Set(errors.map(({ name }) => name));
  return { merged, errors: [...errors, ...misplaced.filter(({ name }) => !names.has(name))] };
};

const refusalOf = (name: string, value: string, input: string | undefined): string | undefined => {
  if (input !== undefined) {
    if (isSame(name, value, input)) return undefined;
    return name === 'entityId'
      ? 'differs from the checkout’s'
      : 'was already set by the shop, to another value, and cannot be overwritten';
  }
  if (name.startsWith('customParameters[')) {
    return isShopperCustomParameter(name)
      ? undefined
      : 'must begin with SHOPPER_ when it is sent from the shopper’s side';
  }
  if (name.startsWith('overridePaymentType[')) return 'is accepted only when a checkout is created';
  // The parser reports names that are not parameters at all.
  if (isShopperParameter(name) || find(name).kind === 'stranger') return undefined;
  return 'can be set only by the shop, when it creates or updates the checkout';
};

/** Equal in meaning: 10 and 10.00 are one amount, and some clients write 1 for true. */
const isSame = (name: string, left: string, right: string): boolean => {
  if (left === right) return true;
  if (name === 'amount') return left.replace(/\.00$/, '') === right.replace(/\.00$/, '');
  return name === 'createRegistration' && isSet(left) === isSet(right);
};

/** Parameters that control the checkout and are no part of its payment. */
const isCheckoutOnly = (name: string): boolean =>
  name === 'integrity' ||
  name === 'registrationId' ||
  name.startsWith('registrations[') ||
  name.startsWith('overridePaymentType[');

/** The values after an update. A list that is sent is the whole list: three items of a cart replace five. */
export const mergeValues = (values: Values, sent: Values): Values => {
  const lists = new Set(Object.keys(sent).flatMap((name) => /^[^[]*\[(?=\d{1,3}\])/.exec(name)?.[0] ?? []));
  const unchanged = Object.entries(values).filter(([name]) => {
    const list = /^[^[]*\[(?=\d{1,3}\])/.exec(name)?.[0];
    return list === undefined || !lists.has(list);
  });
  return { ...Object.fromEntries(unchanged), ...sent };
};

/** The stored accounts that the checkout offers. */
export const offeredRegistrationsOf = (values: Values): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (/^registrations\[\d+\]\.id$/.test(name) ? [value] : []));

// A submitted checkout as one request: the shop's and the shopper's values, parsed and checked.

type SubmitInput<P> = {
  parse: (sent: Sent, strictness: Strictness, traits: Traits) => Parsed<P>;
  incoming: Incoming;
  values: Values;
};

/** Reports all errors at once: the shop's own parameters, wrong formats, broken rules. */
export const parseSubmit = <P>({ parse, incoming, values }: SubmitInput<P>): Parsed<P> => {
  const { sent, channel, errors, repeats = [] } = incoming;
  const mergedRequest = mergeRequest(values, sent, channel.entityId);
  const parsed = parse(mergedRequest.merged, strictnessOf(channel), traitsOf(channel));
  const brokenRules = submittedRules
    .filter(({ holds }) => !holds(mergedRequest.merged))
    .map(({ name, message }) => ({ name, value: null, message }));
  const allErrors = [...errors, ...mergedRequest.errors, ...('errors' in parsed ? parsed.errors : []), ...brokenRules];
  if (allErrors.length > 0 || 'errors' in parsed) return { errors: uniqueErrors(allErrors) };
  return { ...parsed, warnings: [...repeats, ...parsed.warnings] };
};

const uniqueErrors = (errors: readonly ParameterError[]): readonly ParameterError[] =>
  [...new Map(errors.toReversed().map((error) => [error.name, error])).values()].toReversed().slice(0, ERRORS_MAX);

// The parameters that the shopper's side may send when it submits a checkout. All others are the shop's alone.

/**
 * By the beginnings of names: the account, the payer and the billing address, the browser itself, the language, the
 * return address. A later row takes precedence. Not listed: amount, type, references, risk, cart and everything else
 * about what is sold and who receives the money.
 */
const sidePrefixes: readonly (readonly [beginning: string, side: 'shopper' | 'shop'])[] = [
  ['card.', 'shopper'],
  ['applePay.', 'shopper'],
  ['googlePay.', 'shopper'],
  ['samsungPay.', 'shopper'],
  ['virtualAccount.', 'shopper'],
  ['bankAccount.', 'shopper'],
  // A mandate and its date are agreed between the shop and the shopper.
  ['bankAccount.mandate.', 'shop'],
  // A token belongs to a merchant. A card number entered as a token would bypass the authentication of its cardholder.
  ['tokenAccount.', 'shop'],
  ['giftCard.', 'shopper'],
  ['paymentBrand', 'shopper'],
  ['registrationId', 'shopper'],
  ['createRegistration', 'shopper'],
  ['shopperResultUrl', 'shopper'],
  ['locale', 'shopper'],
  ['customer.', 'shopper'],
  // Data for risk rules must not come from the person they assess.
  ['customer.ip', 'shop'],
  ['customer.status', 'shop'],
  ['customer.category', 'shop'],
  ['customer.merchantCustomerId', 'shop'],
  ['customer.merchantReference', 'shop'],
  ['billing.', 'shopper'],
  ['customParameters[', 'shopper'],
  // Must equal the checkout's own; clients repeat it.
  ['entityId', 'shopper'],
];

const isNamed = (prefix: string, name: string): boolean =>
  /[.[]$/.test(prefix) ? name.startsWith(prefix) : name === prefix;

const isShopperParameter = (name: string): boolean =>
  sidePrefixes.findLast(([prefix]) => isNamed(prefix, name))?.[1] === 'shopper';

/** Custom parameters of the shopper's side (spec 2.30) are recognised by their prefix. */
const isShopperCustomParameter = (name: string): boolean => name.startsWith('customParameters[SHOPPER_');

const shopperParameters = (rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => isShopperParameter(name)));

/** The rows themselves, for the documentation. */
export const shopperRows: Rows = shopperParameters({ ...paymentRows, ...accountRows, ...chosenRegistration });

/** The rows for a checkout that stores an account: a stored account cannot be chosen there. */
export const shopperRegistrationRows: Rows = shopperParameters({ ...paymentRows, ...accountRows });

// The checks of a checkout's values that need the gateway: the channel's brands, the stored accounts.

type ChannelTime = { channel: Channel; at: number };

const startTypes = ['PA', 'DB', 'CD'];
const OVERRIDE = /^overridePaymentType\[(.*)\]$/;

/** One error for each impossible value. */
export const findWrongValues = async (
  reader: Pick<Session, 'registration'>,
  values: Values,
  { channel, at }: ChannelTime,
): Promise<readonly ParameterError[]> => {
  const errors: ParameterError[] = [];
  for (const [name, value] of Object.entries(values)) {
    const text = overrideError(channel, name, value) ?? (await offerError(reader, { name, value, channel, at }));
    if (text !== undefined) errors.push({ name, value, message: text });
  }
  return errors;
};

const overrideError = (channel: Channel, name: string, value: string): string | undefined => {
  const brand = OVERRIDE.exec(name)?.[1];
  if (brand === undefined) return undefined;
  if (brandNamed(channel, brand) === undefined) return `names the brand ${brand}, which this channel does not accept`;
  return startTypes.includes(value) ? undefined : `must be one of [${startTypes.join(', ')}]`;
};

const offerError = async (
  reader: Pick<Session, 'registration'>,
  { name, value, channel, at }: ChannelTime & { name: string; value: string },
): Promise<string | undefined> => {
  if (!/^registrations\[\d+\]\.id$/.test(name)) return undefined;
  const found = await reader.registration(value);
  return isOffered(found, { channel, at }) ? undefined : 'is no stored account of this channel that can be charged';
};

export const isOffered = (found: Registration | undefined, { channel, at }: ChannelTime): found is Registration =>
  found !== undefined && found.entityId === channel.entityId && found.sealed !== undefined && isUsable(found, at);
