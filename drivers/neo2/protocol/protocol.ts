/** NEO 2 for a session: how frames are cut, and which open question an answer belongs to. */
import type { Clock } from '../../../src/base/clock.ts';
import { isFault } from '../../../src/base/fault.ts';
import { concat, overwrite } from '../../../src/base/hex.ts';
import { cutter, type FramePiece } from '../../framing/framer.ts';
import {
  type Neo2Frame,
  type Neo2Sender,
  neo2FrameMax,
  neo2Framer,
  neo2ReportsOf,
  neo2Sizes,
  neo2Unpacker,
} from '../../framing/neo2-frame.ts';
import type { Link } from '../../links/link.ts';
import type { MessagePiece, Protocol, Question } from '../../session.ts';
import { type Neo2Result, resultCodec } from './answers.ts';
import {
  commandByte,
  commands,
  fromHost,
  fromReader,
  type Neo2CommandName,
  resultCodeOf,
  subByte,
} from './commands.ts';
import { result, status } from './status.ts';
import { findNeo2 } from './tlv.ts';
import { isUpcall } from './upcalls.ts';

/** A frame of the reader, or the result of its acknowledged cancel: the running command gets no answer. */
export type Neo2Message = { kind: 'frame'; frame: Neo2Frame } | { kind: 'withdrawn' };

/**
 * How long after a cancel the cancelled command's end can still arrive, from readers that send one. Short, because
 * within this time the cancel key in the next sale would be ignored.
 */
const owedMs = 3_000;

const bootCommand = commandByte('bootNotice');
const pinCommand = commandByte('onlinePin');

/** Codes that cannot be the final answer to these commands: they repeat an earlier answer. */
const impossible: Readonly<Partial<Record<Neo2CommandName, readonly string[]>>> = {
  authenticate: ['0010'],
  finish: ['0004', '0009', '0010'],
};

const resultIn = ({ data }: Neo2Frame): Neo2Result => {
  try {
    return resultCodec.decode(data);
  } catch (error) {
    if (!isFault(error, 'tlv.malformed')) throw error;
    return { tlvs: [] };
  }
};

/** An end without a card, which a cancelled command can still report. A time-out is not one of them. */
const isEmptyHanded = (frame: Neo2Frame): boolean => {
  if (frame.status === status.timedOut) return false;
  if (frame.data.length === 0) return true;
  const result = resultIn(frame);
  return ['DFEE12', '9F26', 'DFEE23'].every((tag) => findNeo2(result.tlvs, tag) === undefined);
};

/** The first answer of commands that answer twice: status 63, and for PINs an empty one. */
const isFirstAnswer = ({ command, status: value, data }: Neo2Frame): boolean =>
  value === status.accepted || (command === pinCommand && value === status.ok && data.length === 0);

/** Whether a reader reports the chip's decision after it got no host answer in time. */
export const isDeviceMessage = (frame: Neo2Frame): boolean => {
  const code = frame.command === commandByte('finish') ? resultCodeOf(resultIn(frame)) : undefined;
  return code === result.approvedAlone || code === result.declinedAlone;
};

const isAnswerTo = (frame: Neo2Frame, { name }: Question): boolean => {
  const command = name as Neo2CommandName;
  if (frame.command !== commandByte(command) || (frame.sub !== undefined && frame.sub !== subByte(command)))
    return false;
  const code = impossible[command] === undefined ? undefined : resultCodeOf(resultIn(frame));
  return code === undefined || impossible[command]?.includes(code) !== true;
};

/** A new protocol state for one link. */
export const neo2Protocol = (clock: Clock): Protocol<Neo2Message> => {
  const reader = cutter(neo2Framer(fromReader), neo2FrameMax);
  let owed: { command: number; until: number } | undefined;

  const withdraw = ([running]: readonly Question[]) => {
    if (running === undefined || !commands[running.name as Neo2CommandName].waits) return 'notice';
    owed = { command: commandByte(running.name as Neo2CommandName), until: clock.monotonic() + owedMs };
    return running;
  };

  /** Whether this is the late end of a cancelled command; checked only once. */
  const takeOwedAnswer = (frame: Neo2Frame, open: readonly Question[]): boolean => {
    if (owed === undefined) return false;
    const { command, until } = owed;
    // The reader has ended another step since, so it will not come back to that one.
    const isLater = open.some(
      (question) => isAnswerTo(frame, question) && commands[question.name as Neo2CommandName].waits,
    );
    if (command !== frame.command && !isLater) return false;
    owed = undefined;
    return command === frame.command && clock.monotonic() < until && isEmptyHanded(frame);
  };

  const place = (message: Neo2Message, open: readonly Question[]) => {
    if (message.kind === 'withdrawn') return withdraw(open);
    const { frame } = message;
    const isBoot = frame.command === bootCommand && frame.data.length > 0;
    if (isUpcall(frame) || isBoot) return 'notice';
    const stop = open.find(({ name }) => name === 'cancelKeys');
    if (stop !== undefined && frame.command === pinCommand && frame.data.length === 0) return stop;
    if (isFirstAnswer(frame)) return 'notice';
    if (takeOwedAnswer(frame, open)) return 'stray';
    return open.find((question) => isAnswerTo(frame, question)) ?? (isDeviceMessage(frame) ? 'notice' : 'stray');
  };

  const wrap = (pieces: ReturnType<typeof reader.push>): MessagePiece<Neo2Message>[] =>
    pieces.flatMap((piece): MessagePiece<Neo2Message>[] => {
      if (piece.kind === 'noise') return [piece];
      const { frame } = piece;
      const message: MessagePiece<Neo2Message> = { kind: 'message', message: { kind: 'frame', frame } };
      const cancelled = frame.command === commandByte('cancel') && frame.status === status.ok;
      return cancelled ? [message, { kind: 'message', message: { kind: 'withdrawn' } }] : [message];
    });

  return {
    push: (bytes) => wrap(reader.push(bytes)),
    size: reader.size,
    skip: () => wrap(reader.skip()),
    assign: place,
    noiseMax: 4_096,
    // The longest frame takes less than a second at 115200 baud.
    partMs: 2_000,
    sizeOf: (message) => (message.kind === 'frame' ? message.frame.data.length : 0),
  };
};

// Presents any link as a stream of NEO 2 frames: over HID each frame is packed into reports and unpacked again.

/** Cuts the bytes that this side sends into frames. Copies of reports are overwritten. */
export const frameReader = (carries: Link['carries'], from: Neo2Sender) => {
  const frames = cutter(neo2Framer(from === 'host' ? fromHost : fromReader), neo2FrameMax);
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

const otherSender = (own: Neo2Sender): Neo2Sender => (own === 'host' ? 'reader' : 'host');

/** The link itself if it carries a stream. `own` is the sender at this end. */
export const frameLink = (link: Link, own: Neo2Sender): Link => {
  if (link.carries === 'stream') return link;
  const unpacker = neo2Unpacker(otherSender(own));
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
        closed: (fault) => listener.closed(fault),
      }),
    close: () => link.close(),
  };
};

/** Cuts by length alone, so that a frame with a wrong checksum is sent as one; other bytes are sent as they are. */
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
