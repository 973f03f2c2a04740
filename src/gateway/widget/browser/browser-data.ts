/** What 3-D Secure wants to know of the browser (EMV 3-D Secure 2.2, "Browser Information"; spec 2.10). */

import type { WidgetParameters } from './checkout.ts';
import { utcOffsetMinutes } from './clock.ts';

/** The bank's page takes the whole window. */
const FULL_SCREEN = '5';

/** The depths that the protocol knows; what lies between counts as the next lower one. */
const depths = [48, 32, 24, 16, 15, 8, 4, 1];

export const browserData = (): WidgetParameters => ({
  'customer.browser.acceptHeader': 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'customer.browser.language': navigator.language.slice(0, 8),
  'customer.browser.screenHeight': String(screen.height),
  'customer.browser.screenWidth': String(screen.width),
  'customer.browser.screenColorDepth': String(depths.find((depth) => depth <= screen.colorDepth) ?? 24),
  'customer.browser.timezone': String(utcOffsetMinutes()),
  'customer.browser.userAgent': navigator.userAgent.slice(0, 2048),
  'customer.browser.javaEnabled': 'false',
  'customer.browser.challengeWindow': FULL_SCREEN,
});
