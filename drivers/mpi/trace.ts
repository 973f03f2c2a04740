/**
 * Recording an MPI conversation without its card data: messages stay whole and valid, the values that are not known to
 * be harmless become zeros. Such a tape can be played back.
 */
import { concat, toHex } from '../../src/base/hex.ts';
import { isSensitive } from '../../src/emv/tags.ts';
import { decodeTlv, encodeTlv, type Tlv } from '../../src/emv/tlv.ts';
import type { Scribe } from '../links/tape.ts';
import { encodeMessage, mpiReader } from './messages.ts';

/** The maker's own tags that carry no card data. The key serial numbers DFAE03 and DFAE05 name keys, not cards. */
const harmless = new Set(
  '48 C3 C4 E0 E1 E2 E3 E4 E5 E6 EF DF0D DF7F DF30 DFA203 DFA204 DFA209 DFA20A DFA20C DFAE01 DFAE03 DFAE05'.split(' '),
);

/** Shows whole messages with sensitive values zeroed. Noise is shown as unknown bytes. */
export const mpiScribe = (): Scribe => {
  const reader = mpiReader();
  return {
    push: (bytes) =>
      reader
        .push(bytes)
        .map((piece) =>
          piece.kind === 'noise'
            ? '**'.repeat(piece.bytes.length)
            : toHex(encodeMessage(shown(piece.body), { unsolicited: piece.unsolicited })),
        ),
  };
};

/** A command is told from an answer by its class byte: no answer template of MPI begins with D0 to DF or EE. */
const shown = (body: Uint8Array): Uint8Array => {
  const [first = 0] = body;
  const isCommand = body.length >= 4 && ((first >= 0xd0 && first <= 0xdf) || first === 0xee);
  if (isCommand && first === 0xd2 && body[1] === 0x01 && isDisplayText(body.subarray(5))) return body;
  if (isCommand) return concat(body.subarray(0, 5), shownData(body.subarray(5)));
  return concat(shownData(body.subarray(0, -2)), body.subarray(-2));
};

/** Words for the display, which the whole shop may read: no run of digits as long as a card's has a place in them. */
const isDisplayText = (data: Uint8Array): boolean =>
  /^(?!.*\d{8})[\n -~]+$/s.test(Buffer.from(data).toString('latin1'));

/** Data that is one template, or words. Anything else is zeroed whole if it is longer than a byte. */
const shownData = (data: Uint8Array): Uint8Array => {
  if (data.length <= 1) return data;
  try {
    const masked = encodeTlv(decodeTlv(data).map(zeroed));
    return masked.length === data.length ? masked : new Uint8Array(data.length);
  } catch {
    // What is no TLV cannot be judged.
    return new Uint8Array(data.length);
  }
};

const zeroed = (object: Tlv): Tlv => {
  if (object.children !== undefined) return { ...object, children: object.children.map(zeroed) };
  const show = harmless.has(object.tag) || !isSensitive(object.tag);
  return show ? object : { tag: object.tag, value: new Uint8Array(object.value.length) };
};
