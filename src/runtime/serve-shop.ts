/** What the screens say of the shop. */

import type { ShopFacts } from '../api/ports/session.ts';
import { currencyRow } from '../base/currencies.ts';
import type { Fault } from '../base/fault.ts';
import type { ShownMode } from '../base/mode.ts';
import type { Config } from './config.ts';

type Program = { version: string; mode: ShownMode; held?: Fault | undefined };

export const shopFacts = (
  { merchant, terminalId, currency, businessDay, screens }: Config,
  { version, mode, held }: Program,
): ShopFacts => ({
  name: merchant.name,
  terminalId,
  currency,
  exponent: currencyRow(currency)?.exponent ?? 2,
  timeZone: businessDay?.timeZone ?? new Intl.DateTimeFormat('en').resolvedOptions().timeZone,
  language: screens?.language ?? 'en',
  tipPercents: screens?.tipPercents ?? [5, 10, 15, 20],
  version,
  mode,
  ...(held && { held: held.code === 'machine.other' ? ('other' as const) : ('behind' as const) }),
});
