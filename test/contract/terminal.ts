/**
 * The contract of every card reader driver: the drivers under test, their links, and the counter where they are tested.
 * A case returns a word for the table when it succeeds and throws when it fails; no case knows a protocol.
 */
import assert from 'node:assert/strict';
import type { ReaderDriver } from '../../drivers/driver.ts';
import type { Link } from '../../drivers/links/link.ts';
import { drivers } from '../../drivers/registry.ts';
import { createWallet, type VirtualCard } from '../../drivers/simulation/card.ts';
import { seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { CryptogramKind } from '../../drivers/simulation/chip.ts';
import type { Faults } from '../../drivers/simulation/faults.ts';
import { createKeySlots, type KeySlots } from '../../drivers/simulation/key-slots.ts';
import type { Model, Presentation, Simulator } from '../../drivers/simulation/simulator.ts';
import type { TerminalConfig } from '../../drivers/simulation/terminal-config.ts';
import { simulators } from '../../drivers/simulators.ts';
import type {
  CardInterface,
  ChipVerdict,
  HostVerdict,
  ReadOutcome,
  ReadRequest,
  Terminal,
  TerminalEvent,
} from '../../drivers/terminal.ts';
import type { Clock } from '../../src/base/clock.ts';
import { type Fault, isFault } from '../../src/base/fault.ts';
import { type TestCard, testCard } from '../../src/emv/test-cards.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import type { Steps } from './terminal-steps.ts';

/** A driver on one kind of link, with its simulated device at the other end. */
export type DriverUnderTest = {
  name: string;
  driver: ReaderDriver;
  model: Model;
  carries: Link['carries'];
  /** The dialects of the device, if it is not as strict as its document allows. */
  dialects?: readonly string[];
};

/** Every card reader driver that has a simulated device: on a stream, and on reports where it has a HID form. */
export const driversUnderTest: readonly DriverUnderTest[] = Object.values(drivers).flatMap((driver) => {
  const model = simulators[driver.name];
  if (driver.kind !== 'reader' || model === undefined) return [];
  const ways: Link['carries'][] = driver.hid === undefined ? ['stream'] : ['stream', 'reports'];
  return ways.map((carries) => ({ name: `${driver.name} ${carries}`, driver, model, carries }));
});

/**
 * What a protocol cannot express, so that no driver can report it: everything else must be reported. `verification`:
 * how the customer was verified, at the time of the request. `useChip`: that the device sends a customer to the chip.
 * `removal`: that a card is still in the slot.
 */
const unobservable: Readonly<Record<string, readonly string[]>> = {
  // The public part of MPI has no notice of tampering.
  mpi: ['tampered'],
  // The verification results are inside the container, and the device guides the customer by itself.
  mms: ['verification', 'useChip', 'clock'],
  neo2: ['clock', 'battery', 'removal'],
};

/**
 * What a device of a dialect does not report. `firstSix`: six digits of the number; `serviceCode`: whether a swiped
 * card has a chip; `pin`: a PIN.
 */
const unobservableIn: Readonly<Record<string, readonly string[]>> = {
  'mms shows-at-till': ['pin'],
  'masks-four': ['firstSix'],
  'masks-all': ['firstSix', 'serviceCode'],
};

export const isObservable = ({ driver: { name }, dialects = [] }: DriverUnderTest, what: string): boolean =>
  ![
    ...(unobservable[name] ?? []),
    ...dialects.flatMap((dialect) => [
      ...(unobservableIn[dialect] ?? []),
      ...(unobservableIn[`${name} ${dialect}`] ?? []),
    ]),
  ].includes(what);

export type Case = {
  says: string;
  /** Returns the outcome in a word or two. A sweep tries every step by default. */
  run(subject: DriverUnderTest, steps?: Steps): Promise<string>;
};

export type Setup = {
  faults?: Faults;
  config?: Partial<TerminalConfig>;
  keys?: KeySlots;
  customer?: Presentation;
  seed?: number;
  clock?: VirtualClock;
  /** Inserts itself between the driver and the device, on the first connection. */
  interpose?: (link: Link, clock: Clock) => Link;
};

export const visa: Presentation = { card: testCard('visa-credit'), by: 'chip' };
export const everything: readonly CardInterface[] = ['chip', 'tap', 'swipe'];
export const AMOUNT = 9_900n;

/** No call may take longer than this, whatever the device does: ms of virtual time. */
export const PATIENCE_MS = 900_000;

export const fromTerminal = ['link.lost', 'terminal.silent', 'terminal.garbled', 'terminal.refused', 'terminal.busy'];

/** A device that outlives its connections, its customer, and a till's end of the link. */
export class Counter {
  readonly subject: DriverUnderTest;
  readonly clock: VirtualClock;
  readonly unsolicited: Fault[] = [];
  readonly events: TerminalEvent[] = [];
  /** What the device reported in words, and the narrator's description of the bytes. */
  readonly lines: string[] = [];
  /** How many customers came. */
  came = 0;
  customer: Presentation;
  /** The last cryptogram that a simulated chip gave in this sale, which no driver can invent. */
  lastWord: CryptogramKind | undefined;
  #device: Simulator | undefined;
  #terminal: Terminal | undefined;
  #connections = 0;
  readonly #timers = new Set<object>();
  readonly #setup: Setup;
  readonly #keys: KeySlots;
  readonly #cards = createWallet();
  readonly #random;

  constructor(subject: DriverUnderTest, setup: Setup = {}) {
    this.subject = subject;
    this.clock = setup.clock ?? virtualClock();
    this.customer = setup.customer ?? visa;
    this.#setup = setup;
    this.#random = seededRandom(setup.seed ?? 1);
    this.#keys = setup.keys ?? createKeySlots({ random: this.#random });
  }

  /** Connects and says hello. The faults of the setup apply to the first connection only. */
  async connect(faults: Faults = this.#setup.faults ?? []): Promise<Terminal> {
    const { model, carries, driver } = this.subject;
    await this.#device?.close();
    const [deviceLink, tillLink] = memoryLinks(carries);
    const { clock } = this;
    this.#device = model(deviceLink, {
      clock,
      random: this.#random,
      cardholder: () => {
        this.came += 1;
        return this.customer;
      },
      faults,
      keys: this.#keys,
      wallet: (facts) => this.#heard(facts),
      config: this.#setup.config,
      report: (line) => this.lines.push(line),
    });
    const interpose = this.#connections === 0 ? this.#setup.interpose : undefined;
    this.#connections += 1;
    const link = this.#told(interpose?.(tillLink, clock) ?? tillLink);
    this.#terminal = await driver.open(link, { clock: this.#watched, report: (stray) => this.unsolicited.push(stray) });
    return this.#terminal;
  }

  get terminal(): Terminal {
    assert(this.#terminal !== undefined, 'nothing is connected');
    return this.#terminal;
  }

  async open(): Promise<this> {
    await this.wait(this.connect());
    return this;
  }

  /** The promise's value; time passes as needed. No promise may take for ever. */
  wait<T>(promise: Promise<T>): Promise<T> {
    return this.clock.until(promise, PATIENCE_MS);
  }

  request({ minor = AMOUNT, accept = everything, kind = 'purchase' }: Wanted = {}): ReadRequest {
    return { amount: { minor, currency: 'EUR' }, kind, at: this.clock.now(), accept, withinMs: 30_000 };
  }

  /** Starts reading a card; `listener` receives each event. */
  start(request: Wanted = {}, listener: (event: TerminalEvent) => void = () => {}): Promise<ReadOutcome> {
    const notify = (event: TerminalEvent): void => {
      this.events.push(event);
      listener(event);
    };
    this.lastWord = undefined;
    return this.terminal.read(this.request(request), notify);
  }

  /** Passes the host's answer to the card. An approval must be the chip's own. */
  async complete(verdict: HostVerdict): Promise<ChipVerdict> {
    const chipVerdict = await this.terminal.complete(verdict);
    if (chipVerdict.kind === 'approved') assert.equal(this.lastWord, 'TC', 'approved without the chip’s approval');
    return chipVerdict;
  }

  #heard(facts: TestCard): VirtualCard {
    const card = this.#cards(facts);
    return {
      ...card,
      generate: (ask, data) => {
        const answer = card.generate(ask, data);
        this.lastWord = answer?.kind;
        return answer;
      },
    };
  }

  read(request: Wanted = {}): Promise<ReadOutcome> {
    return this.wait(this.start(request));
  }

  /** The terminal still works: another customer's chip sale succeeds, on this connection or a new one. */
  async sellsAgain(card: 'same' | 'anew'): Promise<void> {
    // A till waits for the removal after any ending, too.
    if (card === 'same') await this.wait(this.terminal.waitForRemoval(30_000));
    await this.clock.advance(10_000);
    this.customer = visa;
    if (card === 'anew') {
      await this.#terminal?.close();
      await this.wait(this.connect([]));
    }
    const outcome = await this.read();
    assert.equal(outcome.kind, 'goOnline', `the next sale: ${whatOf(outcome)}`);
    const verdict = await this.wait(this.complete({ kind: 'approved', arc: '00' }));
    assert.equal(verdict.kind, 'approved', 'the next sale');
    assert.equal(await this.wait(this.terminal.waitForRemoval(30_000)), true, 'the next card is taken out');
  }

  /** Closes the terminal and its device; the driver must not leave a timer behind. */
  async close(): Promise<void> {
    await this.#terminal?.close();
    await this.#device?.close();
    await this.clock.settle();
    assert.equal(this.#timers.size, 0, 'timers that the driver left behind');
  }

  /** The driver's own view of the clock, to find out which timers are its own. */
  readonly #watched: Clock = {
    now: () => this.clock.now(),
    monotonic: () => this.clock.monotonic(),
    after: (ms, action) => {
      const timer = {};
      this.#timers.add(timer);
      const stop = this.clock.after(ms, () => {
        this.#timers.delete(timer);
        action();
      });
      return () => {
        this.#timers.delete(timer);
        stop();
      };
    },
  };

  /** The link, with a description of its traffic. */
  #told(link: Link): Link {
    const narrator = this.subject.driver.narrator(link.carries);
    const note = (direction: 'said' | 'heard', bytes: Uint8Array): void => {
      this.lines.push(...narrator.push(direction, bytes));
    };
    return {
      name: link.name,
      carries: link.carries,
      write(bytes) {
        note('said', bytes);
        return link.write(bytes);
      },
      listen: (listener) =>
        link.listen({
          bytes(bytes) {
            note('heard', bytes);
            listener.bytes(bytes);
          },
          closed: (fault) => listener.closed(fault),
        }),
      close: () => link.close(),
    };
  }
}

export type Wanted = { minor?: bigint; accept?: readonly CardInterface[]; kind?: ReadRequest['kind'] };

export const whatOf = (outcome: ReadOutcome): string => (outcome.kind === 'notRead' ? outcome.why : outcome.kind);

/** The code of the fault that the promise ends with, or `undefined` and its value when it succeeds. */
export const endOf = async <T>(promise: Promise<T>): Promise<{ code: string } | { code?: undefined; value: T }> => {
  try {
    return { value: await promise };
  } catch (error) {
    assert(isFault(error), `no fault but ${String(error)}`);
    return { code: error.code };
  }
};
