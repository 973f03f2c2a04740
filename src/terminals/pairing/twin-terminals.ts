/**
 * Two counters whose terminals name themselves alike. A terminal that asks its bank itself is told apart by its name
 * alone: what one of two with the same name charged might be taken back by the other, from another customer.
 */
import { parseAddress } from '../../../drivers/address.ts';
import { asksBankAt } from '../../../drivers/registry.ts';
import type { TerminalInfo } from '../../../drivers/terminal.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { printable } from '../../base/mask.ts';
import type { Config } from '../../folder/config.ts';
import { wordsOfDevice } from '../paired-device.ts';

type Named = Pick<TerminalInfo, 'model' | 'serial'>;
/** What a counter sells on. */
type Place = { counter: string; address: string; device: Named | undefined };

const placesOf = ({ terminal, device, terminals = [] }: Pick<Config, 'terminal' | 'device' | 'terminals'>): Place[] =>
  [{ terminal, device }, ...terminals].flatMap((one, at) =>
    one.terminal === undefined ? [] : [{ counter: `T${at + 1}`, address: one.terminal, device: one.device }],
  );

/** Undefined for a card reader, which is asked about no payment. */
const nameOf = (address: string, { model, serial }: Named): string | undefined =>
  isIntegrated(address)
    ? [parseAddress(address).driver, wordsOfDevice(model), wordsOfDevice(serial)].join(' ').trim()
    : undefined;

const nameAt = ({ address, device }: Place): string | undefined => device && nameOf(address, device);

const twin = (counter: string, other: string, { model, serial }: Named): Fault =>
  new Fault('terminal.twin', { counter, other, name: printable(`${model} ${serial}`.trim(), 60) });

/** Why this terminal cannot serve this counter beside the others; undefined where it can. */
export const twinOf = (config: Config, at: { counter: string; address: string; info: Named }): Fault | undefined => {
  const name = nameOf(at.address, at.info);
  const other = placesOf(config).find((place) => place.counter !== at.counter && nameAt(place) === name);
  return name === undefined || other === undefined ? undefined : twin(at.counter, other.counter, at.info);
};

/** The first counter of a configuration whose paired terminal names itself as an earlier one's. */
export const twinsIn = (config: Pick<Config, 'terminal' | 'device' | 'terminals'>): Fault | undefined => {
  const known = new Map<string, string>();
  for (const place of placesOf(config)) {
    const name = nameAt(place);
    if (name === undefined || place.device === undefined) continue;
    const other = known.get(name);
    if (other !== undefined) return twin(place.counter, other, place.device);
    known.set(name, place.counter);
  }
  return undefined;
};

/**
 * A terminal that asks its bank itself belongs to one till: of a configuration that is brought from another one it does
 * not come along, but is paired here with a yes. Those that are here already stay.
 */
export const withoutOthersTerminals = (brought: Config, here: Config): Config => {
  const places = placesOf(here);
  const isOurs = (address: string, device: Named | undefined): boolean =>
    !isIntegrated(address) ||
    places.some((place) => place.address === address || (device && nameAt(place) === nameOf(address, device)));
  const { terminal, device, terminals, ...rest } = brought;
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
    // An address that is none is refused by whoever opens it.
    if (isFault(error)) return false;
    throw error;
  }
};

/**
 * Who serves under which name while the till runs. The first counter that was paired with a name keeps it; at every
 * other one a terminal of that name is refused when it is opened.
 */
export const namesOfCounters = (config: Config) => {
  const holders = new Map<string, string>();
  for (const place of placesOf(config)) {
    const name = nameAt(place);
    if (name !== undefined && !holders.has(name)) holders.set(name, place.counter);
  }
  return (counter: string, address: string, info: Named): Fault | undefined => {
    const name = nameOf(address, info);
    if (name === undefined) return undefined;
    const holder = holders.get(name) ?? counter;
    holders.set(name, holder);
    return holder === counter ? undefined : twin(counter, holder, info);
  };
};
