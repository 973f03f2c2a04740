/**
 * Records an MMS conversation without its card data: messages stay whole and valid, and values that are not known to be
 * harmless become zeros, marked as masked. Such a tape can be replayed.
 */
import { overwrite, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, find, type Tlv } from '../../../src/emv/tlv.ts';
import type { TraceDirection } from '../../driver.ts';
import { type Link, reportBytes } from '../../links/link.ts';
import type { Scribe } from '../../links/tape.ts';
import { printBytes } from '../../links/tape-text.ts';
import { commandNamed } from './commands.ts';
import { frameMessage, frameReader } from './messages.ts';

/** Notification tags that contain no card data. Key serial numbers identify keys, not cards. */
const harmless = new Set(
  `DFDF54 DFDF55 DFDF25 DFDF53 DFDF52 DFDF56 DFDF57 DFDF58 DFDF1A DFDF40 DFDF41 DFDF42 DF71
   9C 9F02 9F03 5F2A 9F34 9F39 9F06 9F1A 9F15 9F53 9F1C 95 9B`.split(/\s+/),
);
const maskedTracks = new Set(['DFDF33', 'DFDF4D']);

/** Shows whole messages with sensitive values masked. Noise is shown as unknown bytes. */
export const mmsScribe = (direction: TraceDirection, carries: Link['carries']): Scribe => {
  const reader = frameReader(carries);
  const from = direction === 'said' ? 'host' : 'device';
  const show = (message: Uint8Array): string => {
    // Masking with two different fill bytes shows which bytes are masked.
    const zeros = mask(message, 0x00);
    const ones = mask(message, 0xff);
    // A masked byte that SLIP escapes takes two bytes on the wire and keeps both; no card digit is such a byte.
    const fill = (copy: Uint8Array, escaped: number): Uint8Array =>
      frameMessage(
        copy.map((byte, index) => (zeros[index] !== ones[index] && isEscaped(message[index]) ? escaped : byte)),
        { carries, from },
      );
    const bytes = fill(zeros, carries === 'stream' ? 0xdb : 0x00);
    const onesCopy = fill(ones, carries === 'stream' ? 0xc0 : 0xff);
    return printBytes({ bytes, counts: bytes.map((byte, index) => (byte === onesCopy[index] ? 1 : 0)) });
  };
  const hideUnreadable = (count: number): string =>
    '**'.repeat(carries === 'stream' ? Math.max(count, 1) : Math.ceil(Math.max(count, 1) / reportBytes) * reportBytes);
  return {
    push: (bytes) =>
      reader.push(bytes).map((piece) => {
        if (piece.kind === 'noise') {
          overwrite(piece.bytes);
          return hideUnreadable(piece.bytes.length);
        }
        if ('most' in piece.message) return hideUnreadable(7);
        const line = show(piece.message.bytes);
        // This copy of the received bytes may contain an encrypted PIN.
        overwrite(piece.message.bytes);
        return line;
      }),
  };
};

/** Whether SLIP writes this byte as two. */
const isEscaped = (byte: number | undefined): boolean => byte === 0xc0 || byte === 0xdb;

/** A copy in which everything not known to be harmless has this fill byte. Lengths stay as they were encoded. */
const mask = (message: Uint8Array, fill: number): Uint8Array => {
  const copy = message.slice();
  const all = tryDecode(copy.subarray(2));
  const what = toHex(find(all ?? [], '81')?.value ?? new Uint8Array(0));
  const payload = find(all ?? [], '84')?.value;
  const known = /^(01|82|83)..(....)$/.exec(what);
  if (all === undefined || known === null) return message.map((byte, index) => (index < 2 ? byte : fill));
  if (payload !== undefined) maskPayload(payload, { kind: known[1] ?? '', id: known[2] ?? '', fill });
  return copy;
};

type MaskedValue = { kind: string; id: string; fill: number };

/** Values are views of the copy: filling them changes the copy. */
const maskPayload = (payload: Uint8Array, { kind, id, fill }: MaskedValue): void => {
  const content = toHex(payload.subarray(0, 2)) === id ? payload.subarray(2) : payload;
  // Neither commands nor their answers contain card data: amounts, properties, key serial numbers, issuer scripts.
  if (kind !== '83') {
    if (commandNamed(id) === undefined) content.fill(fill);
    return;
  }
  if (id === '1001' && !toHex(content).startsWith('84')) return;
  if (id === '1803' && isDisplayText(content)) return;
  const inner = find(tryDecode(content) ?? [], '84')?.value;
  if (id === '0101' && inner !== undefined && maskBlock(inner, fill)) return;
  const rest = tryDecode(inner ?? content);
  if (id === '0205' && rest !== undefined) maskAll(rest, fill);
  else content.fill(fill);
};

/** Masks the template of a block; padding and MAC stay. False when it is not a block. */
const maskBlock = (block: Uint8Array, fill: number): boolean => {
  const size = ((block[0] ?? 0) << 8) | (block[1] ?? 0);
  const list = size + 2 > block.length ? undefined : tryDecode(block.subarray(2, 2 + size));
  maskAll(list ?? [], fill);
  return list !== undefined;
};

const maskAll = (list: readonly Tlv[], fill: number): void => {
  for (const each of list) maskTlv(each, fill);
};

const maskTlv = ({ tag, value, children }: Tlv, fill: number): void => {
  if (children !== undefined) maskAll(children, fill);
  else if (!harmless.has(tag) && !(maskedTracks.has(tag) && maskTrack(value, fill))) value.fill(fill);
};

/** Keeps first six, last four and service code of a track that the device masked. False for another shape. */
const maskTrack = (value: Uint8Array, fill: number): boolean => {
  const [whole, number = '', expiry = '', service = ''] =
    /^;([\d*]{12,19})=([\d*]{4})([\d*]{3})[\d*]*\?/.exec(Buffer.from(value).toString('latin1')) ?? [];
  if (whole === undefined) return false;
  const digit = fill === 0 ? 0x30 : 0x39;
  value.fill(digit, 7, 1 + number.length - 4);
  const dataOffset = 2 + number.length;
  value.fill(digit, dataOffset, dataOffset + expiry.length);
  value.fill(digit, dataOffset + expiry.length + service.length, whole.length - 1);
  value.fill(digit, whole.length);
  return true;
};

/** Texts for the customer: they never contain a run of digits as long as a card number. */
const isDisplayText = (content: Uint8Array): boolean => !/\d{8}/.test(Buffer.from(content).toString('latin1'));

const tryDecode = (bytes: Uint8Array): Tlv[] | undefined => {
  try {
    return decodeTlv(bytes);
  } catch {
    // Bytes that are not TLV cannot be judged.
    return undefined;
  }
};
