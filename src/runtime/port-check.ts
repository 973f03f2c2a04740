/** What can be known of a terminal's port without opening it: whether it is there, may be used, and is free. */
import { access, constants, realpath, stat } from 'node:fs/promises';
import { type Address, parseAddress } from '../../drivers/address.ts';
import { type Holder, holdersOf, holderWords } from '../../drivers/links/holder.ts';
import { type PluggedIn, pluggedIn } from '../../drivers/links/plugged.ts';
import { openWords, udevCure } from '../../drivers/links/port-words.ts';

export type Verdict = 'good' | 'attention' | 'bad';

/**
 * One thing that was looked at. `says` is a whole sentence, `cure` what a person does about it, `inOrder` what to
 * look at when nobody knows. */
export type Check = {
  what: string;
  verdict: Verdict | 'notAsked';
  says: string;
  cure?: string;
  inOrder?: readonly string[];
};

/** The machine's ports, for tests to replace. Paths only exist where ports are files. */
export type Ports = {
  platform: string;
  plugged(): Promise<PluggedIn>;
  isThere(path: string): Promise<boolean>;
  isOurs(path: string): Promise<boolean>;
  /** Who has it open, or may be about to take it. */
  holders(path: string): Promise<readonly Holder[]>;
  /** What to do about a port that this user may not use. */
  permissionCure(path: string): Promise<string>;
};

export const ports: Ports = {
  platform: process.platform,
  plugged: () => pluggedIn(),
  isThere: (path) => stat(path).then(yes, no),
  isOurs: (path) => access(path, constants.R_OK | constants.W_OK).then(yes, no),
  holders: async (path) => ((await isSimulated(path)) ? [] : holdersOf(path)),
  permissionCure: (path) => openWords(new Error('permission denied'), path),
};

/** A pseudo terminal is held open by whoever simulates the device behind it. */
const isSimulated = (path: string): Promise<boolean> => realpath(path).then((node) => node.startsWith('/dev/pts/'), no);

const yes = () => true;
const no = () => false;

const WHAT = 'Port';

/** What keeps this address from being opened, if anything can be told before it is tried. */
export const checkPort = async (address: string, at: Ports = ports): Promise<Check> => {
  const place = parseAddress(address);
  if (place.link === 'tcp') {
    const { host, port } = place;
    return { what: WHAT, verdict: 'good', says: `The terminal is reached by network, at ${host} port ${port}.` };
  }
  const path = place.link === 'serial' ? place.path : await nodeOf(place, at);
  if (path === undefined) return missing('The terminal is not plugged in', at);
  // Windows names its ports: there is no file to look at, and opening tells everything.
  if (at.platform === 'win32') return { what: WHAT, verdict: 'good', says: `The port is ${path}.` };
  if (!(await at.isThere(path))) return missing(`There is no port ${path}`, at);
  if (!(await at.isOurs(path))) {
    const says = `This user may not use ${path}.`;
    return { what: WHAT, verdict: 'bad', says, cure: `${sentence(await at.permissionCure(path))}` };
  }
  const holders = await at.holders(path);
  if (holders.length === 0) return { what: WHAT, verdict: 'good', says: `${path} is there, and free.` };
  const held = holders.some(({ seen }) => seen === 'open');
  if (!held && !/tty(ACM|USB)/.test(path)) return { what: WHAT, verdict: 'good', says: `${path} is there, and free.` };
  return {
    what: WHAT,
    verdict: held ? 'bad' : 'attention',
    says: held ? `Another program has ${path} open.` : `${path} is free now, but a program here takes such ports.`,
    cure: sentence(held ? holderWords(holders) : takerWords(holders)),
  };
};

const takerWords = (holders: readonly Holder[]): string =>
  `${holders.map(({ program, pid }) => `${program} (process ${pid})`).join(', ')} runs; keep it off terminals: ${udevCure}`;

const sentence = (words: string): string => {
  const whole = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
};

/** The node of a HID device, or its address where the system has no nodes; undefined when it is not plugged in. */
const nodeOf = async (place: Address & { link: 'hid' }, at: Ports): Promise<string | undefined> => {
  const { devices } = await at.plugged();
  const found = devices.find(
    ({ by, vendorId, productId, serial }) =>
      by === 'hid' &&
      vendorId === place.vendorId &&
      productId === place.productId &&
      (place.serial === undefined || place.serial === serial),
  );
  return found === undefined ? undefined : (found.path ?? 'a USB device');
};

const missing = (words: string, { platform }: Ports): Check => ({
  what: WHAT,
  verdict: 'bad',
  says: `${words}.`,
  cure: 'Check, in this order:',
  inOrder: whatToCheck(platform),
});

/** What to look at when no terminal is found, in the order in which it usually helps. Whole sentences. */
export const whatToCheck = (platform: string): string[] => [
  'Is the terminal switched on, past its start, and charged?',
  'Is the cable plugged in at both ends, and is it a data cable? Try another one, and another socket without a hub.',
  ...(systemWords[platform] ?? []),
  'Is another program using the terminal? Close other point-of-sale programs and the maker’s own tools.',
  'Is the terminal set to the interface that you expect (USB serial, USB HID, network)? Its own menu or label tells.',
  'A terminal in the network is not searched for: name it, as in mpi+tcp://192.168.1.20:6543, and try to ping it.',
];

const systemWords: Readonly<Record<string, readonly string[]>> = {
  linux: [
    'Does the system see it? dmesg tells of each device that is plugged in; lsusb lists all.',
    `May this user use it? Run once: ${udevCure}, then log in again and plug the terminal in anew.`,
  ],
  win32: ['Does the Device Manager show it under Ports (COM & LPT) or Human Interface Devices, without a warning?'],
  darwin: ['Does System Information list it under USB? A serial terminal is a file: ls /dev/cu.*'],
};
