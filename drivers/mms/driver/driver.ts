/** MagTek's MMS terminals: the till's terminal interface over the MMS protocol, with keys and health. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReaderDriver } from '../../driver.ts';
import { openReader, type ReaderActions, usesLeftOf } from '../../reader-terminal.ts';
import { type HostVerdict, type KeyState, type TerminalHealth, type TerminalInfo, withPinPad } from '../../terminal.ts';
import { type KeyInfo, texts } from '../protocol/commands.ts';
import { mmsDialectDetector } from '../protocol/dialect-detection.ts';
import { mmsNarrator } from '../protocol/narrator.ts';
import { offlineReasons } from '../protocol/properties.ts';
import { mmsScribe } from '../protocol/trace.ts';
import { complete, giveUp } from './complete.ts';
import { MmsDevice } from './device.ts';
import { read } from './read.ts';
import { MmsReading, promptTexts } from './reading.ts';

const vendorId = 0x0801;

export const mms: ReaderDriver = {
  kind: 'reader',
  name: 'mms',
  title: 'MagTek MMS',
  // Products 2021 and 2022 are boot loaders, not terminals.
  usb: [
    { vendorId, productId: 0x2020, name: 'MagTek DynaFlex', by: 'hid' },
    { vendorId, productId: 0x2023, name: 'MagTek DynaProx', by: 'hid' },
    { vendorId, productId: 0x2024, name: 'MagTek DynaFlex II Go', by: 'hid' },
  ],
  serial: { baudRate: 115_200, stopBits: 1 },
  hid: { reportIds: false },
  scribe: mmsScribe,
  narrator: mmsNarrator,
  detector: mmsDialectDetector,
  open: (link, tools) => openReader(new MmsDevice(link, tools), greet),
};

const greet = async (device: MmsDevice): Promise<ReaderActions<MmsReading>> => readerOf(device, await identify(device));

/** Checks that the device listens, ends what it may still be doing, and reads its information. */
const identify = async (device: MmsDevice): Promise<TerminalInfo> => {
  await device.echo();
  await device.cancel();
  // A device that restarted repeats its notification until it receives this.
  await device.set('resetSeen', 1);
  // Another program may have unsubscribed; without a list all notifications are subscribed.
  await device.ask('subscribe', {});
  const info = {
    model: (await device.property('model')) ?? 'MagTek',
    serial: (await device.property('serial')) ?? '',
    firmware: (await device.property('firmware')) ?? '',
  };
  device.markGreeted();
  // The hello does not read the keys, so for an unknown model nothing is known about a PIN pad.
  return withPinPad(info, false);
};

const readerOf = (device: MmsDevice, info: TerminalInfo): ReaderActions<MmsReading> => ({
  info,
  keys: () => keysOf(device),
  health: () => healthOf(device),
  echo: () => device.echo(),
  show: (prompt) => device.show(promptTexts[prompt]),
  startReading: (request, notify) => new MmsReading(device, request, notify),
  async read(reading) {
    const reason = await whyNotReady(device);
    if (reason !== undefined) throw new Fault('terminal.unready', { why: reason });
    const { outcome, requestBlock } = await read(reading);
    if (requestBlock === undefined) return { outcome };
    const at = { requestBlock, chip: outcome.kind === 'goOnline' && outcome.card.entryMode === 'ICC' };
    const waiting = {
      complete: (verdict: HostVerdict) => complete(device, verdict, at),
      drop: () => giveUp(device, requestBlock.serial),
    };
    return { outcome, waiting };
  },
  async waitForRemoval(withinMs) {
    const { events, tools } = device;
    if (!events.present()) return true;
    if (!events.isRunning()) await device.show(texts.removeCard);
    const until = tools.clock.monotonic() + withinMs;
    while (events.present()) {
      // Events of a transaction that waits for the host stay where they are.
      if (!(await device.waitForChange(until))) return !events.present();
    }
    return true;
  },
  // The host's answer is on its way to the card, which decides last.
  stop: () => device.cancel(),
  quieten: () => giveUp(device, undefined),
});

const unmapped = '0000';
/** The device's own limit for its battery warning. */
const batteryLowPercent = 15;
const offline = 0x01;

const stateOf = (use: KeyState['use'], slot: string, info: KeyInfo | undefined): KeyState => {
  if (info === undefined) return { use, slot, ready: false };
  const usesLeft = usesLeftOf(info.ksn);
  const ready = (info.status === 1 || info.status === 2) && usesLeft !== 0;
  return { use, slot, ready, ksn: info.ksn, usesLeft: usesLeft !== undefined && info.status === 3 ? 0 : usesLeft };
};

const infoOf = async (device: MmsDevice, slot: string): Promise<KeyInfo | undefined> =>
  (await device.ask('keyInfo', { slot })).answer;

/** The keys for card data, PINs and MACs. A device without a PIN pad has no slot for PINs. */
const keysOf = async (device: MmsDevice): Promise<KeyState[]> => {
  const states: KeyState[] = [];
  for (const [use, name] of [
    ['sred', 'dataKey'],
    ['pin', 'pinKey'],
    ['pin', 'pinKeyAes'],
    ['mac', 'macKey'],
  ] as const) {
    const slot = (await device.property(name))?.slot ?? unmapped;
    if (slot !== unmapped) states.push(stateOf(use, slot, await infoOf(device, slot)));
  }
  if (!states.some(({ use }) => use === 'sred')) states.unshift({ use: 'sred', ready: false });
  if (!states.some(({ use }) => use === 'pin')) states.push({ use: 'pin', ready: false });
  return states;
};

/** Why no card can be requested, or undefined. */
const whyNotReady = async (device: MmsDevice): Promise<string | undefined> => {
  if ((await device.property('state')) === offline) {
    const [reason] = await offlineProblems(device);
    return `it is offline${reason === undefined ? '' : `: ${reason}`}`;
  }
  const slot = (await device.property('dataKey'))?.slot ?? unmapped;
  const info = slot === unmapped ? undefined : await infoOf(device, slot);
  if (stateOf('sred', slot, info).ready) return undefined;
  const usedUp = info?.status === 3 || usesLeftOf(info?.ksn) === 0;
  return usedUp ? 'its key for card data is used up' : 'it has no key for card data';
};

const offlineProblems = async (device: MmsDevice): Promise<string[]> => {
  const [bits = 0] = (await device.property('offlineWhy')) ?? [];
  return offlineReasons.filter((_, bit) => ((bits >> bit) & 1) === 1);
};

const keyProblem = ({ use, slot, ready, usesLeft }: KeyState): string[] => {
  if (ready || (use === 'pin' && slot === undefined)) return [];
  const name = { sred: 'card data', pin: 'PINs', mac: 'message authentication' }[use];
  return [usesLeft === 0 ? `The key for ${name} is used up` : `There is no key for ${name}`];
};

/** The device's own report about its health. */
const healthOf = async (device: MmsDevice): Promise<TerminalHealth> => {
  const state = await device.property('state');
  const tampered = (await device.property('tampered')) === 1;
  const batteryPercent = await device.property('battery');
  const reasons = state === offline ? await offlineProblems(device) : [];
  const keys = await keysOf(device);
  const warnings = [...device.warnings].filter(([about]) => about !== 'battery' || batteryPercent === undefined);
  const problems = [
    ...(tampered ? [offlineReasons[0]] : []),
    ...reasons.filter((reason) => !tampered || reason !== offlineReasons[0]),
    ...(state === offline && reasons.length === 0 ? ['The terminal says that it is offline'] : []),
    ...(batteryPercent !== undefined && batteryPercent <= batteryLowPercent
      ? [`The battery is at ${batteryPercent} %`]
      : []),
    ...keys.flatMap(keyProblem),
    ...warnings.map(([, text]) => text),
  ];
  return { ok: problems.length === 0, problems, tampered, batteryPercent };
};
