/** What 3D Secure v2 needs (spec 2.10, 2.12, 2.29), and payments without the shopper (2.32). */

import type { AccountKind } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { accountKindOf } from './accounts.ts';

/** Without one of these the issuer's server cannot tell the browser. */
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
/** In a browser, or in an app, whose SDK made the device information. */
const isV2 = (sent: SentValues): boolean => hasBrowser(sent) || sent['threeDSecure.deviceInfo'] !== undefined;

/** Orders by mail or telephone, and sales at a counter: the cardholder is not before a screen of ours. */
const elsewhere: ReadonlySet<string> = new Set(['MO', 'TO', 'MOTO', 'PO']);
export const isOrderedElsewhere = (sent: SentValues): boolean => elsewhere.has(sent['transactionCategory'] ?? '');

/** A payment of the merchant's own: its cardholder is not there. */
export const isMerchantsOwn = (sent: SentValues): boolean =>
  sent['standingInstruction.source'] === 'MIT' || sent['standingInstruction.mode'] === 'REPEATED';

/** Asked without the cardholder (3RI). */
export const isRequestorInitiated = (sent: SentValues): boolean =>
  sent['threeDSecure.channel'] !== undefined || sent['threeDSecure.threeRIInd'] !== undefined;

/** Proof from elsewhere is passed on unchanged (spec 2.29). */
const proofs = ['dsTransactionId', 'eci', 'verificationId'].map((name) => `threeDSecure.${name}`);
export const hasProof = (sent: SentValues): boolean => proofs.some((name) => sent[name] !== undefined);

const secured: ReadonlySet<AccountKind | undefined> = new Set(['card', 'googlePay', undefined]);

/** Of a channel with 3-D Secure: the cardholder of this payment is asked. A stored account may be a card. */
const isAuthenticated = (sent: SentValues): boolean =>
  sent['paymentType'] !== undefined &&
  sent['paymentType'] !== 'CD' &&
  sent['pos.entryMode'] === undefined &&
  !isOrderedElsewhere(sent) &&
  !isMerchantsOwn(sent) &&
  !isRequestorInitiated(sent) &&
  !hasProof(sent) &&
  secured.has(accountKindOf(sent));

/** The request itself speaks of an authentication, whoever carries it out. */
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
 * Of channels that authenticate cardholders themselves. Who tells of the browser tells all of it, and the bill's
 * address, as the message to the issuer wants them; who tells nothing of it leaves the asking to the gateway's page.
 */
export const authenticatingRules: readonly Rule[] = [
  ...needed((sent) => hasBrowser(sent) && isAuthenticated(sent), [...browser, ...address], V2),
  ...needed(
    (sent) => isInstallment(sent) && isAuthenticated(sent),
    ['standingInstruction.numberOfInstallments'],
    INSTALLMENTS,
  ),
].map((rule) => ({ ...rule, on: 'authenticating' }));

/** A registration knows the reference of its first payment; without one the merchant must send it. */
export const standingInstructionRules: readonly Rule[] = needed(
  (sent) => sent['standingInstruction.mode'] === 'REPEATED' && sent['standingInstruction.source'] === 'MIT',
  ['standingInstruction.initialTransactionId'],
  'may not be empty when mode is REPEATED and source is MIT, unless a registration is charged',
);
