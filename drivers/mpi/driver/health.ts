/** How an MPI device is: its keys, its battery and its clock, in whole sentences where something is wrong. */
import { fromHex } from '../../../src/base/hex.ts';
import { tdesKsnIsValid, tdesKsnUsesLeft } from '../../../src/emv/dukpt-tdes.ts';
import type { KeyState, TerminalHealth } from '../../terminal.ts';
import type { ClockAnswer } from '../protocol/codec.ts';
import type { MpiKeyStatus } from '../protocol/commands.ts';
import type { MpiDevice } from './device.ts';

/** Below this a terminal without its charger may not last the day. */
const batteryLowPercent = 10;
/** Some days of a busy till: time to have a new key loaded. */
const usesLow = 2_000;
/** Beyond this the time on receipts and in the chip's data is wrong to whoever compares them. */
const clockOffMs = 5 * 60_000;

/** The last key serial numbers that the device used, hex: it tells them only with what it has encrypted. */
export type UsedKeys = { sred?: string; pin?: string };

export const keyStates = ({ ready, sred, pin }: MpiKeyStatus, used: UsedKeys): KeyState[] => [
  { use: 'sred', ready: ready && sred, ...serialFacts(used.sred) },
  { use: 'pin', ready: ready && pin, ...serialFacts(used.pin) },
];

/** `usesLeft` only of TDES DUKPT serial numbers; another length is another scheme. */
const serialFacts = (ksn: string | undefined): Pick<KeyState, 'ksn' | 'usesLeft'> => {
  if (ksn === undefined) return {};
  if (ksn.length !== 20 || !tdesKsnIsValid(fromHex(ksn))) return { ksn };
  return { ksn, usesLeft: tdesKsnUsesLeft(fromHex(ksn)) };
};

/** Asks the device. Throws the faults of link and device. */
export const healthOf = async (device: MpiDevice, used: UsedKeys): Promise<TerminalHealth> => {
  const { percent, charging = 0 } = await device.need('battery', {});
  const keys = await device.need('keys', {});
  const clock = await device.ask('clock', {});
  const differenceMs = clockDifference(clock.answer ?? {}, device.tools.clock.now());
  const problems = [
    ...(percent < batteryLowPercent && charging === 0 ? [`The battery is at ${percent} %`] : []),
    ...(keys.ready ? [] : ['The terminal says that it is not ready: it may have been opened, or have lost its keys']),
    ...(keys.sred ? [] : ['There is no key for card data']),
    ...(keys.pin ? [] : ['There is no key for PINs']),
    ...keyStates(keys, used).flatMap(wornWords),
    ...clockWords(differenceMs),
  ];
  return {
    ok: problems.length === 0,
    problems,
    batteryPercent: percent,
    clockDifferenceMs: differenceMs,
  };
};

const wornWords = ({ use, usesLeft }: KeyState): string[] => {
  if (usesLeft === undefined || usesLeft >= usesLow) return [];
  const of = use === 'pin' ? 'PINs' : 'card data';
  return [`The key for ${of} is good for ${usesLeft} more uses: have new keys loaded`];
};

const clockWords = (differenceMs: number | undefined): string[] => {
  if (differenceMs === undefined || Math.abs(differenceMs) < clockOffMs) return [];
  const minutes = Math.round(Math.abs(differenceMs) / 60_000);
  return [`The terminal’s clock is ${minutes} minutes ${differenceMs > 0 ? 'ahead' : 'behind'}`];
};

/** The device's local time minus ours, in ms; nothing when it gave none that is a time. */
const clockDifference = ({ date, time }: ClockAnswer, now: number): number | undefined => {
  const at = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(`${date}${time}`)?.slice(1).map(Number);
  if (at === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = at;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return undefined;
  return new Date(2000 + year, month - 1, day, hour, minute, second).getTime() - Math.floor(now / 1_000) * 1_000;
};
