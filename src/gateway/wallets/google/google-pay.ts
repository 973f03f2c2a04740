/** Opens the payment method token of Google Pay: protocol versions ECv1, ECv2 and ECv2SigningOnly. */
import { privateKeyOf } from '../agreement.ts';
import type { GooglePaySettings } from '../settings.ts';
import { eciOf, fitting, jsonOf, type OpenedToken, refuse } from '../token.ts';
import { decrypted } from './decrypt.ts';
import { rootKeysOf } from './root-keys.ts';
import { checkSignature } from './signature.ts';
import { type GooglePayload, googlePayload, googleToken, sealedMessage } from './token.ts';

/** The message that Google signed for this recipient, in clear. `now` is wall time, ms. Throws `wallet.refused`. */
export const messageIn = (text: string, settings: GooglePaySettings, now: number): string => {
  const token = fitting(googleToken, jsonOf(text, 'it'), 'it');
  const { recipientId } = settings;
  checkSignature(token, { recipientId, rootKeys: rootKeysOf(settings), now });
  // Signed and not encrypted: the message is what it says.
  if (token.protocolVersion === 'ECv2SigningOnly') return token.signedMessage;
  const sealed = fitting(sealedMessage, jsonOf(token.signedMessage, 'its signedMessage'), 'its signedMessage');
  return decrypted(sealed, token.protocolVersion, settings.privateKeys.map(privateKeyOf));
};

/** At `now`, wall time in ms. Throws `wallet.refused`. */
export const openGooglePay = (text: string, settings: GooglePaySettings, now: number): OpenedToken => {
  const what = 'what it holds';
  const payload = fitting(googlePayload, jsonOf(messageIn(text, settings, now), what), what);
  const { gatewayMerchantId } = settings;
  if (gatewayMerchantId !== undefined && payload.gatewayMerchantId !== gatewayMerchantId) {
    throw refuse('it is for another merchant of this gateway: its gatewayMerchantId is not the channel’s');
  }
  return {
    id: payload.messageId,
    ...cardOf(payload),
    ...(Number(payload.messageExpiration) <= now ? { stale: 'its messageExpiration has passed' } : {}),
  };
};

const cardOf = (payload: GooglePayload): Pick<OpenedToken, 'card' | 'cryptogram' | 'eci'> => {
  const { expirationMonth, expirationYear } = payload.paymentMethodDetails;
  const expiry = { expiryMonth: String(expirationMonth).padStart(2, '0'), expiryYear: String(expirationYear) };
  if (payload.paymentMethod === 'TOKENIZED_CARD') {
    const { dpan, '3dsCryptogram': cryptogram, '3dsEciIndicator': eci } = payload.paymentMethodDetails;
    return { card: { number: dpan, ...expiry }, ...proofOf(cryptogram, eci) };
  }
  const { pan, authMethod = 'PAN_ONLY', cryptogram, eciIndicator } = payload.paymentMethodDetails;
  const proof = authMethod === 'PAN_ONLY' ? {} : proofOf(cryptogram, eciIndicator);
  return { card: { number: pan, ...expiry }, ...proof };
};

/** Of a card that is in the device: without its cryptogram it would pass for a card that the shopper typed in. */
const proofOf = (cryptogram: string | undefined, given: string | undefined) => {
  if (cryptogram === undefined) throw refuse('its card is the device’s, and there is no cryptogram with it');
  const eci = eciOf(given);
  return { cryptogram, ...(eci === undefined ? {} : { eci }) };
};
