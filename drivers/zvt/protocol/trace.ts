/**
 * Recording a ZVT conversation without its card data: messages stay whole and valid, what was masked is marked. Such a
 * tape can be played back.
 */
import { concat } from '../../../src/base/hex.ts';
import { encodeZvtApdu, type ZvtApdu } from '../../framing/zvt-apdu.ts';
import { encodeZvtFrame } from '../../framing/zvt-serial.ts';
import type { Scribe } from '../../links/record.ts';
import { printBytes } from '../../links/tape-text.ts';
import type { ZvtFraming } from './form.ts';
import { masked } from './masking.ts';
import { type StreamPiece, zvtStream } from './stream.ts';

/** Shows whole messages with sensitive values masked, and acknowledgements. Noise is shown as unknown bytes. */
export const zvtScribe = (): Scribe => {
  const stream = zvtStream();
  return { push: (bytes) => stream.push(bytes).map(maskPiece) };
};

const maskPiece = (piece: StreamPiece): string => {
  if (piece.kind === 'ack') return '06';
  if (piece.kind === 'nak') return '15';
  return piece.kind === 'noise' ? '**'.repeat(piece.bytes) : maskApdu(piece.apdu, piece.form);
};

const maskApdu = (apdu: ZvtApdu, form: ZvtFraming): string => {
  const safe = masked(apdu, { byte: 0x00, digit: '0' });
  const content = encodeZvtApdu(safe);
  const given = encodeZvtApdu(apdu);
  // Hidden bytes are those that another filling changes: one that is equal by chance is marked like its neighbours.
  const other = encodeZvtApdu(masked(apdu, { byte: 0xff, digit: '9' }));
  const marks = content.map((byte, at) => (byte === given[at] && byte === other[at] ? 1 : 0));
  if (form === 'apdu') return printBytes({ bytes: content, counts: marks });
  // A DLE goes twice, start and end are two bytes each, and the checksum is masked with what it is taken over.
  const doubled = Uint8Array.from(
    [...content].flatMap((byte, at) => (byte === 0x10 ? [marks[at], marks[at]] : [marks[at]]) as number[]),
  );
  const checksum = marks.includes(0) ? 0 : 1;
  const counts = concat(Uint8Array.of(1, 1), doubled, Uint8Array.of(1, 1, checksum, checksum));
  return printBytes({ bytes: encodeZvtFrame(safe), counts });
};
