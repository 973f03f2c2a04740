/** A simulated MMS device on a memory link, with a host that speaks raw messages, or the driver, at the other end. */
import type { Link } from '../../../drivers/links/link.ts';
import { memoryLinks } from '../../../drivers/links/memory.ts';
import { mms } from '../../../drivers/mms/driver.ts';
import { encodeMessage } from '../../../drivers/mms/message.ts';
import { mmsSimulator } from '../../../drivers/mms/simulator.ts';
import { byReport, framed, messageReader } from '../../../drivers/mms/wire.ts';
import { scripted } from '../../../drivers/simulation/cardholder.ts';
import { type KeySlotOptions, keySlots } from '../../../drivers/simulation/key-slots.ts';
import { seededRandom } from '../../../drivers/simulation/seeded-random.ts';
import type { Presentation, SimulatorOptions } from '../../../drivers/simulation/simulator.ts';
import type { CardInterface, HostVerdict, ReadOutcome, ReadRequest, TerminalEvent } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

export type BenchOptions = Partial<Omit<SimulatorOptions, 'clock' | 'random' | 'cardholder' | 'keys'>> & {
  presentations?: readonly Presentation[];
  seed?: number;
  carries?: Link['carries'];
  /** How the keys are set up. */
  keys?: Omit<KeySlotOptions, 'random'>;
};

/** A powered-on device and the till's end of its link. */
export const bench = ({ presentations = [], seed = 1, carries = 'reports', keys, ...options }: BenchOptions = {}) => {
  const [deviceLink, hostLink] = memoryLinks(carries);
  const clock = virtualClock();
  const lines: string[] = [];
  const random = seededRandom(seed);
  const device = mmsSimulator(deviceLink, {
    clock,
    random,
    cardholder: scripted(presentations),
    report: (line) => lines.push(line),
    keys: keySlots({ random, ...keys }),
    ...options,
  });
  return { clock, device, hostLink, lines };
};

/** A raw host: sends messages as hex without their frame, hears messages as hex. */
export const rawBench = (options: BenchOptions = {}) => {
  const made = bench(options);
  const { clock } = made;
  const link = byReport(made.hostLink);
  const heard: string[] = [];
  const reader = messageReader(link.carries);
  link.listen({
    bytes: (bytes) => {
      for (const piece of reader.push(bytes)) {
        if (piece.kind === 'noise') heard.push(`noise ${toHex(piece.bytes)}`);
        else if (piece.message.kind === 'tooLong' || piece.message.kind === 'other') heard.push(piece.message.kind);
        else heard.push(toHex(encodeMessage(piece.message)));
      }
    },
    closed: () => heard.push('closed'),
  });
  return {
    ...made,
    /** Sends a message, waits so long, gives what came since the last call. */
    async send(message: string, ms = 0): Promise<string[]> {
      await link.write(framed(fromHex(message), { carries: link.carries, from: 'host' }));
      await clock.advance(ms);
      return heard.splice(0);
    },
    async wait(ms: number): Promise<string[]> {
      await clock.advance(ms);
      return heard.splice(0);
    },
  };
};

export const anyCard: readonly CardInterface[] = ['chip', 'tap', 'swipe'];

/** A device with the driver at the other end. */
export const opened = async (options: BenchOptions) => {
  const made = bench(options);
  const strays: Fault[] = [];
  const terminal = await made.clock.until(
    mms.open(made.hostLink, { clock: made.clock, report: (stray) => strays.push(stray) }),
  );
  const events: TerminalEvent[] = [];
  const request = (minor: bigint, accept: readonly CardInterface[]): ReadRequest => ({
    amount: { minor, currency: 'EUR' },
    kind: 'purchase',
    at: made.clock.now(),
    accept,
    withinMs: 30_000,
  });
  const start = (minor = 9_900n, accept = anyCard) =>
    terminal.read(request(minor, accept), (event) => events.push(event));
  return {
    ...made,
    terminal,
    strays,
    events,
    start,
    read: (minor = 9_900n, accept = anyCard) => made.clock.until(start(minor, accept)),
    complete: (verdict: HostVerdict) => made.clock.until(terminal.complete(verdict)),
  };
};

export const cardOf = (outcome: ReadOutcome) => {
  if (outcome.kind === 'notRead') throw new Error(`not read: ${outcome.why}`);
  return outcome.card;
};
