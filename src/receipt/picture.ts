/** A store's logo for its receipts: a PNG file that is checked before anything draws it. */
import { crc32, inflateSync } from 'node:zlib';
import { errorText, Fault } from '../base/fault.ts';

/** `height` and `width` in dots. */
export type Picture = { png: Uint8Array; width: number; height: number };

const BYTES_MOST = 512 * 1024;
const DOTS_MOST = 1_200;
const SIGNATURE = '89504e470d0a1a0a';

/** Checks a picture. `name` is used in messages. Throws `printer.picture` with what is wrong. */
export const pictureOf = (bytes: Uint8Array, name: string): Picture => {
  const pictureFault = (reason: string, cause?: unknown) => new Fault('printer.picture', { name, why: reason }, cause);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length > BYTES_MOST) throw pictureFault(`it is larger than ${BYTES_MOST / 1024} KB`);
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) throw pictureFault('it is not a PNG picture');
  const chunks = chunksOf(file);
  const head = chunks?.[0];
  if (chunks === undefined || head?.type !== 'IHDR' || head.data.length !== 13)
    throw pictureFault('the file is damaged');
  if (chunks.some(({ type }) => type === 'acTL')) throw pictureFault('it is an animation');
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  if (width < 1 || height < 1 || width > DOTS_MOST || height > DOTS_MOST)
    throw pictureFault(`it is ${width} × ${height} dots, and ${DOTS_MOST} × ${DOTS_MOST} is the most`);
  try {
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
    // Four samples of two bytes, and one byte before each row of each of the seven passes of an interlaced picture.
    inflateSync(data, { maxOutputLength: width * height * 8 + height * 8 + 64 });
  } catch (error) {
    throw pictureFault(`the file is damaged: ${errorText(error)}`, error);
  }
  return { png: Uint8Array.from(file), width, height };
};

type Chunk = { type: string; data: Buffer };

/** All chunks up to IEND. Undefined when a length or a checksum is wrong. */
const chunksOf = (file: Buffer): Chunk[] | undefined => {
  const chunks: Chunk[] = [];
  for (let offset = 8; offset + 12 <= file.length; ) {
    const length = file.readUInt32BE(offset);
    const end = offset + 12 + length;
    if (end > file.length || crc32(file.subarray(offset + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined;
    const type = file.toString('latin1', offset + 4, offset + 8);
    if (type === 'IEND') return chunks;
    chunks.push({ type, data: file.subarray(offset + 8, end - 4) });
    offset = end;
  }
  return undefined;
};
