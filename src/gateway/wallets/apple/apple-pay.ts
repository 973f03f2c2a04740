/** Opens the payment token of Apple Pay: versions EC_v1 and RSA_v1. */
import { currencyOfNumeric } from '../../../base/currencies.ts';
import type { ApplePaySettings } from '../settings.ts';
import { eciOf, fitting, jsonOf, type OpenedToken, refuse } from '../token.ts';
import { decrypted } from './decrypt.ts';
import { dataKeyOf, merchantIdHash, merchantKeyFor } from './merchant-key.ts';
import { appleRootCertificate } from './root-certificate.ts';
import { signingTimeOf } from './signature.ts';
import { type ApplePayload, applePayload, paymentDataIn } from './token.ts';

const MAX_AGE_MS = 5 * 60_000;

export type OpenedPayload = { payload: ApplePayload; transactionId: string; signingTime: number };

/**
 * Verifies and decrypts. `merchant` is the hash of the merchant's id. Throws `wallet.refused`; an old token is opened
 * all the same, since only its caller knows whether it is a repeat.
 */
export const openPaymentData = async (
  token: string,
  { keys, rootCertificates = [appleRootCertificate] }: ApplePaySettings,
  merchant: Buffer,
): Promise<OpenedPayload> => {
  const data = paymentDataIn(token);
  const signingTime = await signingTimeOf(data, rootCertificates);
  const key = merchantKeyFor(data.header.publicKeyHash, keys);
  const text = decrypted(data.data, () => dataKeyOf(data, key, merchant));
  const payload = fitting(applePayload, jsonOf(text, 'what it holds'), 'what it holds');
  return { payload, transactionId: data.header.transactionId.toLowerCase(), signingTime };
};

/** At `now`, wall time in ms. Throws `wallet.refused`. */
export const openApplePay = async (token: string, settings: ApplePaySettings, now: number): Promise<OpenedToken> => {
  const merchant = merchantIdHash(settings.merchantId);
  const { payload, transactionId, signingTime } = await openPaymentData(token, settings, merchant);
  if (payload.paymentDataType === 'EMV') {
    throw refuse('it holds EMV data, which no acquirer here takes: offer supports3DS alone to the wallet');
  }
  const { applicationExpirationDate: expiry, cardholderName: holder, currencyCode, transactionAmount } = payload;
  const currency = currencyOfNumeric(currencyCode);
  if (currency === undefined) throw refuse('its currency is none of ISO 4217');
  const eci = eciOf(payload.paymentData.eciIndicator);
  return {
    id: transactionId,
    card: {
      number: payload.applicationPrimaryAccountNumber,
      expiryMonth: expiry.slice(2, 4),
      expiryYear: `20${expiry.slice(0, 2)}`,
      ...(holder === undefined ? {} : { holder }),
    },
    cryptogram: payload.paymentData.onlinePaymentCryptogram,
    ...(eci === undefined ? {} : { eci }),
    amount: { minor: BigInt(transactionAmount), currency },
    ...staleness(signingTime, { now, maxAgeMs: settings.maxAgeMs ?? MAX_AGE_MS }),
  };
};

/** A signature of the future is as wrong as an old one: one of the two clocks is. */
export const staleness = (signingTime: number, { now, maxAgeMs }: { now: number; maxAgeMs: number }) => {
  const age = now - signingTime;
  if (age > maxAgeMs) return { stale: `it was signed more than ${maxAgeMs} ms ago` };
  return age < -maxAgeMs ? { stale: 'it was signed in the future: look at this machine’s clock' } : {};
};
