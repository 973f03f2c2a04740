/**
 * A simulated terminal at a place where a till can find it: a TCP port, or a pseudo terminal that looks like a serial
 * port.
 */
import type { Link } from '../links/link.ts';
import { openPty } from '../links/pty.ts';
import { listenTcp } from '../links/tcp.ts';
import { keySlots } from './key-slots.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';
import { wallet } from './wallet.ts';

/** A protocol's simulator: `mpiSimulator`. */
export type Model = (link: Link, options: SimulatorOptions) => Simulator;

export type Station = {
  /** The address a till uses, without the driver's name: `tcp://127.0.0.1:7000`, `serial:/run/shop/terminal`. */
  at: string;
  close(): Promise<void>;
};

/** Keys and cards outlive a connection, as those of a device do. */
const lasting = (options: SimulatorOptions): SimulatorOptions => ({
  ...options,
  keys: options.keys ?? keySlots({ random: options.random }),
  wallet: options.wallet ?? wallet(),
});

/**
 * Listens on this machine; port 0 takes a free one. A new connection ends the one before. Throws `link.unavailable`.
 */
export const simulateOnTcp = async (model: Model, port: number, options: SimulatorOptions): Promise<Station> => {
  const kept = lasting(options);
  let device: Simulator | undefined;
  const accept = (link: Link): void => {
    const before = device;
    device = model(link, kept);
    // Never rejects: closing a link does not.
    void before?.close();
  };
  const server = await listenTcp({ port, clock: options.clock, accept });
  return {
    at: `tcp://127.0.0.1:${server.port}`,
    async close() {
      await device?.close();
      await server.close();
    },
  };
};

/** Opens a pseudo terminal, reachable by this path when one is given. Throws `link.unavailable`. */
export const simulateOnPty = (model: Model, path: string | undefined, options: SimulatorOptions): Station => {
  const pty = openPty(path === undefined ? {} : { at: path });
  const device = model(pty.link, lasting(options));
  return { at: `serial:${pty.path}`, close: () => device.close() };
};
