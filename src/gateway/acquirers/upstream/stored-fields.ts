/**
 * The stored part of a processor's answer: known fields, in their form and within their bounds, without card numbers.
 */
import { isFault } from '../../../base/fault.ts';
import { fromHex, toHex } from '../../../base/hex.ts';
import { maskPan } from '../../../base/mask.ts';
import { type Brand, brandOfPan, brands } from '../../../emv/brands.ts';
import { withoutCardData } from '../../../emv/card-text.ts';
import { luhnIsValid } from '../../../emv/luhn.ts';
import { decodeTlv, encodeTlv } from '../../../emv/tlv.ts';
import { INITIAL_TRANSACTION } from '../../payments/response.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const VALUE_MAX = 2048;
const DETAILS_MAX = 32;
const REDIRECTS_MAX = 32;
/** The tags meant for a chip: issuer authentication data, response code, scripts (EMV Book 4, 12.2). */
const FOR_THE_CHIP: ReadonlySet<string> = new Set(['91', '8A', '89', '71', '72']);
const BRANDS: ReadonlySet<string> = new Set(brands);

/** Everything beside the result code. Fields with a wrong form are left out; clients accept their absence. */
export const storedFieldsOf = (body: JsonObject): Omit<AcquirerAnswer, 'resultCode'> => {
  const result = objectOf(body['result']);
  const pos = objectOf(body['pos']);
  return {
    account: accountOf(body),
    iccDataResponse: chipDataOf(unmaskedText(pos['iccDataResponse'], /^(?:[0-9A-Fa-f]{2}){1,1024}$/)),
    statusText: matchingText(pos['statusText'], ALPHANUMERIC),
    clearing: clearingOf(objectOf(pos['clearing'])),
    merchantId: matchingText(pos['merchantId'], ALPHANUMERIC),
    cvvResponse: matchingText(result['cvvResponse'], /^[A-Za-z]$/),
    avsResponse: matchingText(result['avsResponse'], /^[AZNUF]$/),
    redirect: redirectOf(objectOf(body['redirect'])),
    merchantBankAccount: bankAccountOf(objectOf(objectOf(body['merchant'])['bankAccount'])),
    details: detailsOf(objectOf(body['resultDetails'])),
  };
};

const ALPHANUMERIC = /^[A-Za-z0-9 ]{1,2048}$/;
const ANY = /^[^\p{C}]{1,2048}$/u;

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const matchingText = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? maskCardNumbers(value) : undefined;

/** Masks digits that are probably a card number, then any other card data. */
const maskCardNumbers = (value: string): string =>
  withoutCardData(
    value.replace(/\d{12,19}/g, (digitRun) =>
      luhnIsValid(digitRun) && brandOfPan(digitRun) !== undefined ? maskPan(digitRun) : digitRun,
    ),
  );

const detailsOf = (input: JsonObject): Record<string, string> => {
  const details: Record<string, string> = {};
  for (const [name, value] of Object.entries(input).slice(0, DETAILS_MAX)) {
    if (!/^[A-Za-z0-9._-]{3,64}$/.test(name) || name === '__proto__') continue;
    // A scheme's reference may look like a card number, and is useful only unchanged.
    const stored = name === INITIAL_TRANSACTION ? unmaskedText(value, /^[A-Za-z0-9]{1,64}$/) : matchingText(value, ANY);
    if (stored !== undefined) details[name] = stored;
  }
  return details;
};

const unmaskedText = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

const accountOf = ({ card: input, paymentBrand }: JsonObject): AcquirerAnswer['account'] => {
  const card = objectOf(input);
  const bin = matchingText(card['bin'], /^\d{6}$/);
  const last4Digits = matchingText(card['last4Digits'], /^\d{4}$/);
  const expiryMonth = matchingText(card['expiryMonth'], /^(0[1-9]|1[0-2])$/);
  const expiryYear = matchingText(card['expiryYear'], /^(19|20)\d{2}$/);
  const brand = isBrand(paymentBrand) ? paymentBrand : brandOfPan(bin ?? '');
  if (!bin || !last4Digits || !expiryMonth || !expiryYear || brand === undefined) return undefined;
  const holder = matchingText(card['holder'], /^[^\p{C}]{1,128}$/u);
  return { brand, bin, last4Digits, expiryMonth, expiryYear, holder };
};

const isBrand = (name: unknown): name is Brand => typeof name === 'string' && BRANDS.has(name);

/** Only the tags meant for the chip: nothing else has a reason to be there, and it might be a track. */
const chipDataOf = (hex: string | undefined): string | undefined => {
  if (hex === undefined) return undefined;
  try {
    const objects = decodeTlv(fromHex(hex)).filter(({ tag }) => FOR_THE_CHIP.has(tag));
    return objects.length === 0 ? undefined : toHex(encodeTlv(objects));
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
};

const clearingOf = (input: JsonObject): AcquirerAnswer['clearing'] => {
  const authorizationAcquirerCode = matchingText(input['authorizationAcquirerCode'], ALPHANUMERIC);
  const authorizationIssuerCode = matchingText(input['authorizationIssuerCode'], ALPHANUMERIC);
  const identifier = matchingText(input['identifier'], ALPHANUMERIC);
  if (!authorizationAcquirerCode || !authorizationIssuerCode || !identifier) return undefined;
  return { authorizationAcquirerCode, authorizationIssuerCode, identifier };
};

/** The shopper, and the browser's hidden requests before that, are sent only to web pages. */
const redirectOf = ({ preconditions, ...to }: JsonObject): AcquirerAnswer['redirect'] => {
  const step = stepOf(to);
  if (step === undefined) return undefined;
  const parsedSteps = listOf(preconditions).map((each) => [each, stepOf(each)] as const);
  return {
    ...step,
    preconditions: parsedSteps.flatMap(([{ origin, waitUntil, description }, known]) =>
      known === undefined
        ? []
        : [
            {
              origin: matchingText(origin, WORDS),
              ...known,
              waitUntil: matchingText(waitUntil, WORDS),
              description: matchingText(description, WORDS),
            },
          ],
    ),
  };
};

const WORDS = /^[^\p{C}<>]{1,255}$/u;

const stepOf = ({ url, method, parameters }: JsonObject) => {
  if (typeof url !== 'string' || url.length > VALUE_MAX || !/^https?:\/\/[^\s\p{C}]+$/u.test(url)) return undefined;
  const pairs = listOf(parameters).flatMap(({ name, value }) =>
    typeof name === 'string' && typeof value === 'string' && name.length <= 255 && value.length <= VALUE_MAX
      ? [{ name, value }]
      : [],
  );
  // For processors that name no method: parameters, if there are any, are posted as a form.
  const httpMethod = method === 'GET' || method === 'POST' ? method : pairs.length > 0 ? 'POST' : 'GET';
  return { url, method: httpMethod, parameters: pairs } as const;
};

const listOf = (json: unknown): JsonObject[] => (Array.isArray(json) ? json.slice(0, REDIRECTS_MAX).map(objectOf) : []);

const bankAccountOf = (input: JsonObject): AcquirerAnswer['merchantBankAccount'] => {
  const holder = matchingText(input['holder'], /^[^\p{C}]{4,128}$/u);
  const number = unmaskedText(input['number'], /^[A-Za-z0-9]{3,64}$/);
  const bic = matchingText(input['bic'], /^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/);
  const country = matchingText(input['country'], /^[A-Z]{2}$/);
  return holder && number && bic && country ? { holder, number, bic, country } : undefined;
};
