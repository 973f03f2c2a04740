/** ID TECH's NEO 2 readers (ViVOtech2): the till's terminal interface, with keys and health. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReaderDriver } from '../../driver.ts';
import { openReader, type ReaderActions, usesLeftOf } from '../../reader-terminal.ts';
import {
  type HostVerdict,
  isSimulated,
  type KeyState,
  simulatedModelName,
  type TerminalHealth,
  type TerminalInfo,
  withPinPad,
} from '../../terminal.ts';
import { describeProprietaryCipher, proprietaryModeOf } from '../protocol/card-data.ts';
import { bootNotices } from '../protocol/commands.ts';
import { neo2DialectDetector } from '../protocol/dialect-detection.ts';
import { neo2Narrator } from '../protocol/narrator.ts';
import { statusRow } from '../protocol/status.ts';
import { neo2Tlv } from '../protocol/tlv.ts';
import { neo2Scribe } from '../protocol/trace.ts';
import { completeChip, completeTap } from './chip.ts';
import { Neo2Device } from './device.ts';
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
    // The other products' numbers are not public: any product of the vendor could speak it, and the probe decides.
    { vendorId, name: 'ID TECH reader', by: 'hid' },
    { vendorId, name: 'ID TECH reader', by: 'serial' },
  ],
  serial: { baudRate: 115_200, stopBits: 1 },
  hid: { reportIds: true },
  scribe: neo2Scribe,
  narrator: neo2Narrator,
  detector: neo2DialectDetector,
  open: (link, tools) => openReader(new Neo2Device(link, tools), connectReader),
};

const connectReader = async (device: Neo2Device): Promise<ReaderActions<Neo2Reading>> => {
  const info = await identify(device);
  const keys = await readKeys(device);
  await readOutputMode(device);
  return readerOf(device, withPinPad(info, showsKey(keys, 'pin')));
};

const readerOf = (device: Neo2Device, info: TerminalInfo): ReaderActions<Neo2Reading> => {
  /** A chip was read and may still be powered in the slot. */
  let isPowered = false;
  const powerOff = async (): Promise<void> => {
    if (!isPowered) return;
    isPowered = false;
    await device.askOptional('powerOff', {});
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
    // The reader chooses its texts by itself at every step; no command here shows others.
    show: async (prompt) => (prompt === 'removeCard' ? powerOff() : undefined),
    startReading: (request, notify) => new Neo2Reading(device, { request, notify }),
    async read(reading) {
      device.ownWord = undefined;
      if (device.restarted) await settle(device);
      // Each use advances a key, so its last use is noticed only here.
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
    // Powers the chip off, so that the card can be removed; the reader does not report whether it was.
    async waitForRemoval() {
      await powerOff();
      return true;
    },
    stop: async () => (device.isWaiting() ? device.cancel() : undefined),
    quieten: () => device.cancel(),
  };
};

const refuseUnready = (device: Neo2Device, keys: Neo2KeyStatus): void => {
  if (keys.tampered) throw new Fault('terminal.unready', { why: 'somebody opened it' });
  const cipher = proprietaryModeOf(device.outputMode);
  if (cipher !== undefined) throw new Fault('terminal.unready', { why: describeProprietaryCipher(cipher) });
  if (!isReady(keys, 'sred')) throw new Fault('terminal.unready', { why: 'it has no key for card data' });
};

const fewUsesLeft = 1_000;

/** Reads the reader's state. `keys` were just read. */
const healthOf = async (device: Neo2Device, keys: Neo2KeyStatus): Promise<TerminalHealth> => {
  const { status, answer = {} } = await device.ask('state', {});
  const tampered = keys.tampered || statusRow(status).means === 'tampered';
  const problems = [
    ...(tampered ? ['The terminal says that somebody opened it'] : []),
    ...(answer.active === 0 ? ['It has not been activated: whoever supplied it has to do that'] : []),
    ...(answer.locked === 1 ? ['It is locked: whoever supplied it has to unlock it'] : []),
    ...(device.restarted ? ['The terminal has restarted by itself'] : []),
    ...proprietaryCipherProblems(device),
    ...(device.lacksKey === undefined ? [] : [capitalise(device.lacksKey)]),
    ...(device.gaveClear ? ['At the last card it gave no encrypted card data'] : []),
    ...(device.outputMode?.variant === 'pin' ? [pinVariant] : []),
    ...(isReady(keys, 'sred') ? [] : [describeMissingKey(keys, 'sred', 'card data')]),
    ...(isReady(keys, 'pin') ? [] : [describeMissingKey(keys, 'pin', 'PINs')]),
    ...keys.states
      .filter(({ ready, usesLeft }) => ready && usesLeft !== undefined && usesLeft < fewUsesLeft)
      .map(({ use, usesLeft }) => `The key for ${names[use]} is good for ${usesLeft} more uses`),
  ];
  return { ok: problems.length === 0, problems, tampered };
};

/** Judged by the reported use of the key, before any card; otherwise by the last card. */
const proprietaryCipherProblems = ({ outputMode, proprietaryCipher }: Neo2Device): string[] => {
  const set = proprietaryModeOf(outputMode);
  if (set !== undefined) return [capitalise(describeProprietaryCipher(set))];
  return proprietaryCipher === undefined ? [] : [`At the last card ${describeProprietaryCipher(proprietaryCipher)}`];
};

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Hosts expect card data under the ANSI X9.24 data key. */
const pinVariant =
  'It encrypts card data under the PIN variant of its key: whoever runs the gateway has to know that, or whoever ' +
  'supplied the reader has to set the data variant (command C7-A2)';

const names = { sred: 'card data', pin: 'PINs', mac: 'messages' } as const;

const describeMissingKey = ({ states }: Neo2KeyStatus, use: 'sred' | 'pin', name: string): string =>
  states.find((each) => each.use === use)?.usesLeft === 0
    ? `The key for ${name} is used up`
    : `There is no key for ${name}`;

/** The numbers of the keys in 81-0B; all are in slot 0. */
const uses = [
  ['sred', 2],
  ['pin', 1],
  ['mac', 5],
] as const;

type Neo2KeyStatus = {
  states: readonly KeyState[];
  /** The reader reports that it was opened. */
  tampered: boolean;
};

/** How the reader uses its key for card data; older ones do not report it. */
const readOutputMode = async (device: Neo2Device): Promise<void> => {
  device.outputMode = await device.askOptional('outputMode', { key: 1, slot: 0 });
};

/** Asks for each DUKPT key (81-0B). A reader that does not know the question counts as having keys: its data tells. */
const readKeys = async (device: Neo2Device): Promise<Neo2KeyStatus> => {
  const states: KeyState[] = [];
  let tampered = false;
  for (const [use, number] of uses) {
    const { status, answer } = await device.ask('keyState', { use: number, slot: 0 });
    const { means } = statusRow(status);
    tampered ||= means === 'tampered';
    if (answer === undefined) {
      if (use !== 'mac') states.push({ use, ready: means === 'unsupported' });
      continue;
    }
    const { state, ksn } = answer;
    if (use === 'mac' && state !== 'valid') continue;
    const left = state === 'ended' ? 0 : usesLeftOf(ksn);
    const ready = state === 'valid' && left !== 0;
    states.push({ use, slot: '0', ready, ksn, usesLeft: left });
  }
  return { states, tampered };
};

/** Whether the reader itself reports that it has the key and that it is usable. */
const showsKey = ({ states }: Neo2KeyStatus, use: KeyState['use']): boolean =>
  states.some((each) => each.use === use && each.ready && each.slot !== undefined);

const isReady = ({ states }: Neo2KeyStatus, use: KeyState['use']): boolean =>
  states.some((each) => each.use === use && each.ready);

/** Stops the reader, reads its information, and configures it. Throws the faults of link and device. */
const identify = async (device: Neo2Device): Promise<TerminalInfo> => {
  // Comes first: a reader that still waits for a card would take any other command as a cancel.
  await device.askOptional('cancel', {});
  await device.need('ping', {});
  const { text: serial } = await device.need('serial', {});
  const version = (await device.askOptional('version', {}))?.text ?? '';
  const firmware = (await device.askOptional('firmware', {}))?.text ?? version;
  await settle(device);
  return { model: parseModel(`${version} ${firmware}`), serial: serial.trim(), firmware: firmware.trim() };
};

const parseModel = (text: string): string => {
  const model = /\b(VP\d{4}\w*|Kiosk \w+|VIVOpay \w+)/i.exec(text)?.[0] ?? 'ID TECH';
  return isSimulated({ model: text, serial: '' }) ? simulatedModelName(model) : model;
};

/** Reads cards only on demand, sends no unsolicited data, and reports every restart. */
const settle = async (device: Neo2Device): Promise<void> => {
  device.restarted = false;
  await device.need('pollMode', { mode: 1 });
  await device.askOptional('configure', { tlvs: [neo2Tlv('DFEE7E', '00')] });
  await device.askOptional('bootNotice', { on: bootNotices.frame });
};
