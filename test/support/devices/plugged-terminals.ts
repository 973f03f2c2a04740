/** Terminals without hardware: simulated devices behind fictitious ports, opened by the drivers like real ones. */
import { parseAddress, printAddress } from '../../../drivers/address.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import { driverOf, type OpenTerminal, type OpenTools } from '../../../drivers/registry.ts';
import type { SimulatorOptions } from '../../../drivers/simulation/simulator.ts';
import { zvtSimulator } from '../../../drivers/zvt/simulator/simulator.ts';
import { Fault } from '../../../src/base/fault.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { dice } from '../chance/dice.ts';
import type { VirtualClock } from '../time/virtual-clock.ts';
import { memoryLinks } from './memory-link.ts';

/** The device at a port: it gets its end of the link at each opening. */
export type Device = (link: Link) => void;

/** Accepts everything and says nothing. */
export const mute: Device = (link) => link.listen({ bytes: () => {}, closed: () => {} });

/** Answers everything with bytes that are not a message of any protocol. */
export const babble: Device = (link) =>
  link.listen({ bytes: () => void link.write(new Uint8Array(3_000).fill(0x55)).catch(() => {}), closed: () => {} });

/** An MPI terminal with this serial number. */
export const mpiDevice = (
  clock: VirtualClock,
  serial = '17000001',
  { config, ...overrides }: Partial<SimulatorOptions> = {},
): Device => {
  const { random } = dice(1);
  const cardholder = () => ({ card: testCard('visa-no-cvm'), by: 'chip' as const, never: true });
  return (link) => void mpiSimulator(link, { clock, random, cardholder, config: { serial, ...config }, ...overrides });
};

/** A ZVT terminal with this serial number. */
export const zvtDevice = (
  clock: VirtualClock,
  serial = '18000001',
  overrides: Partial<SimulatorOptions> = {},
): Device => {
  const { random } = dice(1);
  const cardholder = () => ({ card: testCard('visa-no-cvm'), by: 'chip' as const, never: true });
  return (link) => void zvtSimulator(link, { clock, random, cardholder, config: { serial }, ...overrides });
};

/** Ports by their place, `serial:/dev/ttyACM0`. A place without a device cannot be opened. */
export const pluggedTerminals = (devices: Record<string, Device>) => {
  const opened: string[] = [];
  const openCount = new Map<string, number>();
  let sideBySide = 0;
  return {
    devices,
    /** Addresses in the order of their opening. */
    opened,
    /** Links that were not closed. */
    left: () => [...openCount].filter(([, count]) => count > 0).map(([place]) => place),
    /** The most links open at one port at once. */
    mostAtOnce: () => sideBySide,
    async open(address: string, tools: OpenTools): Promise<OpenTerminal> {
      opened.push(address);
      const place = printAddress(parseAddress(address)).replace(/^[a-z0-9]+\+/, '');
      const device = devices[place];
      if (device === undefined) throw new Fault('link.unavailable', { port: place, why: 'nothing is plugged in' });
      const [tillEnd, deviceEnd] = memoryLinks();
      device(deviceEnd);
      const count = (by: number) => openCount.set(place, (openCount.get(place) ?? 0) + by);
      count(1);
      sideBySide = Math.max(sideBySide, openCount.get(place) ?? 0);
      let closed = false;
      const till: Link = {
        ...tillEnd,
        close() {
          if (!closed) count(-1);
          closed = true;
          return tillEnd.close();
        },
      };
      const driver = driverOf(parseAddress(address).driver);
      const link = tools.wrap?.(till, driver) ?? till;
      return driver.kind === 'reader'
        ? { kind: 'reader', terminal: await driver.open(link, tools) }
        : { kind: 'integrated', terminal: await driver.open(link, tools) };
    },
  };
};
