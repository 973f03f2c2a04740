/** The DUKPT keys of an MMS device and its health, in words for a person. */
import { usesLeftOf } from '../../reader-terminal.ts';
import type { KeyState, TerminalHealth } from '../../terminal.ts';
import type { KeyInfo } from '../protocol/commands.ts';
import { offlineReasons } from '../protocol/properties.ts';
import type { MmsDevice } from './device.ts';

const unmapped = '0000';
/** The device's own limit: here it begins to warn. */
const batteryLowPercent = 15;
const offline = 0x01;

const stateOf = (use: KeyState['use'], slot: string, info: KeyInfo | undefined): KeyState => {
  if (info === undefined) return { use, slot, ready: false };
  const usesLeft = usesLeftOf(info.ksn);
  const ready = (info.status === 1 || info.status === 2) && usesLeft !== 0;
  return {
    use,
    slot,
    ready,
    ksn: info.ksn,
    usesLeft: usesLeft !== undefined && info.status === 3 ? 0 : usesLeft,
  };
};

const infoOf = async (device: MmsDevice, slot: string): Promise<KeyInfo | undefined> =>
  (await device.ask('keyInfo', { slot })).answer;

/** The keys that card data, PINs and MACs are assigned to. A device without a PIN pad has no slot for PINs. */
export const keysOf = async (device: MmsDevice): Promise<KeyState[]> => {
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

/** Why no card may be asked for, or undefined. */
export const unreadyWhy = async (device: MmsDevice): Promise<string | undefined> => {
  if ((await device.property('state')) === offline) {
    const [why] = await offlineProblems(device);
    return `it is offline${why === undefined ? '' : `: ${why}`}`;
  }
  const slot = (await device.property('dataKey'))?.slot ?? unmapped;
  const info = slot === unmapped ? undefined : await infoOf(device, slot);
  if (stateOf('sred', slot, info).ready) return undefined;
  const usedUp = info?.status === 3 || usesLeftOf(info?.ksn) === 0;
  return usedUp ? 'its key for card data is used up' : 'it has no key for card data';
};

/** The reasons of a device that is offline. */
const offlineProblems = async (device: MmsDevice): Promise<string[]> => {
  const [bits = 0] = (await device.property('offlineWhy')) ?? [];
  return offlineReasons.filter((_, bit) => ((bits >> bit) & 1) === 1);
};

const keyProblem = ({ use, slot, ready, usesLeft }: KeyState): string[] => {
  if (ready || (use === 'pin' && slot === undefined)) return [];
  const name = { sred: 'card data', pin: 'PINs', mac: 'message authentication' }[use];
  return [usesLeft === 0 ? `The key for ${name} is used up` : `There is no key for ${name}`];
};

/** The device's own word about itself. */
export const healthOf = async (device: MmsDevice): Promise<TerminalHealth> => {
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
  return {
    ok: problems.length === 0,
    problems,
    tampered,
    batteryPercent,
  };
};
