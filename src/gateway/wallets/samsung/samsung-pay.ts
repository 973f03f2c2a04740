/** Opens the payment credential of Samsung Pay: a JWE, alone or in the JSON of the wallet, perhaps inside a JWS. */
import * as z from 'zod';
import { currencyRow } from '../../../base/money.ts';
import { privateKeyOf } from '../agreement.ts';
import type { SamsungPaySettings } from '../settings.ts';
import {
  accountNumber,
  base64,
  eciOf,
  fitting,
  jsonOf,
  milliseconds,
  type OpenedToken,
  refuse,
  text,
} from '../token.ts';
import { compactIn, decrypted, verified } from './jose.ts';

/** `S`: a single payment. */
const threeDS = z.object({ type: z.literal('S'), version: text, data: text });

/** What the wallet hands out, as far as it is looked at. */
export const samsungCredential = z.object({ method: z.literal('3DS').optional(), '3DS': threeDS });

const payload = z.object({
  /** Minor units. */
  amount: z.string().regex(/^\d{1,12}$/),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  /** When it was made, wall time in ms. */
  utc: milliseconds,
  eci_indicator: z.string().optional(),
  tokenPAN: accountNumber,
  /** MMYY */
  tokenPanExpiration: z.string().regex(/^(0[1-9]|1[0-2])\d{2}$/),
  cryptogram: base64,
});

/** Throws `wallet.refused`. */
export const openSamsungPay = (token: string, { privateKeys, signingKeys = [] }: SamsungPaySettings): OpenedToken => {
  const compact = compactIn(dataIn(token));
  const isSigned = 'payload' in compact;
  if (!isSigned && signingKeys.length > 0) throw refuse('it is not signed, and this channel takes only signed ones');
  const sealed = isSigned ? compactIn(verified(compact, signingKeys)) : compact;
  if ('payload' in sealed) throw refuse('what was signed is not encrypted');
  const what = 'what it holds';
  const paid = fitting(payload, jsonOf(decrypted(sealed, privateKeys.map(privateKeyOf)), what), what);
  if (currencyRow(paid.currency_code) === undefined) throw refuse('its currency is none of ISO 4217');
  const eci = eciOf(paid.eci_indicator);
  const { tokenPAN: number, tokenPanExpiration: expiry, cryptogram } = paid;
  return {
    // A credential has no number of its own. Its cryptogram is made once, for one number.
    id: `${number} ${cryptogram} ${paid.utc}`,
    card: { number, expiryMonth: expiry.slice(0, 2), expiryYear: `20${expiry.slice(2)}` },
    cryptogram,
    ...(eci === undefined ? {} : { eci }),
    amount: { minor: BigInt(paid.amount), currency: paid.currency_code },
  };
};

/** The compact text, by itself or under 3DS.data. */
const dataIn = (token: string): string => {
  if (!token.trimStart().startsWith('{')) return token.trim();
  return fitting(samsungCredential, jsonOf(token, 'it'), 'it')['3DS'].data;
};
