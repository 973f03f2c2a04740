/** The bench's simulated terminals: their USB descriptors, how they communicate, and their customers. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Candidate, candidatesOf } from '../../../../drivers/discovery.ts';
import type { Link } from '../../../../drivers/links/link.ts';
import { listPluggedDevices } from '../../../../drivers/links/plugged.ts';
import { driverOf } from '../../../../drivers/registry.ts';
import { createWallet, type Wallet } from '../../../../drivers/simulation/card.ts';
import { presentationFor } from '../../../../drivers/simulation/cardholder.ts';
import { createKeySlots, type KeySlots } from '../../../../drivers/simulation/key-slots.ts';
import type { Presentation, Simulator } from '../../../../drivers/simulation/simulator.ts';
import { simulators } from '../../../../drivers/simulators.ts';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { systemRandom } from '../../../../src/base/ids.ts';
import { openReports, openStream } from '../gadget-link.ts';
import { type Gadget, gadget, type UsbForm, type UsbWords } from './gadget.ts';

/** A kind of terminal as it is sold. */
export type Make = Omit<UsbWords, 'serial'> & {
  name: string;
  driver: string;
  form: UsbForm;
  /** Whether the till learns of the PIN entry, and how the customer was verified, before the gateway has answered. */
  tellsPin: boolean;
};

export const makes = {
  mms: {
    ...{ name: 'MMS over HID', driver: 'mms', form: 'reports', tellsPin: false },
    ...{ vendorId: 0x0801, productId: 0x2020, manufacturer: 'MagTek', product: 'DynaFlex II PED' },
  },
  neo2: {
    ...{ name: 'NEO 2 over HID', driver: 'neo2', form: 'reportsWithIds', tellsPin: true },
    ...{ vendorId: 0x0acd, productId: 0x3530, manufacturer: 'ID TECH', product: 'VP3300' },
  },
  neo2Serial: {
    ...{ name: 'NEO 2 over CDC-ACM', driver: 'neo2', form: 'stream', tellsPin: true },
    ...{ vendorId: 0x0acd, productId: 0x3531, manufacturer: 'ID TECH', product: 'VP5300' },
  },
  // The maker's USB ids are not public. These are the ones that Linux gives its own serial gadgets.
  mpi: {
    ...{ name: 'MPI over CDC-ACM', driver: 'mpi', form: 'stream', tellsPin: true },
    ...{ vendorId: 0x0525, productId: 0xa4a7, manufacturer: 'Miura', product: 'M020' },
  },
} as const satisfies Record<string, Make>;

/**
 * Up to a second, a customer's actions take a tenth of their time, and longer ones half. The one and a half seconds
 * after which a customer gives up on an idle till are lengthened instead: the emulated machine is slow.
 */
const quickMs = (ms: number): number => (ms <= 1_000 ? ms / 10 : ms < 2_000 ? ms * 5 : ms / 2);
const quickClock: Clock = { ...systemClock, after: (ms, task) => systemClock.after(quickMs(ms), task) };

const noCard: Presentation = presentationFor({ card: 'visa-credit', by: 'chip', never: true });

/** How long the kernel may take to find a device that was plugged in, and to notice that it is gone. */
const enumerateMs = 10_000;

export class UsbTerminal {
  readonly make: Make;
  readonly serial: string;
  readonly #gadget: Gadget;
  readonly #waiting: Presentation[] = [];
  readonly #lasting: { keys: KeySlots; wallet: Wallet };
  #link: Link | undefined;
  #device: Simulator | undefined;

  /**
   * `serial` is eight digits, reported on USB and by the protocol. The customers' cards have counted up to `lastAtc`.
   */
  constructor(make: Make, serial: string, { lastAtc = 0 } = {}) {
    this.make = make;
    this.serial = serial;
    this.#lasting = { keys: createKeySlots({ random: systemRandom }), wallet: createWallet({ lastAtc }) };
    this.#gadget = gadget({ ...make, serial }, make.form);
  }

  /** The next customer. */
  present(customer: Parameters<typeof presentationFor>[0]): void {
    this.#waiting.push(presentationFor(customer));
  }

  /** Customers still to come do not. */
  nobodyComes(): void {
    this.#waiting.length = 0;
  }

  /** Plugs it in and waits until discovery shows it. Its counters and cards continue where they were. */
  async plugIn(port: number): Promise<Candidate> {
    const model = simulators[this.make.driver];
    if (model === undefined) throw new Error(`there is no simulator of ${this.make.driver}`);
    const node = this.#gadget.plugIn(port);
    this.#link = this.make.form === 'stream' ? openStream(node) : openReports(node);
    this.#device = model(this.#link, {
      clock: quickClock,
      random: systemRandom,
      cardholder: () => this.#waiting.shift() ?? noCard,
      config: { serial: this.serial },
      ...this.#lasting,
    });
    return this.#until((found) => found, 'was not found by the system');
  }

  /** Pulls the cable; the device stops what it was doing. */
  unplug(): void {
    this.#gadget.unplug();
    // Neither rejects. The node is closed at once: the kernel does not remove a device whose node is open.
    void this.#link?.close();
    void this.#device?.close();
    this.#link = undefined;
    this.#device = undefined;
  }

  /** Removes it for good. */
  async remove(): Promise<void> {
    this.unplug();
    await this.waitUntilGone();
    this.#gadget.remove();
  }

  /** Waits until the system no longer shows it. */
  async waitUntilGone(): Promise<void> {
    await this.#until((found) => (found === undefined ? true : undefined), 'is still shown by the system');
  }

  /** What discovery reports of it now. */
  async find(): Promise<Candidate | undefined> {
    const { devices } = await listPluggedDevices();
    return candidatesOf(devices).find(({ usb }) => usb?.serial === this.serial);
  }

  /** Its address, for a till. Throws if it is not there. */
  async address(): Promise<string> {
    const fit = (await this.find())?.fits.find(({ driver }) => driver === driverOf(this.make.driver).name);
    if (fit === undefined) throw new Error(`${this.make.name} is not plugged in`);
    return fit.address;
  }

  async #until<T>(test: (found: Candidate | undefined) => T | undefined, reason: string): Promise<T> {
    for (let waitedMs = 0; waitedMs < enumerateMs; waitedMs += 50) {
      const seen = test(await this.find());
      if (seen !== undefined) return seen;
      await pause(50);
    }
    throw new Error(`${this.make.name} ${reason} within ${enumerateMs} ms`);
  }
}
