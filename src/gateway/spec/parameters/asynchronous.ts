/** Spec 2.31, request rows: where the shopper comes back to. Such addresses often carry a session of the shop. */
import { url } from './kinds.ts';
import { section } from './section.ts';

const BOUNDS: readonly [number, number] = [6, 2048];

export const asynchronous = section('', {
  shopperResultUrl: url(BOUNDS, 'Where the shopper returns to; a page or an app.', {
    of: 'any',
    secret: 'personal',
    example: 'https://shop.example.com/paid',
    req: 'C',
  }),
  notificationUrl: url(BOUNDS, 'Deprecated: webhooks take its place.', {
    of: 'web',
    secret: 'personal',
    example: 'https://shop.example.com/notify',
  }),
});
