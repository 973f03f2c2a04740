/** A simulated device on a memory link under virtual time, and a reader's driver at the other end. */
import type { ReaderDriver } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { scriptedCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { Presentation, Simulator, SimulatorOptions } from '../../../drivers/simulation/simulator.ts';
import type { CardInterface, HostVerdict, ReadOutcome, ReadRequest, TerminalEvent } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { type VirtualClock, virtualClock } from '../time/virtual-clock.ts';
import { memoryLinks } from './memory-link.ts';

export type BenchOptions = Partial<Omit<SimulatorOptions, 'clock' | 'random' | 'cardholder'>> & {
  presentations?: readonly Presentation[];
  seed?: number;
  carries?: Link['carries'];
};

/** Any card, presented in any way except typed in. */
export const anyCard: readonly CardInterface[] = ['chip', 'tap', 'swipe'];

/** A device with power, and the till's end of its link. */
export const poweredOn = <D extends Simulator>(
  model: (link: Link, options: SimulatorOptions) => D,
  { presentations = [], seed = 1, carries = 'stream', ...options }: BenchOptions,
) => {
  const [deviceLink, hostLink] = memoryLinks(carries);
  const clock = virtualClock();
  const lines: string[] = [];
  const device = model(deviceLink, {
    clock,
    random: seededRandom(seed),
    cardholder: scriptedCardholder(presentations),
    report: (line) => lines.push(line),
    ...options,
  });
  return { clock, device, hostLink, lines };
};

/** The driver on such a device, and sales of euro cents with it. */
export const openedOn = async <B extends { clock: VirtualClock; hostLink: Link }>(created: B, driver: ReaderDriver) => {
  const unsolicited: Fault[] = [];
  const events: TerminalEvent[] = [];
  const tools = { clock: created.clock, report: (stray: Fault) => unsolicited.push(stray) };
  const terminal = await created.clock.until(driver.open(created.hostLink, tools));
  const request = (minor: bigint, accept: readonly CardInterface[]): ReadRequest => ({
    amount: { minor, currency: 'EUR' },
    kind: 'purchase',
    at: created.clock.now(),
    accept,
    withinMs: 30_000,
  });
  const start = (minor = 9_900n, accept = anyCard) =>
    terminal.read(request(minor, accept), (event) => events.push(event));
  /** A read that the till cancels after this time, and its outcome. */
  const cancelledAfter = async (ms: number): Promise<ReadOutcome> => {
    const reading = start();
    await created.clock.advance(ms);
    const cancelled = terminal.cancel();
    const outcome = await created.clock.until(reading);
    await created.clock.until(cancelled);
    return outcome;
  };
  return {
    ...created,
    terminal,
    unsolicited,
    events,
    start,
    cancelledAfter,
    read: (minor = 9_900n, accept = anyCard) => created.clock.until(start(minor, accept)),
    complete: (verdict: HostVerdict) => created.clock.until(terminal.complete(verdict)),
  };
};

/** The card of a successful read. */
export const cardOf = (outcome: ReadOutcome) => {
  if (outcome.kind === 'notRead') throw new Error(`not read: ${outcome.why}`);
  return outcome.card;
};
