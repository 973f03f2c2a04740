/** The requirements of 3-D Secure 2 (spec 2.10, 2.12, 2.29), and payments without the shopper (2.32). */

import type { AccountKind } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
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

const hasBrowser = (sent: SentValues): boolean => browser.some((name) => sent[name] !== undefined);
/** In a browser, or in an app whose SDK made the device information. */
const isV2 = (sent: SentValues): boolean => hasBrowser(sent) || sent['threeDSecure.deviceInfo'] !== undefined;

/** Mail and telephone orders, and sales at a counter: the cardholder does not use a screen of ours. */
const elsewhere: ReadonlySet<string> = new Set(['MO', 'TO', 'MOTO', 'PO']);
export const isOrderedElsewhere = (sent: SentValues): boolean => elsewhere.has(sent['transactionCategory'] ?? '');

/** A payment initiated by the merchant: its cardholder is not present. */
export const isMerchantsOwn = (sent: SentValues): boolean =>
  sent['standingInstruction.source'] === 'MIT' || sent['standingInstruction.mode'] === 'REPEATED';

/** Requested without the cardholder (3RI). */
export const isRequestorInitiated = (sent: SentValues): boolean =>
  sent['threeDSecure.channel'] !== undefined || sent['threeDSecure.threeRIInd'] !== undefined;

/** The result of an authentication elsewhere is passed on unchanged (spec 2.29). */
const proofs = ['dsTransactionId', 'eci', 'verificationId'].map((name) => `threeDSecure.${name}`);
export const hasProof = (sent: SentValues): boolean => proofs.some((name) => sent[name] !== undefined);

const secured: ReadonlySet<AccountKind | undefined> = new Set(['card', 'googlePay', undefined]);

/** On a channel with 3-D Secure: whether this payment's cardholder is authenticated. A stored account may be a card. */
const isAuthenticated = (sent: SentValues): boolean =>
  sent['paymentType'] !== undefined &&
  sent['paymentType'] !== 'CD' &&
  sent['pos.entryMode'] === undefined &&
  !isOrderedElsewhere(sent) &&
  !isMerchantsOwn(sent) &&
  !isRequestorInitiated(sent) &&
  !hasProof(sent) &&
  secured.has(accountKindOf(sent));

/** The request itself mentions an authentication, whoever performs it. */
const asksForIt = (sent: SentValues): boolean =>
  ['authenticationInd', 'challengeIndicator', 'deviceInfo'].some((name) => sent[`threeDSecure.${name}`] !== undefined);

const V2 = 'may not be empty in a 3D Secure v2 request';
const INSTALLMENTS = `${V2} for installments`;
const isInstallment = (sent: SentValues): boolean => sent['standingInstruction.type'] === 'INSTALLMENT';

export const threeDSecureRules: readonly Rule[] = [
  ...needed((sent) => hasBrowser(sent) && asksForIt(sent), [...browser, ...address], V2),
  ...needed(
    (sent) => isInstallment(sent) && isV2(sent) && asksForIt(sent),
    ['standingInstruction.numberOfInstallments'],
    INSTALLMENTS,
  ),
];

/**
 * For channels that authenticate cardholders themselves. A request with any browser data must have all of them, and the
 * billing address, as the message to the issuer requires; without browser data the gateway's page collects them.
 */
export const authenticatingRules: readonly Rule[] = [
  ...needed((sent) => hasBrowser(sent) && isAuthenticated(sent), [...browser, ...address], V2),
  ...needed(
    (sent) => isInstallment(sent) && isAuthenticated(sent),
    ['standingInstruction.numberOfInstallments'],
    INSTALLMENTS,
  ),
].map((rule) => ({ ...rule, on: 'authenticating' }));

/** A registration stores the reference of its first payment; without a registration the merchant must send it. */
export const standingInstructionRules: readonly Rule[] = needed(
  (sent) => sent['standingInstruction.mode'] === 'REPEATED' && sent['standingInstruction.source'] === 'MIT',
  ['standingInstruction.initialTransactionId'],
  'may not be empty when mode is REPEATED and source is MIT, unless a registration is charged',
);
