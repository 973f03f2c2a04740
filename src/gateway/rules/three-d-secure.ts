/** What 3D Secure v2 needs (spec 2.10, 2.12, 2.29), and payments without the shopper (2.32). */
import { type Given, needed, type Rule } from '../operations/operation.ts';

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

const hasBrowser = (sent: Given): boolean => browser.some((name) => sent[name] !== undefined);
/** In a browser, or in an app, whose SDK made the device information. */
const isV2 = (sent: Given): boolean => hasBrowser(sent) || sent['threeDSecure.deviceInfo'] !== undefined;

export const threeDSecureRules: readonly Rule[] = [
  ...needed(hasBrowser, [...browser, ...address], 'may not be empty in a 3D Secure v2 request'),
  ...needed(
    (sent) => sent['standingInstruction.type'] === 'INSTALLMENT' && isV2(sent),
    ['standingInstruction.numberOfInstallments'],
    'may not be empty in a 3D Secure v2 request for installments',
  ),
];

/** A registration knows the reference of its first payment; without one the merchant must send it. */
export const standingInstructionRules: readonly Rule[] = needed(
  (sent) => sent['standingInstruction.mode'] === 'REPEATED' && sent['standingInstruction.source'] === 'MIT',
  ['standingInstruction.initialTransactionId'],
  'may not be empty when mode is REPEATED and source is MIT, unless a registration is charged',
);
