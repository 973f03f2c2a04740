/**
 * The contract of every terminal that authorises by itself, with its own simulated device: every ending is either
 * proved or a fault, whatever happens at any moment, and no other payment is ever reported as the last one.
 */
import type { DriverTools, IntegratedDriver, TraceDirection } from '../../drivers/driver.ts';
import type { IntegratedOutcome, IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Link, LinkListener } from '../../drivers/links/link.ts';
import { createWallet } from '../../drivers/simulation/card.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Faults } from '../../drivers/simulation/faults.ts';
import type { Model, Presentation } from '../../drivers/simulation/simulator.ts';
import type { TerminalEvent } from '../../drivers/terminal.ts';
import { Fault } from '../../src/base/fault.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

/** The outcomes of a sale or reversal for which each device has its own result code. */
export type Ending =
  | 'noMoney'
  | 'stolen'
  | 'wrongPin'
  | 'chipRefuses'
  | 'pulled'
  | 'stopped'
  | 'unknownReceipt'
  | 'alreadyReversed';

/** A driver with its device, in one form of its protocol. */
export type Integrated = {
  driver: IntegratedDriver;
  model: Model;
  /** The simulated device's own name. */
  modelName: string;
  /** How many commands the driver's hello takes. */
  hello: number;
  /** Messages of the device that belong to its first sale, counted from 1 since the link was opened. */
  saleMessages: readonly number[];
  /** The device's result code for each ending. */
  codes: Readonly<Record<Ending, string>>;
  /** Endings for which the device proves that nothing began; all others are declined. */
  ends?: Partial<Record<Ending, 'notBegun'>>;
  /** How the device differs from the strictest device. */
  dialects?: readonly string[];
  /** The driver may reconnect by itself, as over TCP. */
  redials?: boolean;
};

export const euro = (minor: bigint) => ({ minor, currency: 'EUR' });
export const sale = { amount: euro(1_250n), withinMs: 90_000 };
export const customer: Presentation = { card: testCard('visa-no-cvm'), by: 'chip' };

/** The result of a call: its value, or the code of its Fault. Any other error fails the test. */
export const settled = async <T>(promise: Promise<T>): Promise<T | { fault: string }> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Fault) return { fault: error.code };
    throw error;
  }
};

/** A shop with one device that outlives its connections, and customers who come in order. */
export const openShop = (
  { driver, model, dialects = [], redials = false }: Integrated,
  presentations: readonly Presentation[] = [],
) => {
  const clock = virtualClock();
  const cards = createWallet();
  const random = seededRandom(7);
  const cardholder = scriptedCardholder(presentations);
  const unsolicited: Fault[] = [];
  const events: TerminalEvent[] = [];
  return {
    clock,
    unsolicited,
    events,
    tell: (event: TerminalEvent) => events.push(event),
    /** Connects again. The device behind the link is switched on with these faults. */
    async connect({ faults = [], wrap = (link: Link) => link }: { faults?: Faults; wrap?: (link: Link) => Link } = {}) {
      const [deviceEnd, tillEnd] = memoryLinks();
      const device = model(deviceEnd, { clock, random, cardholder, faults, wallet: cards, dialects });
      const reopen = async (): Promise<Link> => {
        const [otherEnd, link] = memoryLinks();
        model(otherEnd, { clock, random, cardholder, wallet: cards, dialects });
        return link;
      };
      const tools: DriverTools = {
        clock,
        report: (stray) => unsolicited.push(stray),
        reopen: redials ? reopen : undefined,
      };
      const opening = driver.open(wrap(tillEnd), tools);
      return { device, tillEnd, opening };
    },
    async open(faults: Faults = []): Promise<IntegratedTerminal> {
      const { opening } = await this.connect({ faults });
      return clock.until(opening);
    },
  };
};

/** The same link, cut off on the till's side after this many portions. */
export const cutAfter = (link: Link, portions: number): Link => {
  let receivedCount = 0;
  return {
    ...link,
    listen(listener: LinkListener) {
      link.listen({
        bytes(bytes) {
          if (receivedCount >= portions) return;
          receivedCount += 1;
          listener.bytes(bytes);
          if (receivedCount < portions) return;
          void link.close();
          listener.closed(new Fault('link.lost', { port: link.name, why: 'the test cut it' }));
        },
        closed: listener.closed,
      });
    },
  };
};

/** The same link; each portion of bytes is passed to `listener` with its direction. */
export const observe = (link: Link, onEvent: (direction: TraceDirection, bytes: Uint8Array) => void): Link => ({
  ...link,
  write(bytes) {
    onEvent('said', bytes);
    return link.write(bytes);
  },
  listen: (listener) =>
    link.listen({
      ...listener,
      bytes(bytes) {
        onEvent('heard', bytes);
        listener.bytes(bytes);
      },
    }),
});

/** The terminal's number in this outcome, if any. */
export const numberOf = (outcome: Parameters<typeof summaryOf>[0]): string | undefined => {
  const facts = summaryOf(outcome);
  return 'receipt' in facts ? facts.receipt : undefined;
};

/** The facts of an outcome that a till compares. */
export const summaryOf = (outcome: IntegratedOutcome | { kind: 'none' } | { fault: string }) => {
  if ('fault' in outcome) return outcome;
  if (outcome.kind === 'none' || outcome.kind === 'notBegun') return { kind: outcome.kind };
  const { kind, payment } = outcome;
  return { kind, minor: payment?.amount.minor, receipt: payment?.receiptNumber };
};
