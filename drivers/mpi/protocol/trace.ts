/**
 * Records an MPI conversation without its card data: messages stay whole and valid, and values that are not known to be
 * harmless become zeros, marked as masked. Such a tape can be replayed, and compared with another device.
 */
import { concat, fromHex, overwrite, toHex } from '../../../src/base/hex.ts';
import { isSensitive } from '../../../src/emv/tags.ts';
import { decodeTlv, encodeTlv, type Tlv } from '../../../src/emv/tlv.ts';
import { normaliseMask } from '../../card-facts.ts';
import type { Scribe } from '../../links/tape.ts';
import { printBytes } from '../../links/tape-text.ts';
import { encodeMessage, isLong, type MpiMessage, mpiReader } from './messages.ts';

/** Vendor tags that contain no card data. The key serial numbers DFAE03 and DFAE05 identify keys, not cards. */
const harmless = new Set(
  `48 C3 C4 E0 E1 E2 E3 E4 E5 E6 EF DF0D DF7F DF30 DFA203 DFA204 DFA206 DFA209 DFA20A DFA20C DFAE01 DFAE03 DFAE05 DFFF01
  DFFF02`.split(/\s+/),
);

/** Shows whole messages with sensitive values zeroed. Noise is shown as unknown bytes. */
export const mpiScribe = (): Scribe => {
  const reader = mpiReader();
  return {
    push: (bytes) =>
      reader.push(bytes).map((piece) => {
        const line = piece.kind === 'noise' ? '**'.repeat(piece.bytes.length) : maskMessage(piece);
        // This copy of the received bytes may contain an encrypted PIN.
        overwrite(piece.kind === 'noise' ? piece.bytes : piece.body);
        return line;
      }),
  };
};

/** The bytes of a block before its body. */
const headBytes = 3;

/** A message with its masked bytes marked: those that were changed, or kept their value by chance, and checksums. */
const maskMessage = ({ body, unsolicited }: MpiMessage): string => {
  const [zeros, ones] = [maskBody(body, 0x00), maskBody(body, 0xff)];
  const bytes = encodeMessage(zeros, { unsolicited });
  // A byte of the body is masked if another fill byte changes it, or if it differs from the original.
  const counts = encodeMessage(
    body.map((byte, index) => (byte === zeros[index] && byte === ones[index] ? 1 : 0)),
    { unsolicited },
  );
  for (let start = 0; start < bytes.length; ) {
    const checksum = start + headBytes + (bytes[start + 2] ?? 0);
    counts.fill(1, start, start + headBytes);
    counts[checksum] = counts.subarray(start, checksum).includes(0) ? 0 : 1;
    start = checksum + 1;
  }
  return printBytes({ bytes, counts });
};

/** A command differs from an answer by its class byte: no answer template of MPI begins with D0 to DF or EE. */
const maskBody = (body: Uint8Array, fill: number): Uint8Array => {
  const [first = 0] = body;
  const isCommand = body.length >= 4 && ((first >= 0xd0 && first <= 0xdf) || first === 0xee);
  if (isCommand && first === 0xd2 && body[1] === 0x01 && isDisplayText(body.subarray(5))) return body;
  const head = isLong(body) ? 7 : 5;
  if (isCommand) return concat(body.subarray(0, head), maskData(body.subarray(head), fill));
  return concat(maskData(body.subarray(0, -2), fill), body.subarray(-2));
};

/** Display texts are public in the shop: they never contain a run of digits as long as a card number. */
const isDisplayText = (data: Uint8Array): boolean =>
  /^(?!.*\d{8})[\n -~]+$/s.test(Buffer.from(data).toString('latin1'));

/** Data that is one template, or text. Anything else longer than one byte is zeroed completely. */
const maskData = (data: Uint8Array, fill: number): Uint8Array => {
  if (data.length <= 1) return data;
  const slot = maskSlotNotice(data, fill);
  if (slot !== undefined) return slot;
  const hidden = new Uint8Array(data.length).fill(fill);
  try {
    const masked = encodeTlv(decodeTlv(data).map((object) => fillTlv(object, fill)));
    return masked.length === data.length ? masked : hidden;
  } catch {
    // Bytes that are not TLV cannot be judged.
    return hidden;
  }
};

/** Masks a slot notice with an answer to reset, whose tag looks like a template although it is not TLV. */
const maskSlotNotice = (data: Uint8Array, fill: number): Uint8Array | undefined => {
  const [start, size] = /^E1(?:81)?..4802....63(..)/.exec(toHex(data.subarray(0, 9))) ?? [];
  if (start === undefined || size === undefined) return undefined;
  const offset = start.length / 2;
  const rest = data.subarray(offset + Number.parseInt(size, 16));
  const hidden = new Uint8Array(data.length - offset - rest.length).fill(fill);
  return concat(data.subarray(0, offset), hidden, maskData(rest, fill));
};

const fillTlv = (object: Tlv, fill: number): Tlv => {
  if (object.children !== undefined) {
    return { ...object, children: object.children.map((child) => fillTlv(child, fill)) };
  }
  const show = harmless.has(object.tag) || !isSensitive(object.tag);
  if (show) return object;
  const stored = Object.hasOwn(keptMasks, object.tag) ? keptMasks[object.tag]?.(object.value, fill) : undefined;
  return { tag: object.tag, value: stored ?? new Uint8Array(object.value.length).fill(fill) };
};

// What recordings keep of tags in which the device itself has masked an account: first six, last four and service code,
// so that a recording can be understood and replayed. Expiry and everything else are filled.

type Mask = (value: Uint8Array, fill: number) => Uint8Array | undefined;

const numberOf = (digits: string): string | undefined => {
  const text = normaliseMask(digits.replaceAll('F', '*'));
  return /^\d{6}\*+\d{4}$/.test(text) ? text : undefined;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** DFAE5A: two digits per byte, F for a masked digit or the padding of an odd length. */
const digits: Mask = (value) => {
  const text = hexOf(value);
  const end = /F?$/.exec(text)?.[0] ?? '';
  const number = numberOf(text.slice(0, text.length - end.length));
  return number === undefined ? undefined : fromHex(number.replaceAll('*', 'F') + end);
};

/** DFAE57 and DFAE6B: number, D, expiry, service code, the rest. */
const track57: Mask = (value, fill) => {
  const [, digitsShown = '', service = '', rest = ''] =
    /^([\dF]{12,19})D[\dF]{4}([\dF]{3})([\dF]*)$/.exec(hexOf(value)) ?? [];
  const number = numberOf(digitsShown);
  const digit = fill === 0 ? '0' : '9';
  if (number === undefined) return undefined;
  return fromHex(`${number.replaceAll('*', 'F')}D${digit.repeat(4)}${service}${digit.repeat(rest.length)}`);
};

/** DFAE22: track 2 as text between its sentinels, with stars. */
const track22: Mask = (value, fill) => {
  const text = Buffer.from(value).toString('latin1');
  const [, digitsShown = '', service = '', rest = '', end = ''] =
    /^;([\d*]{12,19})=[\d*]{4}([\d*]{3})([\d*]*)(\?\*?)$/.exec(text) ?? [];
  const number = numberOf(digitsShown.replaceAll('*', 'F'));
  if (number === undefined) return undefined;
  const expiry = (fill === 0 ? '0' : '9').repeat(4);
  return new Uint8Array(Buffer.from(`;${number}=${expiry}${service}${'*'.repeat(rest.length)}${end}`, 'latin1'));
};

/** DFA208: a typed number as text. */
const maskTypedNumber: Mask = (value) => {
  const text = Buffer.from(value).toString('latin1');
  const number = numberOf(text.replaceAll('*', 'F'));
  return number === undefined ? undefined : new Uint8Array(Buffer.from(number, 'latin1'));
};

/** By tag. A mask that returns nothing found a value of another shape, of which nothing is kept. */
const keptMasks: Readonly<Record<string, Mask>> = {
  DFA208: maskTypedNumber,
  DFAE22: track22,
  DFAE57: track57,
  DFAE5A: digits,
  DFAE6B: track57,
};
