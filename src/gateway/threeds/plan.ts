/** Whether a payment's cardholder is to be authenticated, over which channel, and which data are missing for it. */
import { exponentOf, parseAmount } from '../../base/money.ts';
import type { Authorisation } from '../payments/acquirer.ts';
import {
  browser,
  hasProof,
  isMerchantsOwn,
  isOrderedElsewhere,
  isRequestorInitiated,
} from '../spec/rules/three-d-secure.ts';
import { authenticatedAmount } from './authentication-request.ts';
import { type Scheme, schemeOf } from './schemes.ts';
import type { ThreeDSecureSettings } from './settings.ts';

export type CardRequest = Authorisation & { card: NonNullable<Authorisation['card']> };

export type Plan =
  /** Goes to the acquirer unchanged. */
  | { kind: 'none' }
  | { kind: 'missing'; names: readonly string[] }
  | {
      kind: 'authenticate';
      request: CardRequest;
      scheme: Scheme;
      deviceChannel: '01' | '02' | '03';
      /** Whether the merchant sent the browser's data; otherwise the gateway's own page collects them. */
      browserKnown: boolean;
    };

const none: Plan = { kind: 'none' };

/** `settings` are those of the request's channel; without them nobody is authenticated. */
export const planOf = (request: Authorisation, settings: ThreeDSecureSettings | undefined): Plan => {
  const { account, card, paymentType, parameters: sent, customParameters } = request;
  if (settings?.enabled !== true || card === undefined || request.pos !== undefined) return none;
  if (account !== 'card' && !isWalletsOwnNumber(request)) return none;
  const isAuthenticationOnly = request.only === 'authentication';
  if (!isAuthenticationOnly && (paymentType === 'CD' || hasProof(sent))) return none;
  if (customParameters['custom_disable3DSecure'] === 'true' && !isAuthenticationOnly) return none;
  if (isOrderedElsewhere(sent)) return none;
  const scheme = schemeOf({ number: card.number, paymentBrand: request.paymentBrand });
  if (scheme === undefined || (settings.schemes !== undefined && !settings.schemes.includes(scheme))) return none;

  const isWithoutCardholder = isRequestorInitiated(sent);
  if (isMerchantsOwn(sent) && !isWithoutCardholder) return none;
  const cardRequest = { ...addExemption(request, settings), card };
  const start = { kind: 'authenticate', request: cardRequest, scheme } as const;
  if (isWithoutCardholder) return { ...start, deviceChannel: '03', browserKnown: true };
  if (sent['threeDSecure.deviceInfo'] !== undefined) return { ...start, deviceChannel: '01', browserKnown: true };
  // A shopper with a challenge must be able to return. The browser sends its data if the merchant did not.
  if (sent['shopperResultUrl'] === undefined) return { kind: 'missing', names: missingParametersOf(sent) };
  return { ...start, deviceChannel: '02', browserKnown: browser.every((name) => sent[name] !== undefined) };
};

const missingParametersOf = (sent: Readonly<Record<string, string>>): readonly string[] =>
  ['shopperResultUrl', ...browser].filter((name) => sent[name] === undefined);

/** A wallet with the card's own number and without a cryptogram: the cardholder has not been authenticated yet. */
const isWalletsOwnNumber = ({ account, parameters }: Authorisation): boolean =>
  account === 'googlePay' && parameters['threeDSecure.verificationId'] === undefined;

/** With the exemption that the channel requests, unless the merchant requests something else. */
const addExemption = (request: Authorisation, { exemptUpTo }: ThreeDSecureSettings): Authorisation => {
  const { parameters: sent } = request;
  if (exemptUpTo === undefined || sent['threeDSecure.challengeIndicator'] !== undefined) return request;
  if (sent['threeDSecure.exemptionFlag'] !== undefined) return request;
  const { minor, currency } = authenticatedAmount(request);
  const text = exponentOf(currency) === 0 ? exemptUpTo.replace(/\.\d\d$/, '') : exemptUpTo;
  if (minor > parseAmount(text, currency).minor) return request;
  const exemption = { 'threeDSecure.challengeIndicator': '02', 'threeDSecure.exemptionFlag': '01' };
  return { ...request, parameters: { ...sent, ...exemption } };
};
