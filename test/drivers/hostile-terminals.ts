/** Hostile terminals: the worst that a device of each protocol could send, as an endless series of portions. */

import type { Driver } from '../../drivers/driver.ts';
import { encodeMmsReports, encodeSlip } from '../../drivers/framing/mms-frame.ts';
import { encodeNeo2Frame, neo2ReportsOf } from '../../drivers/framing/neo2-frame.ts';
import { encodeZvtApdu, encodeZvtFrame } from '../../drivers/framing/zvt-frame.ts';
import { type Link, reportBytes } from '../../drivers/links/link.ts';
import { encodeMessage } from '../../drivers/mpi/protocol/messages.ts';
import { drivers } from '../../drivers/registry.ts';
import { seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Model } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { zvtDriver } from '../../drivers/zvt/driver/driver.ts';
import type { ZvtFraming } from '../../drivers/zvt/protocol/trace.ts';
import { zvtSimulatorOf } from '../../drivers/zvt/simulator/simulator.ts';
import { concat, fromHex } from '../../src/base/hex.ts';

/** One protocol in one of its forms. */
export type Ground = {
  name: string;
  driver: Driver;
  model: Model;
  carries: Link['carries'];
  /** A message of the device, given as hex without its frame. */
  frame(hex: string): Uint8Array;
};

/** Returns the next portion that a hostile device sends. */
export type Attack = () => Uint8Array;

const neo2Frame = (hex: string): Uint8Array => {
  const [command = 0, status = 0, ...data] = fromHex(hex);
  return encodeNeo2Frame({ header: 'ViVOtech2', command, status, data: Uint8Array.from(data) }, { from: 'reader' });
};
const apdu = (hex: string) => ({ code: hex.slice(0, 4), data: fromHex(hex.slice(4)) });
const groundFor = (name: 'mms' | 'neo2' | 'mpi', carries: Link['carries'], frame: Ground['frame']): Ground => {
  const [driver, model] = [drivers[name], simulators[name]];
  if (driver === undefined || model === undefined) throw new Error(`no ${name}`);
  return { name: `${name}, ${carries}`, driver, model, carries, frame };
};
const zvtGround = (form: ZvtFraming, frame: Ground['frame']): Ground => ({
  name: `zvt, ${form}`,
  driver: zvtDriver({ form }),
  model: zvtSimulatorOf({ form }),
  carries: 'stream',
  frame,
});

export const grounds = {
  mmsStream: groundFor('mms', 'stream', (hex) => encodeSlip({ info: 2, message: fromHex(hex) })),
  mmsReports: groundFor('mms', 'reports', (hex) => encodeMmsReports(fromHex(hex))),
  neo2Stream: groundFor('neo2', 'stream', neo2Frame),
  neo2Reports: groundFor('neo2', 'reports', (hex) => concat(...neo2ReportsOf(neo2Frame(hex)))),
  mpi: groundFor('mpi', 'stream', (hex) => encodeMessage(fromHex(hex), { unsolicited: false })),
  /** Its unsolicited messages. */
  mpiUnasked: groundFor('mpi', 'stream', (hex) => encodeMessage(fromHex(hex), { unsolicited: true })),
  zvtSerial: zvtGround('serial', (hex) => encodeZvtFrame(apdu(hex))),
  zvtApdu: zvtGround('apdu', (hex) => encodeZvtApdu(apdu(hex))),
} as const satisfies Record<string, Ground>;

const repeatForever =
  (portion: Uint8Array): Attack =>
  () =>
    portion;
const repeatHex = (hex: string, times: number): Uint8Array => fromHex(hex.repeat(times));
/** The first bytes once, then the rest for ever. */
const inSequence = (first: Uint8Array, rest: Uint8Array): Attack => {
  let hasBegun = false;
  return () => {
    if (hasBegun) return rest;
    hasBegun = true;
    return first;
  };
};
const pad = (hex: string): Uint8Array => {
  const report = new Uint8Array(reportBytes);
  report.set(fromHex(hex));
  return report;
};
const nestTag = (tag: string, levels: number): string => tag.repeat(levels);

const noise = (seed: number, size: number): Attack => {
  const random = seededRandom(seed);
  return () => random(size);
};

const { mmsStream, mmsReports, neo2Stream, neo2Reports, mpi, zvtSerial, zvtApdu } = grounds;

/** Attacks on a till that has just opened the link, by name. */
export const attacks: readonly [string, Ground, Attack][] = [
  ...Object.values(grounds).flatMap((each): [string, Ground, Attack][] => [
    ['bytes at random', each, noise(20_260_108, 4_096)],
    ['zeros', each, repeatForever(new Uint8Array(4_096))],
    ['one byte of its framing', each, repeatForever(repeatHex('C0', 4_096))],
  ]),
  ['a length of four gigabytes', mmsStream, inSequence(fromHex('C002FFFFFFFF'), repeatHex('41', 4_096))],
  ['a frame that never ends', mmsStream, inSequence(fromHex('C00200004000'), repeatHex('41', 4_096))],
  ['frames shorter than they say', mmsStream, repeatForever(fromHex('C00200000010AA00C0'))],
  ['the notice that messages are too long', mmsStream, repeatForever(fromHex('C00300000000C0'))],
  ['a head of four gigabytes', mmsReports, repeatForever(pad('01FFFFFFFF'))],
  ['heads without tails', mmsReports, repeatForever(pad('0100004000'))],
  ['middles without end', mmsReports, inSequence(pad('0100004000'), pad('020001'))],
  ['cancels without end', mmsReports, repeatForever(pad('04'))],
  ['notices', mmsReports, repeatForever(mmsReports.frame('AA00810483000101820410010200'))],
  ['notices in a stream', mmsStream, repeatForever(mmsStream.frame('AA00810483000101820410010200'))],
  ['templates in templates', mmsStream, repeatForever(mmsStream.frame(`AA00${nestTag('E17F', 60)}`))],
  ['answers to nobody', mmsStream, repeatForever(mmsStream.frame('AA0081048277DF01820400000000'))],
  [
    'a frame of the greatest length',
    neo2Stream,
    inSequence(fromHex('5669564F746563683200020020'), repeatHex('00', 4_096)),
  ],
  ['a length of 65535', neo2Stream, repeatForever(fromHex('5669564F746563683200020000FFFF'))],
  ['“working” again and again', neo2Stream, repeatForever(neo2Stream.frame('6063'))],
  ['“working” in reports', neo2Reports, repeatForever(neo2Reports.frame('6063'))],
  ['menus again and again', neo2Stream, repeatForever(neo2Stream.frame('6101030000'))],
  ['restarts again and again', neo2Stream, repeatForever(neo2Stream.frame('14004E454F32'))],
  ['cancels that nobody requested', neo2Stream, repeatForever(neo2Stream.frame('0500'))],
  ['first reports without an end', neo2Reports, repeatForever(pad('02'))],
  ['next reports without a first', neo2Reports, repeatForever(pad('03'))],
  ['templates in templates', neo2Stream, repeatForever(neo2Stream.frame(`0200${nestTag('E17F', 60)}`))],
  ['blocks that never end', mpi, repeatForever(repeatHex('0101FE', 1_366))],
  ['a chain without end', mpi, repeatForever(repeatHex('010104C0C1C2C304', 512))],
  ['notices', mpi, repeatForever(fromHex('014008E10448020000900076'))],
  ['an APDU of 64 KiB', zvtApdu, repeatForever(fromHex('040FFFFFFF'))],
  ['an APDU that never ends', zvtApdu, inSequence(fromHex('040FFFFF3F'), repeatHex('00', 4_096))],
  ['“please wait” again and again', zvtApdu, repeatForever(fromHex('849C00'))],
  ['statuses again and again', zvtApdu, repeatForever(fromHex('04FF010A'))],
  ['lines to print', zvtApdu, repeatForever(fromHex('06D1020041'))],
  ['a frame that never ends', zvtSerial, inSequence(fromHex('1002'), repeatHex('41', 4_096))],
  ['a NAK for all', zvtSerial, repeatForever(fromHex('15'))],
  ['an ACK for all', zvtSerial, repeatForever(fromHex('06'))],
  ['“please wait” again and again', zvtSerial, repeatForever(zvtSerial.frame('849C'))],
];
