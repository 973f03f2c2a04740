/** ID TECH's NEO 2 readers (ViVOtech2): the till's terminal interface over serial, TCP or USB HID. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReaderDriver } from '../../driver.ts';
import { noCardRead, ReaderCalls } from '../../long-calls.ts';
import {
  type ChipVerdict,
  type HostVerdict,
  type KeyState,
  type Prompt,
  type ReadOutcome,
  type ReadRequest,
  type Terminal,
  type TerminalEvent,
  type TerminalHealth,
  type TerminalInfo,
  withPinPad,
} from '../../terminal.ts';
import { proprietaryCipherWords, proprietaryModeOf } from '../protocol/card-data.ts';
import { neo2Ear } from '../protocol/dialect-detection.ts';
import { neo2Narrator } from '../protocol/narrator.ts';
import { neo2Scribe } from '../protocol/trace.ts';
import { completeChip, completeTap } from './chip.ts';
import { Neo2Device } from './device.ts';
import { greet, healthOf, isReady, type Neo2KeyStatus, readKeys, readOutputMode, settle, showsKey } from './health.ts';
import { read } from './read.ts';
import { Neo2Reading } from './reading.ts';

const vendorId = 0x0acd;

export const neo2: ReaderDriver = {
  kind: 'reader',
  name: 'neo2',
  title: 'ID TECH NEO 2',
  usb: [
    { vendorId, productId: 0x3530, name: 'ID TECH VP3300', by: 'hid' },
    { vendorId, productId: 0x0850, name: 'ID TECH SmartPIN K100', by: 'hid' },
    { vendorId, productId: 0x2010, name: 'ID TECH SecureHead', by: 'hid' },
    { vendorId, productId: 0x2020, name: 'ID TECH SecureHead', by: 'hid' },
    { vendorId, productId: 0x2030, name: 'ID TECH SecureHead', by: 'hid' },
    // The other products' numbers are not public: any of the vendor's may speak it, and answers or not.
    { vendorId, name: 'ID TECH reader', by: 'hid' },
    { vendorId, name: 'ID TECH reader', by: 'serial' },
  ],
  serial: { baudRate: 115_200, stopBits: 1 },
  hid: { reportIds: true },
  scribe: neo2Scribe,
  narrator: neo2Narrator,
  ear: neo2Ear,
  async open(link, tools) {
    const device = new Neo2Device(link, tools);
    try {
      const info = await greet(device);
      const keys = await readKeys(device);
      await readOutputMode(device);
      return new Neo2Terminal(device, withPinPad(info, showsKey(keys, 'pin')), keys);
    } catch (error) {
      await device.close();
      throw error;
    }
  },
};

/** What the last read left behind: a chip or a tap that waits for the host's word, a card without a say, or nothing. */
type Left = 'chip' | 'tap' | 'card' | 'nothing';

class Neo2Terminal implements Terminal {
  readonly #device: Neo2Device;
  readonly #calls: ReaderCalls;
  readonly #info: TerminalInfo;
  #keys: Neo2KeyStatus;
  #reading: Neo2Reading | undefined;
  #left: Left = 'nothing';
  /** A chip was read and may still be in the slot, under power. */
  #chip = false;

  constructor(device: Neo2Device, info: TerminalInfo, keys: Neo2KeyStatus) {
    this.#device = device;
    this.#calls = new ReaderCalls(device, {
      calm: () => device.cancel(),
      after: ['terminal.refused', 'terminal.unready'],
    });
    this.#info = info;
    this.#keys = keys;
  }

  async info(): Promise<TerminalInfo> {
    return this.#info;
  }

  async keys(): Promise<readonly KeyState[]> {
    this.#calls.idle();
    this.#keys = await readKeys(this.#device);
    return this.#keys.states;
  }

  async health(): Promise<TerminalHealth> {
    this.#calls.idle();
    this.#keys = await readKeys(this.#device);
    await readOutputMode(this.#device);
    return healthOf(this.#device, this.#keys);
  }

  async echo(): Promise<void> {
    this.#calls.idle();
    await this.#device.need('ping', {});
  }

  async read(request: ReadRequest, tell: (event: TerminalEvent) => void): Promise<ReadOutcome> {
    this.#calls.idle();
    return this.#calls.during('read', async () => {
      if (this.#left === 'chip' || this.#left === 'tap') await this.#device.cancel();
      this.#left = 'nothing';
      this.#device.ownWord = undefined;
      if (this.#device.restarted) await settle(this.#device);
      // Each use counts a key on, so its last one is noticed only here.
      this.#keys = await readKeys(this.#device);
      this.#refuseUnready();
      return this.#readCard(request, tell);
    });
  }

  async #readCard(request: ReadRequest, tell: (event: TerminalEvent) => void): Promise<ReadOutcome> {
    const reading = new Neo2Reading(this.#device, { request, tell, pinKey: isReady(this.#keys, 'pin') });
    this.#reading = reading;
    try {
      const outcome = await read(reading);
      const mode = outcome.kind === 'notRead' ? undefined : outcome.card.entryMode;
      this.#chip = mode === 'ICC' || reading.chipRan;
      if (outcome.kind === 'notRead') return outcome;
      const waits = outcome.kind === 'goOnline' && reading.open;
      this.#left = outcome.kind === 'goOnline' && mode === 'ICC' ? 'chip' : waits ? 'tap' : 'card';
      return outcome;
    } finally {
      this.#reading = undefined;
      this.#device.onUpcall = undefined;
    }
  }

  async complete(verdict: HostVerdict): Promise<ChipVerdict> {
    this.#calls.idle();
    const left = this.#left;
    this.#left = 'nothing';
    if (left === 'card') return { kind: 'none' };
    if (left === 'nothing') throw noCardRead();
    const run = left === 'chip' ? completeChip : completeTap;
    return this.#calls.during('complete', () => run(this.#device, verdict));
  }

  async cancel(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading.cancel();
    if (this.#left !== 'chip' && this.#left !== 'tap' && !this.#device.waits()) return;
    this.#left = 'nothing';
    await this.#device.cancel();
  }

  /** The reader chooses its words by itself at every step; there is no command here that shows others. */
  async say(prompt: Prompt): Promise<void> {
    this.#calls.idle();
    if (prompt === 'removeCard') await this.#powerOff();
  }

  /** The power goes off, so that the card can be taken; whether it was is not told by the reader. */
  async removed(_withinMs: number): Promise<boolean> {
    this.#calls.idle();
    await this.#powerOff();
    return true;
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  async #powerOff(): Promise<void> {
    if (!this.#chip) return;
    this.#chip = false;
    await this.#device.wish('powerOff', {});
  }

  #refuseUnready(): void {
    if (this.#keys.tampered) throw new Fault('terminal.unready', { why: 'somebody opened it' });
    const cipher = proprietaryModeOf(this.#device.outputMode);
    if (cipher !== undefined) throw new Fault('terminal.unready', { why: proprietaryCipherWords(cipher) });
    if (!isReady(this.#keys, 'sred')) throw new Fault('terminal.unready', { why: 'it has no key for card data' });
  }
}
