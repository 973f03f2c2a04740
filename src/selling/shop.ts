/** What the screens show about the shop. */
import type { ShopFacts } from '../api/contract/session.ts';
import type { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { currencyRow } from '../base/money.ts';
import type { Config } from '../folder/config.ts';
import type { PlacedTill } from '../takeover/till-on-machine.ts';
import { blockedBy } from '../takeover/till-place.ts';

type Program = {
  version: string;
  mode: DisplayMode;
  held?: Fault | undefined;
  /** Payments use plain http to an address that was in use before a manager had to allow it. */
  plainUsed?: boolean;
};

const heldWords: Partial<Readonly<Record<Fault['code'], ShopFacts['held']>>> = {
  'machine.other': 'other',
  'machine.behind': 'behind',
};

/** What the screens show about the machine that the till is on, and about its connection to the gateway. */
export const placeFacts = (place: PlacedTill): Pick<Program, 'held' | 'plainUsed'> => ({
  held: blockedBy(place),
  plainUsed: place.plain.state()?.permission.state === 'usedBefore',
});

/** The time zone in which the screens show and search days. */
export const timeZoneOf = ({ businessDay }: Pick<Config, 'businessDay'>): string =>
  businessDay?.timeZone ?? new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

export const shopFacts = (
  { merchant, terminalId, currency, businessDay, screens }: Config,
  { version, mode, held, plainUsed = false }: Program,
): ShopFacts => ({
  name: merchant.name,
  terminalId,
  currency,
  exponent: currencyRow(currency)?.exponent ?? 2,
  timeZone: timeZoneOf({ businessDay }),
  language: screens?.language ?? 'en',
  tipPercents: screens?.tipPercents ?? [5, 10, 15, 20],
  version,
  mode,
  held: held && (heldWords[held.code] ?? 'plain'),
  plainUsed: plainUsed || undefined,
});
