/** What can be found out about a terminal's port without opening it: whether it exists, is accessible, and is free. */
import { access, constants, realpath, stat } from 'node:fs/promises';
import { type Address, parseAddress } from '../../../drivers/address.ts';
import { listPluggedDevices, type PluggedDevices } from '../../../drivers/links/plugged.ts';
import { describeHolders, explainOpen, type Holder, holdersOf, udevCure } from '../../../drivers/links/port-words.ts';
import type { Check, CheckMessages } from '../../api/contract/diagnosis.ts';
import type { Facts, LocalizedMessage } from '../../base/localized-message.ts';
import { type CheckCode, tellCheck } from '../../locales/messages/en/machine.ts';

/** A check in English and as localized messages. */
export const checkOf = (what: string, verdict: Check['verdict'], texts: CheckMessages): Check => ({
  what,
  verdict,
  says: texts.says.says,
  told: texts,
  cure: texts.cure?.says,
  inOrder: texts.inOrder?.map(({ says }) => says),
});

/** The machine's ports, replaced in tests. Paths exist only where ports are files. */
export type Ports = {
  platform: string;
  listPlugged(): Promise<PluggedDevices>;
  isThere(path: string): Promise<boolean>;
  isOurs(path: string): Promise<boolean>;
  /** Programs that have the port open, or may open it soon. */
  holders(path: string): Promise<readonly Holder[]>;
  /** What to do about a port that this user cannot access. */
  permissionCure(path: string): Promise<string>;
};

export const ports: Ports = {
  platform: process.platform,
  listPlugged: () => listPluggedDevices(),
  isThere: (path) => stat(path).then(yes, no),
  isOurs: (path) => access(path, constants.R_OK | constants.W_OK).then(yes, no),
  holders: async (path) => ((await isSimulated(path)) ? [] : holdersOf(path)),
  permissionCure: (path) => explainOpen(new Error('permission denied'), path),
};

/** A pseudo terminal is open in the program that simulates the device behind it. */
const isSimulated = (path: string): Promise<boolean> => realpath(path).then((node) => node.startsWith('/dev/pts/'), no);

const yes = () => true;
const no = () => false;

const WHAT = 'Port';

/** Checks what would prevent opening this address, as far as that can be known without trying. */
export const checkPort = async (address: string, at: Ports = ports): Promise<Check> => {
  const place = parseAddress(address);
  if (place.link === 'tcp') {
    const { host, port } = place;
    return goodCheck('byNetwork', { host, port: String(port) });
  }
  const path = place.link === 'serial' ? place.path : await nodeOf(place, at);
  if (path === undefined) return missingCheck(tellCheck('notPlugged'), at);
  // Windows names its ports: there is no file to inspect, and only opening a port shows whether it works.
  if (at.platform === 'win32') return goodCheck('portIs', { path });
  if (!(await at.isThere(path))) return missingCheck(tellCheck('noPort', { path }), at);
  if (!(await at.isOurs(path))) {
    const cure = tellCheck('allowPort', { why: asSentence(await at.permissionCure(path)) });
    return checkOf(WHAT, 'bad', { says: tellCheck('mayNotUse', { path }), cure });
  }
  const holders = await at.holders(path);
  const isOpen = holders.some(({ seen }) => seen === 'open');
  if (holders.length === 0 || (!isOpen && !/tty(ACM|USB)/.test(path))) return goodCheck('portFree', { path });
  const reason = asSentence(isOpen ? describeHolders(holders) : describeTakers(holders));
  const message = tellCheck(isOpen ? 'held' : 'taker', { path });
  return checkOf(WHAT, isOpen ? 'bad' : 'attention', {
    says: message,
    cure: tellCheck('closeHolder', { why: reason }),
  });
};

const goodCheck = (code: CheckCode, facts: Facts): Check =>
  checkOf(WHAT, 'good', { says: tellCheck(code, facts as never) });

const describeTakers = (holders: readonly Holder[]): string =>
  `${holders.map(({ program, pid }) => `${program} (process ${pid})`).join(', ')} runs; keep it off terminals: ${udevCure}`;

const asSentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
};

/** The node of a HID device, or its address on systems without nodes. Undefined when it is not plugged in. */
const nodeOf = async (place: Address & { link: 'hid' }, at: Ports): Promise<string | undefined> => {
  const { devices } = await at.listPlugged();
  const found = devices.find(
    ({ by, vendorId, productId, serial }) =>
      by === 'hid' &&
      vendorId === place.vendorId &&
      productId === place.productId &&
      (place.serial === undefined || place.serial === serial),
  );
  return found === undefined ? undefined : (found.path ?? 'a USB device');
};

const missingCheck = (message: LocalizedMessage, { platform }: Ports): Check =>
  checkOf(WHAT, 'bad', { says: message, cure: tellCheck('checkInOrder'), inOrder: connectionAdvice(platform) });

/** What to check when no terminal is found, most helpful first. Whole sentences. */
export const whatToCheck = (platform: string): string[] => connectionAdvice(platform).map(({ says }) => says);

const connectionAdvice = (platform: string): LocalizedMessage[] => [
  tellCheck('isOn'),
  tellCheck('isCabled'),
  ...(systemWords[platform] ?? []),
  tellCheck('isTaken'),
  tellCheck('isSet'),
  tellCheck('isNamed'),
];

const systemWords: Readonly<Record<string, readonly LocalizedMessage[]>> = {
  linux: [tellCheck('linuxSees'), tellCheck('linuxMay', { command: udevCure })],
  win32: [tellCheck('windowsSees')],
  darwin: [tellCheck('macSees')],
};
