/** The dialects of MMS devices, and how each changes the bytes that the simulated device sends. */
import { concat } from '../../../src/base/hex.ts';
import type { Dialects } from '../../simulation/simulator.ts';
import { encodeMessage, type MmsMessage } from './messages.ts';

const manual = 'DynaFlex family programmer’s manual D100005000';

export const mmsDialects = {
  'end-first': {
    says: 'the end of a transaction (0105) is reported before its batch data',
    source: `${manual}, 1001: the end is listed before and after it`,
    about: 'end',
  },
  'end-twice': {
    says: 'the end of a transaction is reported before its batch data and again after it',
    source: `${manual}, 1001: the end is listed before and after it`,
    about: 'end',
  },
  'arqc-twice': {
    says: 'the block that asks for the host is repeated while the host is asked',
    source: `${manual}, property 1.1.1.1.1.6: as often as the property says`,
  },
  'long-lengths': {
    says: 'the payload’s length always takes two bytes after 82',
    source: `${manual}, examples of D101 and D111; github MagTek-PaulDeignan/WebHID_Public reads no other form`,
    models: 'apparently all',
  },
  'ids-left-out': {
    says: 'the answer about a key begins with its first object, without the id of the command',
    source: `${manual}, examples of EF11 and E001`,
  },
  'key-slot-other': {
    says: 'the answer about a key names a slot other than the one asked for',
    source: `${manual}, example of EF11`,
  },
  'battery-as-printed': {
    says: 'a battery notification has no length in tag 82',
    source: `${manual}, examples of notification 1001`,
  },
  'fallback-by-host': {
    says: 'the host leads the fallback to the stripe (property 1.2.1.1.1.1 is 00)',
    source: `${manual}, property 1.2.1.1.1.1`,
  },
  'echo-empty': {
    says: 'an echo is answered without the bytes sent',
    source: 'assumed: the manual has an example of the request alone',
  },
  'set-answered-empty': {
    says: 'the answer to setting a property does not repeat its value',
    source: 'assumed: the manual has answers with the value, and none without',
  },
  'started-with-warning': {
    says: 'a start is answered by 41: it runs, with a warning',
    source: `${manual}, summary byte of responses`,
  },
  'restart-told-at-start': {
    says: 'when switched on it reports a restart, again and again until that is acknowledged',
    source: `${manual}, properties 1.2.7.1.1.1 to .4`,
  },
  'notices-on-request': {
    says: 'it sends no notifications until they are subscribed to (1F02)',
    source: `${manual}, command 1F02; github MagTek-PaulDeignan/WebHID_Public gets a transaction’s without it`,
  },
  'block-as-printed': {
    says: 'data blocks are not padded to a multiple of eight, and their MAC is zeros',
    source: `${manual}, table 7.16`,
    models: 'units without a MAC key',
  },
  'masks-four': {
    says: 'a masked track 2 shows the first four digits and the last four, with zeros between them',
    source: 'DynaPro Mini programmer’s manual D99875629, printed batch block',
  },
  'names-plain': {
    says: 'answers give the plain names of properties, whatever form the question used',
    source: `${manual}, configuration: examples in three forms`,
  },
  'shows-at-till': {
    says: 'it has neither display nor PIN pad: it asks its host to show texts (1803)',
    source: `${manual}, notification 1803`,
    models: 'DynaFlex, DynaFlex II, DynaFlex II Go, DynaProx',
    shows: 'neither a card number nor a PIN can be typed in',
  },
} as const satisfies Dialects;

export type MmsDialect = keyof typeof mmsDialects;
export type MmsDialectPredicate = (dialect: MmsDialect) => boolean;

/** The bytes of a message before they are put into reports or frames. */
export const encodeInDialect = (message: MmsMessage, isDialect: MmsDialectPredicate): Uint8Array => {
  if (isDialect('battery-as-printed') && isBattery(message)) return dropDetailLength(encodeMessage(message));
  const { payload, ...rest } = message as Extract<MmsMessage, { kind: 'response' }>;
  if (payload === undefined || !isDialect('long-lengths')) return encodeMessage(message);
  const length = Uint8Array.of(0x84, 0x82, payload.length >> 8, payload.length & 0xff);
  return concat(encodeMessage(rest), length, payload);
};

const isBattery = (message: MmsMessage): boolean =>
  message.kind === 'notification' && message.id === '1001' && message.detail.startsWith('0002');

/** `AA00 8104 …` and `82`, followed by its length. */
const detailAt = 9;
const dropDetailLength = (bytes: Uint8Array): Uint8Array =>
  concat(bytes.subarray(0, detailAt), bytes.subarray(detailAt + 1));
