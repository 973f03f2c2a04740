/**
 * A simulated terminal at a place where a till can find it: a TCP port, or a pseudo terminal that looks like a serial
 * port.
 */
import { createHash } from 'node:crypto';
import type { Link } from '../links/link.ts';
import { listenTcp } from '../links/tcp.ts';
import { wallet } from './card.ts';
import type { Dialects } from './dialect.ts';
import { keySlots } from './key-slots.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';

/** A protocol's simulator: `mpiSimulator`. */
export type Model = ((link: Link, options: SimulatorOptions) => Simulator) & {
  /** Several registers may hold a connection to it at a time; else a new connection ends the one before. */
  readonly several?: true;
  /** What it can play. */
  readonly dialects?: Dialects;
};

export type Station = {
  /** The address a till uses, without the driver's name: `tcp://127.0.0.1:7000`, `serial:/run/shop/terminal`. */
  at: string;
  close(): Promise<void>;
};

/**
 * Keys and cards outlive a connection, as those of a device do. Each place has a device of its own: with its own serial
 * number, the same one whenever it is started there.
 */
const lasting = (options: SimulatorOptions, place: string): SimulatorOptions => ({
  ...options,
  keys: options.keys ?? keySlots({ random: options.random }),
  wallet: options.wallet ?? wallet(),
  config: { serial: serialAt(place), ...options.config },
});

/** Eight digits: 17 and six that the place gives, such as its port. */
const serialAt = (place: string): string => {
  if (/^\d{1,6}$/.test(place)) return `17${place.padStart(6, '0')}`;
  const hash = createHash('sha256').update(place).digest().readUInt32BE(0);
  return `17${(hash % 1_000_000).toString().padStart(6, '0')}`;
};

/** More registers than this at one device: the first one's connection ends. */
const connectionsMost = 8;

/** Listens on this machine; port 0 takes a free one. Throws `link.unavailable`. */
export const simulateOnTcp = async (model: Model, port: number, options: SimulatorOptions): Promise<Station> => {
  const devices: Simulator[] = [];
  let kept = options;
  const accept = (link: Link): void => {
    devices.push(model(link, kept));
    const most = model.several ? connectionsMost : 1;
    // Never rejects: closing a link does not.
    while (devices.length > most) void devices.shift()?.close();
  };
  const server = await listenTcp({ port, clock: options.clock, accept });
  kept = lasting(options, String(server.port));
  return {
    at: `tcp://127.0.0.1:${server.port}`,
    async close() {
      for (const device of devices) await device.close();
      await server.close();
    },
  };
};

/** Opens a pseudo terminal, reachable by this path when one is given. Throws `link.unavailable`. */
export const simulateOnPty = async (
  model: Model,
  path: string | undefined,
  options: SimulatorOptions,
): Promise<Station> => {
  // Its native part is loaded by nobody who sells.
  const { openPty } = await import('../links/pty.ts');
  const pty = openPty(path === undefined ? {} : { at: path });
  const device = model(pty.link, lasting(options, pty.path));
  return { at: `serial:${pty.path}`, close: () => device.close() };
};
