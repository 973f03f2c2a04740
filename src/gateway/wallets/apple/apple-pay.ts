/** Opens the payment token of Apple Pay, versions EC_v1 and RSA_v1, and decrypts its data. */
import { createDecipheriv } from 'node:crypto';
import { currencyOfNumeric } from '../../../base/money.ts';
import { type OpenedToken, refuse } from '../opened-token.ts';
import type { ApplePaySettings } from '../settings.ts';
import { eciOf, orRefuse, parseJson, parseShape } from '../token.ts';
import { signingTimeOf } from './signature.ts';
import { type ApplePayload, applePayload, dataKeyOf, merchantIdHash, merchantKeyFor, paymentDataIn } from './token.ts';

const MAX_AGE_MS = 5 * 60_000;

export type OpenedPayload = { payload: ApplePayload; transactionId: string; signingTime: number };

/**
 * Verifies and decrypts. `merchant` is the hash of the merchant's id. Throws `wallet.refused`; an old token is still
 * opened, because only the caller knows whether it is a repeat.
 */
export const openPaymentData = async (
  token: string,
  { keys, rootCertificates = [appleRootCertificate] }: ApplePaySettings,
  merchant: Buffer,
): Promise<OpenedPayload> => {
  const data = paymentDataIn(token);
  const signingTime = await signingTimeOf(data, rootCertificates);
  const key = merchantKeyFor(data.header.publicKeyHash, keys);
  const text = decrypt(data.data, () => dataKeyOf(data, key, merchant));
  const payload = parseShape(applePayload, parseJson(text, 'what it holds'), 'what it holds');
  return { payload, transactionId: data.header.transactionId.toLowerCase(), signingTime };
};

/** At `now`, wall time in ms. Throws `wallet.refused`. */
export const openApplePay = async (token: string, settings: ApplePaySettings, now: number): Promise<OpenedToken> => {
  const merchant = merchantIdHash(settings.merchantId);
  const { payload, transactionId, signingTime } = await openPaymentData(token, settings, merchant);
  if (payload.paymentDataType === 'EMV') {
    throw refuse('it holds EMV data, which no acquirer here accepts: offer only supports3DS to the wallet');
  }
  const { applicationExpirationDate: expiry, cardholderName: holder, currencyCode, transactionAmount } = payload;
  const currency = currencyOfNumeric(currencyCode);
  if (currency === undefined) throw refuse('its currency is not in ISO 4217');
  const eci = eciOf(payload.paymentData.eciIndicator);
  return {
    id: transactionId,
    card: {
      number: payload.applicationPrimaryAccountNumber,
      expiryMonth: expiry.slice(2, 4),
      expiryYear: `20${expiry.slice(0, 2)}`,
      holder,
    },
    cryptogram: payload.paymentData.onlinePaymentCryptogram,
    eci,
    amount: { minor: BigInt(transactionAmount), currency },
    stale: staleReason(signingTime, { now, maxAgeMs: settings.maxAgeMs ?? MAX_AGE_MS }),
  };
};

/** A signature from the future is as wrong as an old one: one of the two clocks is wrong. */
export const staleReason = (signingTime: number, { now, maxAgeMs }: { now: number; maxAgeMs: number }) => {
  const age = now - signingTime;
  if (age > maxAgeMs) return `it was signed more than ${maxAgeMs} ms ago`;
  return age < -maxAgeMs ? 'it was signed in the future: check this machine’s clock' : undefined;
};

/**
 * Apple Root CA - G3, the root of every payment token's chain:
 * https://www.apple.com/certificateauthority/AppleRootCA-G3.cer Its SHA-256 fingerprint is
 * 63343ABFB89A6A03EBB57E9B3F5FA7BE7C4F5C756F3017B3A8C488C3653E9179; it expires on 2039-04-30.
 */
export const appleRootCertificate = `-----BEGIN CERTIFICATE-----
MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
6BgD56KyKA==
-----END CERTIFICATE-----
`;

// Decrypts the data of a token: AES in Galois/Counter Mode with an IV of zeros, because every key is used once.

const TAG_BYTES = 16;
const IV = new Uint8Array(16);

/** Keys of 32 bytes for EC_v1, of 16 for RSA_v1; the tag is at the end of the data. Throws if authentication fails. */
export const decryptData = (key: Buffer, data: Buffer): Buffer => {
  const cipher = key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
  const end = data.length - TAG_BYTES;
  if (end <= 0) throw new RangeError('too short');
  const decipher = createDecipheriv(cipher, key, IV, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(data.subarray(end));
  return Buffer.concat([decipher.update(data.subarray(0, end)), decipher.final()]);
};

/** The same message for every failure. Throws `wallet.refused`. */
export const decrypt = (data: string, keyOf: () => Buffer): string =>
  orRefuse('it cannot be decrypted with this channel’s key', () =>
    decryptData(keyOf(), Buffer.from(data, 'base64')).toString('utf8'),
  );
