/** Spec 2.27: what the risk checks should know beyond the payment. */
import { amt, dateTime, freeKey, text } from './kinds.ts';
import { section } from './section.ts';

export const risk = section('risk', {
  channelId: text([1, 255], 'Risk channel for this request.', { example: '000000000042', echo: true }),
  serviceId: text([1, 255], 'Which service screens it.', { example: 'S', echo: true }),
  amount: amt('The amount for risk checks and 3D Secure.', { example: '12.50', echo: true }),
  orderTimestamp: dateTime('When it was ordered; now if absent.', { example: '2026-11-21 10:55:00', echo: true }),
  brand: text([1, 255], 'Brand for risk checks; paymentBrand if absent.', { example: 'VISA', echo: true }),
  'parameters[key]': text([1, 2048], 'Free names and values for the risk checks.', {
    secret: 'personal',
    example: 'regular',
    echo: true,
    key: freeKey,
  }),
  merchantWebsite: text([1, 60], 'Website of the merchant.', { example: 'shop.example.com', echo: true }),
  accountToken: text([1, 64], 'Token of the account.', { secret: 'account', example: 'a9f1c8e2d4b74f0d' }),
});
