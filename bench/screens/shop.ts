/**
 * A shop for measuring its screens: a till process with the flags of `npm start`, a simulated terminal in this process
 * that records when bytes come and go, Anna at the till and Max in the office.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tillFlags } from '../../build/v8-flags.mjs';
import type { Link } from '../../drivers/links/link.ts';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { type Cardholder, type Model, type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { startTill } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';

export const PIN = '4711';
export const people = { cashier: 'Anna', manager: 'Max' } as const;

/** Milliseconds of this machine's monotonic clock: the same in every process. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Called at each piece of data, with its time. */
export type Wire = { toTerminal(at: number): void; fromTerminal(at: number): void };

const notingModel =
  (model: Model, wire: Wire): Model =>
  (link, options) =>
    model(noteTimes(link, wire), options);

const noteTimes = (link: Link, { toTerminal, fromTerminal }: Wire): Link => ({
  name: link.name,
  carries: link.carries,
  write(bytes) {
    fromTerminal(monotonic());
    return link.write(bytes);
  },
  listen: (listener) =>
    link.listen({
      closed: (fault) => listener.closed(fault),
      bytes(bytes) {
        toTerminal(monotonic());
        listener.bytes(bytes);
      },
    }),
  close: () => link.close(),
});

export type TerminalParts = { cardholder: Cardholder; clock?: Clock; wire?: Wire };

const ignoringWire: Wire = { toTerminal() {}, fromTerminal() {} };

/** Opens a terminal on a TCP port of this machine; returns its address in the till's format. */
export const openTerminal = async ({ cardholder, clock = systemClock, wire = ignoringWire }: TerminalParts) => {
  const station: Station = await simulateOnTcp(notingModel(mpiSimulator, wire), 0, {
    ...{ clock, cardholder },
    random: systemRandom,
  });
  return { address: `mpi+${station.at}`, close: () => station.close() };
};

/** Runs `work` with a till in a folder of its own, with a cashier and a manager. */
export const inShop = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-screens-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The first person can be added without signing in. */
export const addFirstStaff = async (folder: string): Promise<void> => {
  const till = await startTill({ dataDir: folder });
  const max = { name: people.manager, role: 'manager' } as const;
  await till.staff.add({ ...max, pin: PIN });
  await till.staff.add({ name: people.cashier, role: 'cashier', pin: PIN }, max);
  await till.close();
};

const root = join(import.meta.dirname, '../..');

export type TillProcess = { url: string; child: ChildProcess; close(): Promise<void> };

/** Starts a process whose first line of output ends with the address of its screens. Throws if it ends before that. */
export const startProcess = async (file: string, args: readonly string[]): Promise<TillProcess> => {
  const child = spawn(process.execPath, [...tillFlags, file, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const [, at] = /listening on (\S+)\n/.exec(out) ?? [];
      if (at !== undefined) resolve(at);
    });
    child.once('close', (code) => reject(new Error(`the till ended with ${code}: ${out}`)));
  });
  return {
    url,
    child,
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
};

/** The product's own command, `npm start`. */
export const startScreens = (folder: string, terminal: string): Promise<TillProcess> =>
  startProcess(join(root, 'src/cli/main.ts'), [
    ...['start', '--data', folder, '--port', '0', '--terminal', terminal, '--no-open-browser'],
  ]);

/** The current memory of a process, MB, and its maximum. Only on Linux. */
export const memoryOf = ({ child: { pid } }: Pick<TillProcess, 'child'>): { now: number; most: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const inMb = (name: string): number =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024) / 1e6);
  return { now: inMb('VmRSS'), most: inMb('VmHWM') };
};
