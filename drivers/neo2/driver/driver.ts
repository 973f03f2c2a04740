/** ID TECH's NEO 2 readers (ViVOtech2): the till's terminal interface over serial, TCP or USB HID. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReaderDriver } from '../../driver.ts';
import { openReader, type ReaderActions } from '../../reader-terminal.ts';
import { type HostVerdict, type TerminalInfo, withPinPad } from '../../terminal.ts';
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
  open: (link, tools) => openReader(new Neo2Device(link, tools), meet),
};

const meet = async (device: Neo2Device): Promise<ReaderActions<Neo2Reading>> => {
  const info = await greet(device);
  const keys = await readKeys(device);
  await readOutputMode(device);
  return readerOf(device, withPinPad(info, showsKey(keys, 'pin')));
};

const readerOf = (device: Neo2Device, info: TerminalInfo): ReaderActions<Neo2Reading> => {
  /** A chip was read and may still be in the slot, under power. */
  let isPowered = false;
  const powerOff = async (): Promise<void> => {
    if (!isPowered) return;
    isPowered = false;
    await device.wish('powerOff', {});
  };
  return {
    info,
    keys: async () => (await readKeys(device)).states,
    async health() {
      const keys = await readKeys(device);
      await readOutputMode(device);
      return healthOf(device, keys);
    },
    echo: () => device.need('ping', {}),
    // The reader chooses its words by itself at every step; there is no command here that shows others.
    say: async (prompt) => (prompt === 'removeCard' ? powerOff() : undefined),
    reading: (request, tell) => new Neo2Reading(device, { request, tell }),
    async read(reading) {
      device.ownWord = undefined;
      if (device.restarted) await settle(device);
      // Each use counts a key on, so its last one is noticed only here.
      const keys = await readKeys(device);
      refuseUnready(device, keys);
      reading.pinKey = isReady(keys, 'pin');
      device.onUpcall = ({ kind }) => {
        reading.pinAsked ||= kind === 'pin';
      };
      try {
        const outcome = await read(reading);
        const mode = outcome.kind === 'notRead' ? undefined : outcome.card.entryMode;
        isPowered = mode === 'ICC' || reading.chipRan;
        if (outcome.kind !== 'goOnline' || (mode !== 'ICC' && !reading.open)) return { outcome };
        const run = mode === 'ICC' ? completeChip : completeTap;
        const waiting = { complete: (verdict: HostVerdict) => run(device, verdict), drop: () => device.cancel() };
        return { outcome, waiting };
      } finally {
        device.onUpcall = undefined;
      }
    },
    // The power goes off, so that the card can be taken; whether it was is not told by the reader.
    async removed() {
      await powerOff();
      return true;
    },
    stop: async () => (device.waits() ? device.cancel() : undefined),
    calm: () => device.cancel(),
  };
};

const refuseUnready = (device: Neo2Device, keys: Neo2KeyStatus): void => {
  if (keys.tampered) throw new Fault('terminal.unready', { why: 'somebody opened it' });
  const cipher = proprietaryModeOf(device.outputMode);
  if (cipher !== undefined) throw new Fault('terminal.unready', { why: proprietaryCipherWords(cipher) });
  if (!isReady(keys, 'sred')) throw new Fault('terminal.unready', { why: 'it has no key for card data' });
};
