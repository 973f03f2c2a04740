/**
 * The counters of a till: each has a terminal and one sale at a time, all with the same ledger, queue and line. The
 * first is the till's own; the others are in `terminals` of till.json.
 */
import { driverAt } from '../../drivers/registry.ts';
import { errorText, Fault, isFault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import { type Books, forTerminal } from '../books/books.ts';
import type { ClosingGate } from '../books/closing/gate.ts';
import type { BooksCounter } from '../books/port.ts';
import { openTerminalBooks, type TillBooksParts } from '../books/till-books.ts';
import type { Config } from '../folder/config.ts';
import type { SellingCounter } from '../selling/port.ts';
import { guardedBooks, guardedTill, refuseBlocked, type TillPlace } from '../takeover/till-place.ts';
import { type DeviceOptions, type Devices, openDevices } from '../terminals/devices.ts';
import type { ReportError } from '../terminals/log-states.ts';
import { namesOfCounters } from '../terminals/pairing/twin-terminals.ts';
import { withEvidence } from '../till/gateway/evidence.ts';
import type { KeptTerminal, TillParts } from '../till/ports.ts';
import { openTill, type Till } from '../till/till.ts';

export type TillCounter = SellingCounter & BooksCounter;

/** A counter's terminal, before a till is opened on it. */
export type CounterDevices = Pick<TillCounter, 'name' | 'terminalId' | 'device'> & Devices;

/** The first counter's terminal is at `address`, if any. Throws `terminal.unknown` for an invalid address. */
export const openCounterDevices = (
  options: DeviceOptions & { ids: Ids },
  { config, address }: { config: Config; address: string | undefined },
): NonEmpty<CounterDevices> => {
  const { terminalId, device, terminals = [] } = config;
  const { record: _, ...unrecorded } = options;
  const isPaired = address !== undefined && address === config.terminal;
  const placesOf = placesBy(
    new Map([['T1', address ?? ''], ...terminals.map((one, i) => [nameOf(i), one.terminal] as const)]),
  );
  const conflictWith = namesOfCounters(config);
  const first = openDevices(options, { config, address, places: placesOf('T1'), conflictWith });
  return [
    { name: 'T1', terminalId, device: isPaired ? device : undefined, ...first },
    ...terminals.map((one, i) => ({
      name: nameOf(i),
      terminalId: one.terminalId,
      device: one.device,
      ...openDevices(unrecorded, {
        name: nameOf(i),
        places: placesOf(nameOf(i)),
        conflictWith,
        config: { terminal: one.terminal, device: one.device },
        address: terminalAddress(one.terminal),
        of: one.terminalId,
      }),
    })),
  ];
};

/** The name of a counter after the first. */
const nameOf = (at: number): string => `T${at + 2}`;

/** The present address of each terminal: a terminal plugged in elsewhere is not looked for at another one's address. */
const placesBy = (at: Map<string, string>) => (name: string) => ({
  addressesOfOthers: (): string[] => [...at].flatMap(([other, address]) => (other === name ? [] : [address])),
  setAddress: (address: string): void => void at.set(name, address),
});

/** A list that always contains the first counter. */
export type NonEmpty<T> = readonly [T, ...T[]];

type ReportParts = { report: ReportError };

/** A till at each terminal. A recovery at one counter does not touch what runs at another. */
export const openTills = (
  {
    report,
    ...common
  }: Omit<TillParts, 'terminals' | 'integrated' | 'terminalId' | 'underWay' | 'report'> & ReportParts,
  devices: NonEmpty<CounterDevices>,
  { place, gate }: { place: TillPlace; gate: ClosingGate },
) => {
  const underWay = new Set<string>();
  return mapNonEmpty(devices, (of) => {
    const { name, terminals, integrated, terminalId } = of;
    const counterParts = { terminals, integrated, terminalId, underWay };
    const parts = withEvidence({ ...common, ...counterParts, report: (error) => report(error, name) });
    return { of, parts, till: gate.trackSales(guardedTill(openTill(parts), place), terminalId) };
  });
};

const mapNonEmpty = <T, R>([first, ...more]: NonEmpty<T>, make: (one: T) => R): NonEmpty<R> => [
  make(first),
  ...more.map(make),
];

type OpenedTill = ReturnType<typeof openTills>[number];

/** The same as the first till, but its recovery asks every terminal about unfinished sales. */
export const createCombinedTill = (first: Till, tills: readonly { till: Till }[]): Till => ({
  ...first,
  async settleAtTerminal() {
    const requests = await Promise.allSettled(tills.map(({ till }) => till.settleAtTerminal()));
    const failed = requests.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return requests.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  },
});

export const countersOf = (
  tills: NonEmpty<OpenedTill>,
  { place, ...service }: Omit<TillBooksParts, 'books' | 'integrated'> & { books: Books; place: TillPlace },
): NonEmpty<TillCounter> => {
  // Sales under a terminal id that is no longer in use belong to the first counter.
  const integratedOf = (terminalId: string) =>
    (tills.find(({ of }) => of.terminalId === terminalId) ?? tills[0]).of.integrated;
  return mapNonEmpty(tills, ({ of, till }) => ({
    name: of.name,
    terminalId: of.terminalId,
    device: of.device,
    integrated: of.integrated !== undefined,
    till,
    // The first counter's books include those of former terminals; callers that know only one terminal use these.
    books: guardedBooks(
      openTerminalBooks({
        ...service,
        integratedOf,
        books: of.name === 'T1' ? service.books : forTerminal(service.books, of.terminalId),
      }),
      place,
    ),
    presence: of.presence,
    async ready() {
      // The machine that the folder belongs to may be selling on this terminal.
      if (place.binding === 'elsewhere') refuseBlocked(place);
      await ready(of.integrated ?? of.terminals);
    },
  }));
};

/** Nothing can have been charged before a sale, whatever the terminal does. */
const ready = async (terminals: KeptTerminal<unknown>): Promise<void> => {
  try {
    await terminals.get();
  } catch (error) {
    await terminals.drop();
    if (isFault(error) && error.remedy !== 'inquire') throw error;
    throw new Fault('terminal.unready', { why: errorText(error) }, error);
  }
};

/**
 * An impossible address is refused before anything is opened. A missing protocol is reported when the terminal is
 * needed. Throws `terminal.unknown`.
 */
export const terminalAddress = (address: string | undefined): string | undefined => {
  if (address !== undefined) driverAt(address);
  return address;
};
