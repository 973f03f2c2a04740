/**
 * The packet layer of MagTek's MMS over USB HID: messages cut into reports of 64 bytes and joined again, by packet
 * number and declared length. Zeros at the end are never trimmed: a message may end with zeros of its own.
 * Source: MagTek, DynaFlex family programmer's manual, "Connection Types", USB HID packets.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Piece } from './framer.ts';

/** Bytes of a report; these devices have no report ids. */
const reportBytes = 64;

const types = { single: 0, head: 1, middle: 2, tail: 3, cancel: 4 } as const;

/** How much of the message each type of report carries. */
export const reportParts = { single: 62, head: 59, middle: 61, tail: 62 } as const;

export type ReportReader = {
  push(bytes: Uint8Array): Piece<Uint8Array>[];
  held(): number;
  skip(): Piece<Uint8Array>[];
};

type Joining = { total: number; next: number; bytes: Uint8Array };
type Pieces = Piece<Uint8Array>[];

/** Joins one direction's reports. Holds at most one message of `most` bytes; what breaks a rule is noise. */
export const mmsReportReader = (most: number): ReportReader => {
  const joiner = new Joiner(most);
  return {
    push: (bytes) => reportsOf(bytes).flatMap((report) => joiner.take(report)),
    held: () => joiner.held(),
    skip: () => joiner.giveUp('the rest of the message never came'),
  };
};

class Joiner {
  readonly #most: number;
  #joining: Joining | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  held(): number {
    return this.#joining?.bytes.length ?? 0;
  }

  giveUp(why: string): Pieces {
    const bytes = this.#joining?.bytes ?? new Uint8Array(0);
    this.#joining = undefined;
    return bytes.length === 0 ? [] : [{ kind: 'noise', bytes, why }];
  }

  take(report: Uint8Array): Pieces {
    const [type, size = 0] = report;
    if (report.length < reportBytes) return this.#refuse(report, 'less than a report');
    switch (type) {
      case types.single:
        if (size < 1 || size > reportParts.single) return this.#refuse(report, `no single packet holds ${size} bytes`);
        return [
          ...this.giveUp('another message began before its end'),
          { kind: 'frame', frame: report.slice(2, 2 + size) },
        ];
      case types.head:
        return this.#start(report);
      case types.middle:
        return this.#goOn(report);
      case types.tail:
        return this.#finish(report);
      case types.cancel:
        // The sender takes its message back: nothing was lost.
        this.#joining = undefined;
        return [];
      default:
        return this.#refuse(report, 'no report begins with this byte');
    }
  }

  #refuse(report: Uint8Array, why: string): Pieces {
    return [...this.giveUp('the rest of the message never came'), { kind: 'noise', bytes: report.slice(), why }];
  }

  #start(report: Uint8Array): Pieces {
    const total = new DataView(report.buffer, report.byteOffset).getUint32(1);
    if (total <= reportParts.head || total > this.#most) {
      return this.#refuse(report, `no message of reports has ${total} bytes`);
    }
    const dropped = this.giveUp('another message began before its end');
    this.#joining = { total, next: 1, bytes: report.slice(5) };
    return dropped;
  }

  #goOn(report: Uint8Array): Pieces {
    const joining = this.#joining;
    const number = new DataView(report.buffer, report.byteOffset).getUint16(1);
    if (joining === undefined) return this.#refuse(report, 'a middle without its head');
    if (number !== joining.next) return this.#refuse(report, `packet ${number} where ${joining.next} was due`);
    // A tail must be left over.
    if (joining.bytes.length + reportParts.middle >= joining.total) {
      return this.#refuse(report, 'more than the head declared');
    }
    this.#joining = { ...joining, next: joining.next + 1, bytes: concat(joining.bytes, report.subarray(3)) };
    return [];
  }

  #finish(report: Uint8Array): Pieces {
    const joining = this.#joining;
    const [, size = 0] = report;
    if (joining === undefined) return this.#refuse(report, 'a tail without its head');
    if (size < 1 || size > reportParts.tail || joining.bytes.length + size !== joining.total) {
      return this.#refuse(report, 'not as long as the head declared');
    }
    this.#joining = undefined;
    return [{ kind: 'frame', frame: concat(joining.bytes, report.subarray(2, 2 + size)) }];
  }
}

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
