/**
 * Recording a NEO 2 conversation without its card data: frames stay whole and valid, values that are not known to be
 * harmless become zeros. Such a tape can be played back.
 */
import { concat, toHex } from '../../src/base/hex.ts';
import { isSensitive } from '../../src/emv/tags.ts';
import type { Way } from '../driver.ts';
import { cutter } from '../framing/framer.ts';
import { encodeNeo2Frame, type Neo2Frame, neo2Frame, neo2FrameMax } from '../framing/neo2-frame.ts';
import { neo2ReportsOf, neo2Unpacker } from '../framing/neo2-reports.ts';
import type { Link } from '../links/link.ts';
import type { Scribe } from '../links/tape.ts';
import { resultCodec } from './codec.ts';
import { commandByte, commandNames, commands, fromHost, fromReader } from './commands.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, type Neo2Tlv } from './tlv.ts';
import { upcallCommand } from './upcalls.ts';

/** The maker's own tags that carry no card data. The key serial number DFEE12 names a key, not a card. */
const shown = new Set(
  `DFEE12 FFEE12 DFEE25 DFEE26 DFEE1A DFEE30 DF30 DFEF1F DFEF37 DFEF3C DFEF61 DFEE7E FFEE1F DF62 FFEE01 FF8105 FF8106
   E300`.split(/\s+/),
);

/** Commands whose data is one step of a card transaction: TLVs. */
const cardCommands = new Set([0x02, 0x03, 0x60, 0x83]);
/** PINs as characters: nothing of them is shown but the state. */
const pinCommand = commandByte('onlinePin');
/** How many bytes stand before the TLVs of a command. */
const heads: Readonly<Record<string, number>> = {
  [commands.activate.code]: 1,
  [commands.startChip.code]: 5,
  [commands.authenticate.code]: 3,
  [commands.finish.code]: 1,
  [commands.tapResult.code]: 1,
  [commands.manual.code]: 4,
};
const commandBytes = new Set(commandNames.map(commandByte));

/** Shows whole frames with sensitive values zeroed; noise as unknown bytes. Over HID a line for each report. */
export const neo2Scribe = (way: Way, carries: Link['carries']): Scribe => {
  const framing = way === 'said' ? fromHost : fromReader;
  const frames = cutter(neo2Frame(framing), neo2FrameMax);
  const unpacker = neo2Unpacker(framing.from);
  const line = (bytes: Uint8Array): string[] =>
    carries === 'stream' ? [toHex(bytes)] : neo2ReportsOf(bytes).map(toHex);
  const write = (bytes: Uint8Array): string[] =>
    frames
      .push(bytes)
      .flatMap((piece) =>
        piece.kind === 'noise'
          ? ['**'.repeat(piece.bytes.length)]
          : line(encodeNeo2Frame({ ...piece.frame, data: shownData(piece.frame, way) }, framing)),
      );
  return { push: (bytes) => (carries === 'stream' ? write(bytes) : unpacker.push(bytes).flatMap(write)) };
};

const zeros = (data: Uint8Array): Uint8Array => new Uint8Array(data.length);

const shownData = (frame: Neo2Frame, way: Way): Uint8Array => {
  const { command, sub = 0, data } = frame;
  if (command === pinCommand) return shownPin(data, way);
  if (!commandBytes.has(command) && command !== upcallCommand) return zeros(data);
  if (!cardCommands.has(command)) return data;
  if (way === 'said') {
    const head = heads[toHex(Uint8Array.of(command, sub))] ?? 0;
    return concat(data.subarray(0, head), shownTlvs(data.subarray(head)));
  }
  const head = hasAttribution(data) ? 1 : 0;
  return concat(data.subarray(0, head), shownTlvs(data.subarray(head)));
};

/** The question without a card number from outside is shown whole; of an answer only its state is. */
const shownPin = (data: Uint8Array, way: Way): Uint8Array =>
  way === 'said' && data[1] === 0 ? data : concat(data.subarray(0, 1), zeros(data.subarray(1)));

const hasAttribution = (data: Uint8Array): boolean => {
  try {
    return resultCodec.decode(data).attribution !== undefined;
  } catch {
    // What is no TLV cannot be judged; it is zeroed whole below.
    return false;
  }
};

/** The same objects in the same places; what cannot be read, or would change its length, is zeroed whole. */
const shownTlvs = (data: Uint8Array): Uint8Array => {
  try {
    const masked = encodeNeo2Tlv(decodeNeo2Tlv(data).map(zeroed));
    return masked.length === data.length ? masked : zeros(data);
  } catch {
    // What is no TLV cannot be judged.
    return zeros(data);
  }
};

const zeroed = (object: Neo2Tlv): Neo2Tlv => {
  if (object.children !== undefined) return { ...object, children: object.children.map(zeroed) };
  const show = object.mark === undefined && (shown.has(object.tag) || !isSensitive(object.tag));
  return show ? object : { ...object, value: zeros(object.value) };
};
