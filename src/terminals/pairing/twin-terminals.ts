/**
 * Two counters whose terminals report the same identity. A terminal that asks its bank itself is recognised by its
 * identity alone: a charge of one of them could be reversed by the other, for another customer.
 */
import { parseAddress } from '../../../drivers/address.ts';
import { asksBankAt } from '../../../drivers/registry.ts';
import type { TerminalInfo } from '../../../drivers/terminal.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { printable } from '../../base/mask.ts';
import type { Config } from '../../folder/config.ts';
import { deviceText } from '../paired-device.ts';

type TerminalIdentity = Pick<TerminalInfo, 'model' | 'serial'>;
/** The terminal that a counter sells on. */
type Place = { counter: string; address: string; device: TerminalIdentity | undefined };

const placesOf = ({ terminal, device, terminals = [] }: Pick<Config, 'terminal' | 'device' | 'terminals'>): Place[] =>
  [{ terminal, device }, ...terminals].flatMap((one, i) =>
    one.terminal === undefined ? [] : [{ counter: `T${i + 1}`, address: one.terminal, device: one.device }],
  );

/** Undefined for a card reader, which is never asked about a payment. */
const nameOf = (address: string, { model, serial }: TerminalIdentity): string | undefined =>
  isIntegrated(address)
    ? [parseAddress(address).driver, deviceText(model), deviceText(serial)].join(' ').trim()
    : undefined;

const nameAt = ({ address, device }: Place): string | undefined => device && nameOf(address, device);

const twinFault = (counter: string, other: string, { model, serial }: TerminalIdentity): Fault =>
  new Fault('terminal.twin', { counter, other, name: printable(`${model} ${serial}`.trim(), 60) });

/** Why this terminal cannot serve this counter beside the others. Undefined when it can. */
export const twinOf = (
  config: Config,
  at: { counter: string; address: string; info: TerminalIdentity },
): Fault | undefined => {
  const name = nameOf(at.address, at.info);
  const otherPlace = placesOf(config).find((place) => place.counter !== at.counter && nameAt(place) === name);
  return name === undefined || otherPlace === undefined
    ? undefined
    : twinFault(at.counter, otherPlace.counter, at.info);
};

/** The fault for the first counter whose paired terminal has the same identity as an earlier one. */
export const twinsIn = (config: Pick<Config, 'terminal' | 'device' | 'terminals'>): Fault | undefined => {
  const known = new Map<string, string>();
  for (const place of placesOf(config)) {
    const name = nameAt(place);
    if (name === undefined || place.device === undefined) continue;
    const otherPlace = known.get(name);
    if (otherPlace !== undefined) return twinFault(place.counter, otherPlace, place.device);
    known.set(name, place.counter);
  }
  return undefined;
};

/**
 * A terminal that asks its bank itself belongs to one till. It is left out of an imported configuration, and must be
 * paired here with a person's consent. Those already here stay.
 */
export const withoutOthersTerminals = (imported: Config, current: Config): Config => {
  const places = placesOf(current);
  const isOurs = (address: string, device: TerminalIdentity | undefined): boolean =>
    !isIntegrated(address) ||
    places.some((place) => place.address === address || (device && nameAt(place) === nameOf(address, device)));
  const { terminal, device, terminals, ...rest } = imported;
  const others = terminals?.filter((one) => isOurs(one.terminal, one.device)) ?? [];
  return {
    ...rest,
    ...(terminal !== undefined && isOurs(terminal, device) && { terminal, device }),
    terminals: others.length > 0 ? others : undefined,
  };
};

const isIntegrated = (address: string): boolean => {
  try {
    return asksBankAt(address);
  } catch (error) {
    // Whoever opens an invalid address gets the fault.
    if (isFault(error)) return false;
    throw error;
  }
};

/**
 * Which counter holds which identity while the till is running. The first counter paired with an identity keeps it; at
 * every other counter a terminal with that identity is refused when it is opened.
 */
export const namesOfCounters = (config: Config) => {
  const holders = new Map<string, string>();
  for (const place of placesOf(config)) {
    const name = nameAt(place);
    if (name !== undefined && !holders.has(name)) holders.set(name, place.counter);
  }
  return (counter: string, address: string, info: TerminalIdentity): Fault | undefined => {
    const name = nameOf(address, info);
    if (name === undefined) return undefined;
    const holder = holders.get(name) ?? counter;
    holders.set(name, holder);
    return holder === counter ? undefined : twinFault(counter, holder, info);
  };
};
