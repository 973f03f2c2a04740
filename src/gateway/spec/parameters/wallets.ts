/** Spec 2.6: wallets, by the provider's token (to be decrypted here) or with the card that the merchant decrypted. */
import { oneOf, text, UNSTATED } from './kinds.ts';
import { section } from './section.ts';

/** As long as a whole encrypted payment with its certificates may become. */
const TOKEN: readonly [number, number] = [1, 16_384];

const token = (says: string, example: string) => text(TOKEN, says, { secret: 'account', example, req: 'C' });
const source = (example: 'web' | 'app') =>
  oneOf(['web', 'app'], 'Where the merchant got the card that it decrypted.', { example, req: 'C', echo: true });

/**
 * Wallet A of the spec is Apple Pay, B Google Pay, C Samsung Pay. Each token is required on the token way only and each
 * source on the decrypted way only, so both are conditional.
 */
export const wallets = {
  ...section('applePay', {
    paymentToken: token('The token’s paymentData, as the device gave it.', '{"version":"EC_v1","data":"gQFB"}'),
    cardNetwork: text(UNSTATED, 'token.paymentMethod.network.', { example: 'Visa', echo: true }),
    cardType: text(UNSTATED, 'token.paymentMethod.type.', { example: 'debit', echo: true }),
    source: source('web'),
  }),
  ...section('googlePay', {
    paymentToken: token('The token, as the device gave it.', '{"protocolVersion":"ECv2","signature":"MEUC"}'),
    source: source('app'),
  }),
  ...section('samsungPay', {
    paymentToken: token('The token, as the device gave it.', 'eyJhbGciOiJSU0ExXzUifQ.eyJhbW91bnQiOiIxMDAifQ'),
    source: source('app'),
  }),
};
