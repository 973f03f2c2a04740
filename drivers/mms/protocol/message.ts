/**
 * MMS messages: `AA 00`, then BER-TLVs 81 what it is, 82 how it ended or what happened, 84 its payload.
 * Source: MagTek, DynaFlex family programmer's manual, "Messages (Requests, Responses, Notifications, and Files)".
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';

/** `id` is the command or notification: four hex digits. `ref` ties a response to its request. */
export type MmsMessage =
  | { kind: 'request'; ref: number; id: string; payload?: Uint8Array }
  /** `status`: summary and detail, eight hex digits. */
  | { kind: 'response'; ref: number; id: string; status: string; payload?: Uint8Array }
  /** `detail`: eight hex digits. */
  | { kind: 'notification'; id: string; detail: string; payload?: Uint8Array }
  /** Parts of files and whatever else: not for this driver. */
  | { kind: 'other'; type: number };

/** The longest message that is joined or sent: blocks with several tracks stay far below it. */
export const messageMax = 16_384;

const types = { request: 0x01, response: 0x82, notification: 0x83 } as const;
const start = Uint8Array.of(0xaa, 0x00);

const garbled = (bytes: Uint8Array, cause?: unknown): Fault =>
  new Fault('terminal.garbled', { bytes: bytes.length }, cause);

/** Reads a message; lengths need not be minimal. Throws `terminal.garbled`. */
export const decodeMessage = (bytes: Uint8Array): MmsMessage => {
  if (bytes[0] !== start[0] || bytes[1] !== start[1]) throw garbled(bytes);
  let list: Tlv[];
  try {
    list = decodeTlv(withDetailLength(bytes).subarray(start.length));
  } catch (cause) {
    throw garbled(bytes, cause);
  }
  const what = find(list, '81')?.value;
  const [type, ref] = what ?? [];
  if (what === undefined || type === undefined || ref === undefined) throw garbled(bytes);
  const state = toHex(find(list, '82')?.value ?? new Uint8Array(0));
  const content = find(list, '84')?.value;
  const payload = content === undefined ? {} : { payload: content };
  if (what.length !== 4) return { kind: 'other', type };
  const id = toHex(what.subarray(2));
  if (type === types.request) return { kind: 'request', ref, id, ...payload };
  if (type !== types.response && type !== types.notification) return { kind: 'other', type };
  if (state.length !== 8) throw garbled(bytes);
  if (type === types.response) return { kind: 'response', ref, id, status: state, ...payload };
  return { kind: 'notification', id, detail: state, ...payload };
};

/** The manual prints notices of the battery without the length of tag 82: its four bytes come at once, and end it. */
export const lacksDetailLength = (bytes: Uint8Array): boolean =>
  bytes.length === 13 && bytes[4] === types.notification && bytes[8] === 0x82;

const withDetailLength = (bytes: Uint8Array): Uint8Array =>
  lacksDetailLength(bytes) ? concat(bytes.subarray(0, 9), Uint8Array.of(4), bytes.subarray(9)) : bytes;

/** The bytes of a message. Throws `terminal.garbled` for the kind `other`. */
export const encodeMessage = (message: MmsMessage): Uint8Array => {
  if (message.kind === 'other') throw new Fault('terminal.garbled', { bytes: 0 });
  const ref = message.kind === 'notification' ? 0 : message.ref;
  const what = concat(Uint8Array.of(types[message.kind], ref), fromHex(message.id));
  const list = [tlv('81', what)];
  if (message.kind === 'response') list.push(tlv('82', message.status));
  if (message.kind === 'notification') list.push(tlv('82', message.detail));
  if (message.payload !== undefined) list.push(tlv('84', message.payload));
  return concat(start, encodeTlv(list));
};

/** The payload of a message with this id: the id, then TLVs. */
export const payloadOf = (id: string, content: Uint8Array): Uint8Array => concat(fromHex(id), content);

/** The TLVs of a payload. Some devices leave out the id before them. Throws `tlv.malformed`. */
export const contentOf = (id: string, payload: Uint8Array | undefined): Tlv[] => {
  if (payload === undefined) return [];
  return decodeTlv(toHex(payload.subarray(0, 2)) === id ? payload.subarray(2) : payload);
};
