/** Any link as a stream of NEO 2 frames: over HID each frame is packed into reports and taken out of them again. */
import { concat } from '../../../src/base/hex.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import { cutter, type FramePiece } from '../../framing/framer.ts';
import {
  type Neo2Frame,
  type Neo2Sender,
  neo2Frame,
  neo2FrameMax,
  neo2ReportsOf,
  neo2Sizes,
  neo2Unpacker,
} from '../../framing/neo2-frame.ts';
import type { Link } from '../../links/link.ts';
import { fromHost, fromReader } from './commands.ts';

/** Cuts what this side says on such a link into frames. Its copies of reports are overwritten. */
export const frameReader = (carries: Link['carries'], from: Neo2Sender) => {
  const frames = cutter(neo2Frame(from === 'host' ? fromHost : fromReader), neo2FrameMax);
  if (carries === 'stream') return frames;
  const unpacker = neo2Unpacker(from);
  return {
    push: (reports: Uint8Array): FramePiece<Neo2Frame>[] =>
      unpacker.push(reports).flatMap((part) => {
        const pieces = frames.push(part);
        overwrite(part);
        return pieces;
      }),
  };
};

const otherOf = (own: Neo2Sender): Neo2Sender => (own === 'host' ? 'reader' : 'host');

/** The link itself when it carries a stream. `own` is who sits at this end. */
export const frameLink = (link: Link, own: Neo2Sender): Link => {
  if (link.carries === 'stream') return link;
  const unpacker = neo2Unpacker(otherOf(own));
  let waiting: Uint8Array = new Uint8Array(0);
  return {
    name: link.name,
    carries: 'stream',
    async write(bytes) {
      waiting = concat(waiting, bytes);
      const { whole, rest } = wholeFrames(waiting, own);
      waiting = rest;
      for (const frame of whole) for (const report of neo2ReportsOf(frame)) await link.write(report);
    },
    listen: (listener) =>
      link.listen({
        bytes: (reports) => {
          for (const bytes of unpacker.push(reports)) listener.bytes(bytes);
        },
        closed: (why) => listener.closed(why),
      }),
    close: () => link.close(),
  };
};

/** Cuts by length alone, so that a frame with a wrong checksum goes out as one; what is no frame goes out as it is. */
const wholeFrames = (bytes: Uint8Array, own: Neo2Sender): { whole: Uint8Array[]; rest: Uint8Array } => {
  const whole: Uint8Array[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const sizes = neo2Sizes(rest, own);
    const size = sizes === undefined ? rest.length : sizes[0];
    if (size === undefined || size > rest.length) break;
    whole.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return { whole, rest };
};
