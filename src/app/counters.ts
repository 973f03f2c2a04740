/**
 * The counters of a till: each has a terminal and one sale at a time of its own, over one ledger, one queue and one
 * line. The first is the till's own; the others stand in `terminals` of till.json.
 */
import { driverAt } from '../../drivers/registry.ts';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import { type Books, forTerminal } from '../books/books.ts';
import type { ClosingGate } from '../books/closing/gate.ts';
import type { BooksCounter } from '../books/port.ts';
import { openTerminalBooks, type TillBooksParts } from '../books/till-books.ts';
import type { Config } from '../folder/config.ts';
import type { SellingCounter } from '../selling/port.ts';
import { heldBooks, heldTill, refuseHeld, type TillPlace } from '../takeover/till-place.ts';
import { type DeviceOptions, type Devices, openDevices } from '../terminals/devices.ts';
import type { ReportError } from '../terminals/log-states.ts';
import { namesOfCounters } from '../terminals/pairing/twin-terminals.ts';
import { withEvidence } from '../till/gateway/evidence.ts';
import type { Kept, TillParts } from '../till/ports.ts';
import { openTill, type Till } from '../till/till.ts';

/** A counter with its terminal, its till, and the books of that terminal. */
export type TillCounter = SellingCounter & BooksCounter;

/** A counter's terminal, before there is a till over it. */
export type CounterDevices = Pick<TillCounter, 'name' | 'terminalId' | 'device'> & Devices;

/** The first counter's terminal is at `address`, or nowhere. Throws `terminal.unknown` for an address that is none. */
export const openCounterDevices = (
  options: DeviceOptions & { ids: Ids },
  { config, address }: { config: Config; address: string | undefined },
): Several<CounterDevices> => {
  const { terminalId, device, terminals = [] } = config;
  const { record: _, ...unrecorded } = options;
  const isPaired = address !== undefined && address === config.terminal;
  const placesOf = placesBy(
    new Map([['T1', address ?? ''], ...terminals.map((one, at) => [nameOf(at), one.terminal] as const)]),
  );
  const claim = namesOfCounters(config);
  const first = openDevices(options, { config, address, places: placesOf('T1'), claim });
  return [
    { name: 'T1', terminalId, device: isPaired ? device : undefined, ...first },
    ...terminals.map((one, at) => ({
      name: nameOf(at),
      terminalId: one.terminalId,
      device: one.device,
      ...openDevices(unrecorded, {
        name: nameOf(at),
        places: placesOf(nameOf(at)),
        claim,
        config: { terminal: one.terminal, device: one.device },
        address: terminalAddress(one.terminal),
        of: one.terminalId,
      }),
    })),
  ];
};

/** Of those beside the first. */
const nameOf = (at: number): string => `T${at + 2}`;

/** Where each terminal is now: one that was plugged in elsewhere is looked for at no other one's place. */
const placesBy = (at: Map<string, string>) => (name: string) => ({
  taken: (): string[] => [...at].flatMap(([other, address]) => (other === name ? [] : [address])),
  moved: (address: string): void => void at.set(name, address),
});

/** The first counter is always there. */
export type Several<T> = readonly [T, ...T[]];

type Reporting = { report: ReportError };

/** A till at each terminal. A recovery at one counter leaves alone what runs at another. */
export const openTills = (
  { report, ...common }: Omit<TillParts, 'terminals' | 'integrated' | 'terminalId' | 'underWay' | 'report'> & Reporting,
  devices: Several<CounterDevices>,
  { place, gate }: { place: TillPlace; gate: ClosingGate },
) => {
  const underWay = new Set<string>();
  return each(devices, (of) => {
    const { name, terminals, integrated, terminalId } = of;
    const here = { terminals, integrated, terminalId, underWay };
    const parts = withEvidence({ ...common, ...here, report: (error) => report(error, name) });
    return { of, parts, till: gate.watched(heldTill(openTill(parts), place), terminalId) };
  });
};

const each = <T, R>([first, ...more]: Several<T>, make: (one: T) => R): Several<R> => [make(first), ...more.map(make)];

type OpenedTill = ReturnType<typeof openTills>[number];

/** As the first, but what terminals left open is asked for at each of them. */
export const tillOfAll = (first: Till, tills: readonly { till: Till }[]): Till => ({
  ...first,
  async settleAtTerminal() {
    const asked = await Promise.allSettled(tills.map(({ till }) => till.settleAtTerminal()));
    const failed = asked.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  },
});

/** The counters, each with the books of its terminal. */
export const countersOf = (
  tills: Several<OpenedTill>,
  { place, ...service }: Omit<TillBooksParts, 'books' | 'integrated'> & { books: Books; place: TillPlace },
): Several<TillCounter> => {
  // What was sold under a number that is nobody's any more was sold at the first.
  const integratedOf = (terminalId: string) =>
    (tills.find(({ of }) => of.terminalId === terminalId) ?? tills[0]).of.integrated;
  return each(tills, ({ of, till }) => ({
    name: of.name,
    terminalId: of.terminalId,
    device: of.device,
    integrated: of.integrated !== undefined,
    till,
    // The first has what terminals left behind that are no more, and is asked by whoever knows of one terminal only.
    books: heldBooks(
      openTerminalBooks({
        ...service,
        integratedOf,
        books: of.name === 'T1' ? service.books : forTerminal(service.books, of.terminalId),
      }),
      place,
    ),
    presence: of.presence,
    async ready() {
      // The machine that the folder belongs to may be selling on it.
      if (place.binding === 'elsewhere') refuseHeld(place);
      await ready(of.integrated ?? of.terminals);
    },
  }));
};

/** Before a sale nothing can have been charged, whatever the terminal does. */
const ready = async (terminals: Kept<unknown>): Promise<void> => {
  try {
    await terminals.get();
  } catch (error) {
    await terminals.drop();
    if (isFault(error) && error.remedy !== 'inquire') throw error;
    throw new Fault('terminal.unready', { why: wordsOf(error) }, error);
  }
};

/**
 * An address that cannot be one is refused before anything is opened. One without its protocol is told of when the
 * terminal is wanted. Throws `terminal.unknown`.
 */
export const terminalAddress = (address: string | undefined): string | undefined => {
  if (address !== undefined) driverAt(address);
  return address;
};
