/**
 * The packet layer of MagTek's MMS over USB HID: messages cut into reports of 64 bytes and joined again, by packet
 * number and declared length. Zeros at the end are never trimmed: a message may end with zeros of its own.
 * Source: MagTek, DynaFlex family programmer's manual, "Connection Types", USB HID packets.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { FramePiece } from './framer.ts';

/** Bytes of a report; these devices have no report ids. */
const reportBytes = 64;

const types = { single: 0, head: 1, middle: 2, tail: 3, cancel: 4 } as const;

/** How much of the message each type of report carries. */
export const reportParts = { single: 62, head: 59, middle: 61, tail: 62 } as const;

export type ReportReader = {
  push(bytes: Uint8Array): FramePiece<Uint8Array>[];
  held(): number;
  skip(): FramePiece<Uint8Array>[];
};

/** What has come of a message: `bytes` has room for all of it, `length` says how much is there. */
type Joining = { bytes: Uint8Array; length: number; next: number };
type Pieces = FramePiece<Uint8Array>[];

/** Joins one direction's reports. Holds at most one message of `most` bytes; what breaks a rule is noise. */
export const mmsReportReader = (most: number): ReportReader => {
  const joiner = new Joiner(most);
  return {
    push(bytes) {
      const pieces: Pieces = [];
      for (let at = 0; at < bytes.length; at += reportBytes) {
        const whole = at === 0 && bytes.length <= reportBytes;
        joiner.take(whole ? bytes : bytes.subarray(at, at + reportBytes), pieces);
      }
      return pieces;
    },
    held: () => joiner.held(),
    skip() {
      const pieces: Pieces = [];
      joiner.giveUp('the rest of the message never came', pieces);
      return pieces;
    },
  };
};

class Joiner {
  readonly #most: number;
  #joining: Joining | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  held(): number {
    return this.#joining?.length ?? 0;
  }

  giveUp(why: string, pieces: Pieces) {
    const joining = this.#joining;
    this.#joining = undefined;
    if (joining !== undefined) pieces.push({ kind: 'noise', bytes: joining.bytes.slice(0, joining.length), why });
  }

  /** Takes one report; what it completes or breaks goes to the pieces. */
  take(report: Uint8Array, pieces: Pieces) {
    if (report.length < reportBytes) return this.#refuse(report, 'less than a report', pieces);
    switch (report[0]) {
      case types.single:
        return this.#single(report, pieces);
      case types.head:
        return this.#start(report, pieces);
      case types.middle:
        return this.#goOn(report, pieces);
      case types.tail:
        return this.#finish(report, pieces);
      case types.cancel:
        // The sender takes its message back: nothing was lost.
        this.#joining = undefined;
        return;
      default:
        this.#refuse(report, 'no report begins with this byte', pieces);
    }
  }

  #refuse(report: Uint8Array, why: string, pieces: Pieces) {
    this.giveUp('the rest of the message never came', pieces);
    pieces.push({ kind: 'noise', bytes: report.slice(), why });
  }

  #single(report: Uint8Array, pieces: Pieces) {
    const size = report[1] ?? 0;
    if (size < 1 || size > reportParts.single) {
      return this.#refuse(report, `no single packet holds ${size} bytes`, pieces);
    }
    this.giveUp('another message began before its end', pieces);
    pieces.push({ kind: 'frame', frame: report.slice(2, 2 + size) });
  }

  #start(report: Uint8Array, pieces: Pieces) {
    const total = numberAt(report, 1) * 0x1_0000 + numberAt(report, 3);
    if (total <= reportParts.head || total > this.#most) {
      return this.#refuse(report, `no message of reports has ${total} bytes`, pieces);
    }
    this.giveUp('another message began before its end', pieces);
    // Room for the whole message at once: it is bounded, and comes in a moment.
    const bytes = new Uint8Array(total);
    bytes.set(report.subarray(5, 5 + reportParts.head));
    this.#joining = { bytes, length: reportParts.head, next: 1 };
  }

  #goOn(report: Uint8Array, pieces: Pieces) {
    const joining = this.#joining;
    const number = numberAt(report, 1);
    if (joining === undefined) return this.#refuse(report, 'a middle without its head', pieces);
    if (number !== joining.next) {
      return this.#refuse(report, `packet ${number} where ${joining.next} was due`, pieces);
    }
    // A tail must be left over.
    if (joining.length + reportParts.middle >= joining.bytes.length) {
      return this.#refuse(report, 'more than the head declared', pieces);
    }
    joining.bytes.set(report.subarray(3, 3 + reportParts.middle), joining.length);
    joining.length += reportParts.middle;
    joining.next += 1;
  }

  #finish(report: Uint8Array, pieces: Pieces) {
    const joining = this.#joining;
    const size = report[1] ?? 0;
    if (joining === undefined) return this.#refuse(report, 'a tail without its head', pieces);
    if (size < 1 || size > reportParts.tail || joining.length + size !== joining.bytes.length) {
      return this.#refuse(report, 'not as long as the head declared', pieces);
    }
    joining.bytes.set(report.subarray(2, 2 + size), joining.length);
    this.#joining = undefined;
    pieces.push({ kind: 'frame', frame: joining.bytes });
  }
}

/** Two bytes, the high one first. */
const numberAt = (report: Uint8Array, at: number): number => ((report[at] ?? 0) << 8) | (report[at + 1] ?? 0);

/** Whole reports, one after the other; the last may be short when the bytes are none. */
export const reportsOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / reportBytes) }, (_, at) =>
    bytes.subarray(at * reportBytes, (at + 1) * reportBytes),
  );

/** The reports of one message, one after the other in one array. Throws `terminal.garbled` for an empty message. */
export const encodeMmsReports = (message: Uint8Array): Uint8Array => {
  if (message.length === 0) throw new Fault('terminal.garbled', { bytes: 0 });
  if (message.length <= reportParts.single) return padded(Uint8Array.of(types.single, message.length), message);

  const total = new Uint8Array(4);
  new DataView(total.buffer).setUint32(0, message.length);
  const reports = [padded(concat(Uint8Array.of(types.head), total), message.subarray(0, reportParts.head))];
  let at: number = reportParts.head;
  for (let number = 1; message.length - at > reportParts.tail; number += 1) {
    const header = Uint8Array.of(types.middle, number >> 8, number);
    reports.push(padded(header, message.subarray(at, at + reportParts.middle)));
    at += reportParts.middle;
  }
  reports.push(padded(Uint8Array.of(types.tail, message.length - at), message.subarray(at)));
  return concat(...reports);
};

const padded = (header: Uint8Array, part: Uint8Array): Uint8Array => {
  const report = new Uint8Array(reportBytes);
  report.set(header);
  report.set(part, header.length);
  return report;
};
