/** The requirements of 3-D Secure 2 (spec 2.10, 2.12, 2.29), and payments without the shopper (2.32). */

import type { AccountKind } from '../brands.ts';
import { type Rule, requireWhen, type SentValues } from '../operation.ts';
import { accountKindOf } from './accounts.ts';

/** The issuer's server needs all of these to recognise the browser. */
export const browser = [
  'customer.browser.acceptHeader',
  'customer.browser.language',
  'customer.browser.screenHeight',
  'customer.browser.screenWidth',
  'customer.browser.timezone',
  'customer.browser.userAgent',
  'customer.browser.javaEnabled',
] as const;

const address = ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'] as const;

const hasBrowser = (values: SentValues): boolean => browser.some((name) => values[name] !== undefined);
/** In a browser, or in an app whose SDK made the device information. */
const isV2 = (values: SentValues): boolean => hasBrowser(values) || values['threeDSecure.deviceInfo'] !== undefined;

/** Mail and telephone orders, and sales at a counter: the cardholder does not use a screen of ours. */
const elsewhere: ReadonlySet<string> = new Set(['MO', 'TO', 'MOTO', 'PO']);
export const isOrderedElsewhere = (values: SentValues): boolean => elsewhere.has(values['transactionCategory'] ?? '');

/** A payment initiated by the merchant: its cardholder is not present. */
export const isMerchantsOwn = (values: SentValues): boolean =>
  values['standingInstruction.source'] === 'MIT' || values['standingInstruction.mode'] === 'REPEATED';

/** Requested without the cardholder (3RI). */
export const isRequestorInitiated = (values: SentValues): boolean =>
  values['threeDSecure.channel'] !== undefined || values['threeDSecure.threeRIInd'] !== undefined;

/** The result of an authentication elsewhere is passed on unchanged (spec 2.29). */
const proofs = ['dsTransactionId', 'eci', 'verificationId'].map((name) => `threeDSecure.${name}`);
export const hasProof = (values: SentValues): boolean => proofs.some((name) => values[name] !== undefined);

const secured: ReadonlySet<AccountKind | undefined> = new Set(['card', 'googlePay', undefined]);

/** On a channel with 3-D Secure: whether this payment's cardholder is authenticated. A stored account may be a card. */
const isAuthenticated = (values: SentValues): boolean =>
  values['paymentType'] !== undefined &&
  values['paymentType'] !== 'CD' &&
  values['pos.entryMode'] === undefined &&
  !isOrderedElsewhere(values) &&
  !isMerchantsOwn(values) &&
  !isRequestorInitiated(values) &&
  !hasProof(values) &&
  secured.has(accountKindOf(values));

/** The request itself mentions an authentication, whoever performs it. */
const isAuthenticationRequested = (values: SentValues): boolean =>
  ['authenticationInd', 'challengeIndicator', 'deviceInfo'].some(
    (name) => values[`threeDSecure.${name}`] !== undefined,
  );

const V2 = 'may not be empty in a 3D Secure v2 request';
const INSTALLMENTS = `${V2} for installments`;
const isInstallment = (values: SentValues): boolean => values['standingInstruction.type'] === 'INSTALLMENT';

export const threeDSecureRules: readonly Rule[] = [
  ...requireWhen((values) => hasBrowser(values) && isAuthenticationRequested(values), [...browser, ...address], V2),
  ...requireWhen(
    (values) => isInstallment(values) && isV2(values) && isAuthenticationRequested(values),
    ['standingInstruction.numberOfInstallments'],
    INSTALLMENTS,
  ),
];

/**
 * For channels that authenticate cardholders themselves. A request with any browser data must have all of them, and the
 * billing address, as the message to the issuer requires; without browser data the gateway's page collects them.
 */
export const authenticatingRules: readonly Rule[] = [
  ...requireWhen((values) => hasBrowser(values) && isAuthenticated(values), [...browser, ...address], V2),
  ...requireWhen(
    (values) => isInstallment(values) && isAuthenticated(values),
    ['standingInstruction.numberOfInstallments'],
    INSTALLMENTS,
  ),
].map((rule) => ({ ...rule, on: 'authenticating' }));

/** A registration stores the reference of its first payment; without a registration the merchant must send it. */
export const standingInstructionRules: readonly Rule[] = requireWhen(
  (values) => values['standingInstruction.mode'] === 'REPEATED' && values['standingInstruction.source'] === 'MIT',
  ['standingInstruction.initialTransactionId'],
  'may not be empty when mode is REPEATED and source is MIT, unless a registration is charged',
);
