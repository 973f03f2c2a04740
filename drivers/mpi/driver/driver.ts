/** Miura's MPI terminals: the till's terminal interface over the MPI protocol, with keys and health. */

import { fromHex } from '../../../src/base/hex.ts';
import { tdesKsnIsValid, tdesKsnUsesLeft } from '../../../src/emv/dukpt-tdes.ts';
import type { ReaderDriver } from '../../driver.ts';
import { openReader, type ReaderActions } from '../../reader-terminal.ts';
import {
  type Encrypted,
  type HostVerdict,
  isSimulated,
  type KeyState,
  simulatedModelName,
  type TerminalEvent,
  type TerminalHealth,
  type TerminalInfo,
  withPinPad,
} from '../../terminal.ts';
import type { ClockAnswer } from '../protocol/codec.ts';
import type { MpiKeyStatus, ResetAnswer } from '../protocol/commands.ts';
import { mpiDialectDetector } from '../protocol/dialect-detection.ts';
import { mpiNarrator } from '../protocol/narrator.ts';
import { mpiScribe } from '../protocol/trace.ts';
import { MpiDevice } from './device.ts';
import { everything, read } from './read.ts';
import { complete, MpiReading, promptTexts } from './reading.ts';

export const mpi: ReaderDriver = {
  kind: 'reader',
  name: 'mpi',
  title: 'Miura MPI',
  // The vendor's USB ids are not public; such a terminal is found by its answer to the reset.
  usb: [],
  tcpPorts: [6543],
  serial: { baudRate: 115_200, stopBits: 1 },
  scribe: mpiScribe,
  narrator: mpiNarrator,
  detector: mpiDialectDetector,
  open: (link, tools) => openReader(new MpiDevice(link, tools), greet),
};

const greet = async (device: MpiDevice): Promise<ReaderActions<MpiReading>> => {
  const info = infoOf(await device.reset());
  // Only an MPI device answers this question; another maker's device might know the reset too.
  const { pin } = await device.need('keys', {});
  return readerOf(device, withPinPad(info, pin));
};

/** The programs are named after the model: M020-OS, M020-MPI. */
const infoOf = ({ serial, parts }: ResetAnswer): TerminalInfo => {
  const program = parts.find(({ name }) => name.includes('MPI')) ?? parts[0];
  return { model: parseModel(program?.name ?? ''), serial: serial.trim(), firmware: program?.version ?? '' };
};

const parseModel = (program: string): string => {
  const model = /^(?:SIMULATED )?([A-Z]+\d+)/.exec(program)?.[1] ?? 'Miura';
  return isSimulated({ model: program, serial: '' }) ? simulatedModelName(model) : model;
};

/** Serial numbers count up: the highest is the key's last one, in whatever order the ciphertexts come. */
const lastKsn = (sred: readonly Encrypted[]): string | undefined =>
  sred
    .map(({ ksn }) => ksn)
    .sort()
    .at(-1);

const readerOf = (device: MpiDevice, info: TerminalInfo): ReaderActions<MpiReading> => {
  const { slot } = device;
  let used: UsedKeys = {};
  const isRemoved = () => (slot.present() ? undefined : true);
  return {
    info,
    keys: async () => keyStates(await device.need('keys', {}), used),
    health: () => healthOf(device, used),
    echo: () => device.need('battery', {}),
    show: (prompt) => device.need('display', { text: promptTexts[prompt] }),
    watchInsertion: (notify) => watchInsertion(device, notify),
    startReading: (request, notify) => new MpiReading(device, { request, notify }),
    async read(reading) {
      const outcome = await read(reading);
      if (outcome.kind === 'notRead') return { outcome };
      const { sred, pin, entryMode } = outcome.card;
      used = { sred: lastKsn(sred) ?? used.sred, pin: pin?.ksn ?? used.pin };
      if (outcome.kind !== 'goOnline' || entryMode !== 'ICC') return { outcome };
      const waiting = { complete: (verdict: HostVerdict) => complete(device, verdict), drop: () => device.abort() };
      return { outcome, waiting };
    },
    async waitForRemoval(withinMs) {
      if (!slot.present()) return true;
      await device.need('display', { text: promptTexts.removeCard });
      return (await device.waitUntil(isRemoved, withinMs)) ?? false;
    },
    stop: async () => (device.isWaiting() ? device.abort() : undefined),
    quieten: () => device.abort(),
  };
};

/** Waits for a card to be inserted before the amount is known. */
const watchInsertion = (device: MpiDevice, notify: (event: TerminalEvent) => void) => {
  const { slot } = device;
  let stopped = false;
  return {
    async stop() {
      stopped = true;
      slot.wakeAll();
    },
    async waitWithin(ms: number): Promise<boolean> {
      await device.reportCards(everything);
      const isPresent =
        (await device.waitUntil(() => (slot.present() ? true : stopped ? false : undefined), ms)) ?? false;
      if (isPresent) notify('cardInserted');
      return isPresent && !stopped;
    },
  };
};

/** Below this a terminal without its charger may run empty during the day. */
const batteryLowPercent = 10;
/** Lasts a busy till for some days: time to have a new key loaded. */
const usesLow = 2_000;
/** Beyond this the wrong time on receipts and in the chip's data matters to anyone who compares them. */
const clockOffMs = 5 * 60_000;

/** The last key serial numbers that the device used, hex: it reports them only with encrypted data. */
type UsedKeys = { sred?: string; pin?: string };

const keyStates = ({ ready, sred, pin }: MpiKeyStatus, used: UsedKeys): KeyState[] => [
  { use: 'sred', ready: ready && sred, ...keyUsageOf(used.sred) },
  { use: 'pin', ready: ready && pin, ...keyUsageOf(used.pin) },
];

/** `usesLeft` only for TDES DUKPT serial numbers; another length means another scheme. */
const keyUsageOf = (ksn: string | undefined): Pick<KeyState, 'ksn' | 'usesLeft'> => {
  if (ksn === undefined) return {};
  if (ksn.length !== 20 || !tdesKsnIsValid(fromHex(ksn))) return { ksn };
  return { ksn, usesLeft: tdesKsnUsesLeft(fromHex(ksn)) };
};

/** Reads health from the device. Throws the faults of link and device. */
const healthOf = async (device: MpiDevice, used: UsedKeys): Promise<TerminalHealth> => {
  const { percent, charging = 0 } = await device.need('battery', {});
  const keys = await device.need('keys', {});
  const clock = await device.ask('clock', {});
  const differenceMs = clockDifference(clock.answer ?? {}, device.tools.clock.now());
  const problems = [
    ...(percent < batteryLowPercent && charging === 0 ? [`The battery is at ${percent} %`] : []),
    ...(keys.ready ? [] : ['The terminal says that it is not ready: it may have been opened, or have lost its keys']),
    ...(keys.sred ? [] : ['There is no key for card data']),
    ...(keys.pin ? [] : ['There is no key for PINs']),
    ...keyStates(keys, used).flatMap(describeWear),
    ...describeClock(differenceMs),
  ];
  return { ok: problems.length === 0, problems, batteryPercent: percent, clockDifferenceMs: differenceMs };
};

const describeWear = ({ use, usesLeft }: KeyState): string[] => {
  if (usesLeft === undefined || usesLeft >= usesLow) return [];
  const of = use === 'pin' ? 'PINs' : 'card data';
  return [`The key for ${of} is good for ${usesLeft} more uses: have new keys loaded`];
};

const describeClock = (differenceMs: number | undefined): string[] => {
  if (differenceMs === undefined || Math.abs(differenceMs) < clockOffMs) return [];
  const minutes = Math.round(Math.abs(differenceMs) / 60_000);
  return [`The terminal’s clock is ${minutes} minutes ${differenceMs > 0 ? 'ahead' : 'behind'}`];
};

/** The device's local time minus ours, in ms; empty when the device reported no valid time. */
const clockDifference = ({ date, time }: ClockAnswer, now: number): number | undefined => {
  const at = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(`${date}${time}`)?.slice(1).map(Number);
  if (at === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = at;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return undefined;
  return new Date(2000 + year, month - 1, day, hour, minute, second).getTime() - Math.floor(now / 1_000) * 1_000;
};
