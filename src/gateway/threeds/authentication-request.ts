/**
 * The AReq of a payment (EMV 3-D Secure 2.1 and 2.2, annex A): made from the host API's parameters, field by field.
 * Data that the merchant did not send are omitted, or taken from the channel.
 */
import { exponentOf, type Money, numericOf, parseAmount } from '../../base/money.ts';
import type { Authorisation } from '../payments/acquirer.ts';
import { authenticationIndicators } from '../spec/parameters/three-d-secure.ts';
import type { AuthenticationRequest } from './messages.ts';
import type { Scheme } from './schemes.ts';

/** The browser's own data if the merchant sent none: customer.browser.* by their own names. */
export type BrowserData = Readonly<Record<string, string>>;

type AuthenticationInput = {
  request: Authorisation & { card: NonNullable<Authorisation['card']> };
  scheme: Scheme;
  version: string;
  threeDSServerTransID: string;
  deviceChannel: '01' | '02' | '03';
  merchantName: string;
  /** The result of the method step (threeDSCompInd): done, started and not done, none. */
  methodDone: 'Y' | 'N' | 'U';
  notificationUrl: string;
  /** The address to which the directory server reports the result of a challenge. */
  resultsUrl: string;
  browser: BrowserData;
};

export const authenticationRequest = (input: AuthenticationInput): AuthenticationRequest => {
  const { request, version, threeDSServerTransID, deviceChannel } = input;
  const { parameters: sent } = request;
  return {
    messageType: 'AReq',
    messageVersion: version,
    threeDSServerTransID,
    threeDSServerURL: input.resultsUrl,
    deviceChannel,
    messageCategory: sent['threeDSecure.npa'] === 'true' ? '02' : '01',
    acctNumber: request.card.number,
    cardExpiryDate: request.card.expiryYear.slice(-2) + request.card.expiryMonth,
    cardholderName: request.card.holder,
    ...requestorFields(input),
    ...purchaseFields(input),
    ...personFields(sent),
    ...(deviceChannel === '02' ? browserFields(input) : {}),
    sdkEncData: deviceChannel === '01' ? sent['threeDSecure.deviceInfo'] : undefined,
    threeRIInd: deviceChannel === '03' ? threeRI[sent['threeDSecure.threeRIInd'] ?? 'RECURRING'] : undefined,
  };
};

type Flat = Readonly<Record<string, string | undefined>>;

const is22 = ({ version }: AuthenticationInput): boolean => version !== '2.1.0';

const requestorFields = (input: AuthenticationInput) => {
  const { request, scheme, merchantName } = input;
  const { parameters: sent } = request;
  const challenge = sent['threeDSecure.challengeIndicator']?.padStart(2, '0');
  const decoupled = is22(input) && sent['threeDSecure.decoupled'] === 'true';
  return {
    threeDSRequestorID: sent[`threeDSecure.v2.${scheme}.requestorId`] ?? sent['entityId'],
    threeDSRequestorName: sent[`threeDSecure.v2.${scheme}.requestorName`] ?? merchantName,
    threeDSRequestorURL: sent['threeDSecure.merchant.url'] ?? sent['shopperResultUrl'],
    threeDSRequestorAuthenticationInd: input.deviceChannel === '03' ? undefined : authenticationInd(sent),
    // 05 and higher came with version 2.2: an older directory server gets the nearest earlier value.
    threeDSRequestorChallengeInd: is22(input) || Number(challenge ?? 0) < 5 ? challenge : olderChallenge(challenge),
    threeDSRequestorDecReqInd: decoupled ? 'Y' : undefined,
    threeDSRequestorDecMaxTime: decoupled ? '00015' : undefined,
    merchantName,
    merchantCountryCode: sent['threeDSecure.merchant.country'],
    mcc: sent['merchant.mcc'],
  };
};

const olderChallenge = (challenge: string | undefined): string => (challenge === '09' ? '03' : '02');

const authenticationInd = (sent: Flat): string | undefined => {
  const indicator = authenticationIndicators[sent['threeDSecure.authenticationInd'] ?? ''];
  if (indicator !== undefined) return indicator;
  const series = sent['standingInstruction.type'];
  if (series === 'INSTALLMENT') return '03';
  return series === 'RECURRING' ? '02' : '01';
};

const threeRI: Readonly<Record<string, string>> = { RECURRING: '01', SPLIT_SHIPMENT: '80', DELAYED_SHIPMENT: '81' };

/** threeDSecure.amount before risk.amount before the payment's own (spec 2.27, 2.29). */
export const authenticatedAmount = ({
  amount,
  parameters: sent,
}: Pick<Authorisation, 'amount' | 'parameters'>): Money => {
  const authenticatedMinor = sent['threeDSecure.amount'];
  const currency = sent['threeDSecure.currency'] ?? amount.currency;
  const text = authenticatedMinor ?? sent['risk.amount'];
  if (text === undefined) return amount;
  // In a currency without a minor unit only whole units count.
  return parseAmount(exponentOf(currency) === 0 ? text.replace(/\.\d\d$/, '') : text, currency);
};

const purchaseFields = (input: AuthenticationInput) => {
  const { request } = input;
  const { parameters: sent, at } = request;
  if (sent['threeDSecure.npa'] === 'true') return {};
  const { minor, currency } = authenticatedAmount(request);
  const series = sent['standingInstruction.type'];
  const isRecurring = series === 'RECURRING' || series === 'INSTALLMENT';
  return {
    purchaseAmount: minor.toString(),
    purchaseCurrency: numericOf(currency).padStart(3, '0'),
    purchaseExponent: exponentOf(currency).toString(),
    purchaseDate: new Date(at).toISOString().replace(/\D/g, '').slice(0, 14),
    transType: '01',
    recurringExpiry: isRecurring ? sent['standingInstruction.expiry']?.replaceAll('-', '') : undefined,
    recurringFrequency: isRecurring ? sent['standingInstruction.frequency'] : undefined,
    purchaseInstalData:
      series === 'INSTALLMENT' ? sent['standingInstruction.numberOfInstallments']?.padStart(3, '0') : undefined,
  };
};

const personFields = (sent: Flat) => ({
  email: sent['customer.email'],
  mobilePhone: phoneField(sent['customer.mobile']),
  homePhone: phoneField(sent['customer.phone']),
  workPhone: phoneField(sent['customer.workPhone']),
  billAddrLine1: sent['billing.street1']?.slice(0, 50),
  billAddrLine2: sent['billing.street2']?.slice(0, 50),
  billAddrCity: sent['billing.city']?.slice(0, 50),
  billAddrPostCode: sent['billing.postcode'],
  billAddrState: sent['billing.state'],
  billAddrCountry: sent['billing.country'],
  shipAddrLine1: sent['shipping.street1']?.slice(0, 50),
  shipAddrCity: sent['shipping.city']?.slice(0, 50),
  shipAddrPostCode: sent['shipping.postcode'],
  shipAddrCountry: sent['shipping.country'],
  acctID: sent['customer.merchantCustomerId']?.slice(0, 64),
});

/** Separates country calling code and number (ITU-T E.164); a number without its country code is omitted. */
const phoneField = (text: string | undefined) => {
  const match = /^\+(\d{1,3})[ ./()-]+([\d ./()-]{4,})$/.exec(text ?? '');
  return match === null ? undefined : { cc: match[1], subscriber: match[2]?.replace(/\D/g, '').slice(0, 15) };
};

const browserFields = ({ request, methodDone, notificationUrl, browser }: AuthenticationInput) => {
  const notify = (name: string) => request.parameters[`customer.browser.${name}`] ?? browser[name];
  const scripted = browser['javascriptEnabled'] !== 'false';
  return {
    threeDSCompInd: methodDone,
    notificationURL: notificationUrl,
    browserAcceptHeader: notify('acceptHeader'),
    browserUserAgent: notify('userAgent'),
    browserIP: request.parameters['customer.ip'],
    browserLanguage: notify('language')?.slice(0, 8),
    browserJavascriptEnabled: scripted,
    browserJavaEnabled: scripted ? notify('javaEnabled') === 'true' : undefined,
    browserScreenHeight: scripted ? notify('screenHeight') : undefined,
    browserScreenWidth: scripted ? notify('screenWidth') : undefined,
    browserColorDepth: scripted ? notify('screenColorDepth') : undefined,
    browserTZ: scripted ? notify('timezone') : undefined,
  };
};
