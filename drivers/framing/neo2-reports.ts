/**
 * NEO 2 frames in USB HID reports of 64 bytes: report id 01 holds a whole frame, 02 the first 63 bytes of a longer one,
 * 03 the next, 04 the last, filled up with zeros. A frame ends where its own length says, for its CRC may end in zeros.
 * Source: NEO 2 Interface Developers Guide 80139403-002, "USB HID".
 */
import { type Neo2Sender, neo2Sizes } from './neo2-frame.ts';

/** Every report of these readers, its id included. */
const reportBytes = 64;
const ids = { whole: 1, first: 2, middle: 3, last: 4 } as const;
const payloadBytes = reportBytes - 1;

/** The reports of one frame, or of any bytes. */
export const neo2ReportsOf = (frame: Uint8Array): Uint8Array[] => {
  const count = Math.max(1, Math.ceil(frame.length / payloadBytes));
  return Array.from({ length: count }, (_, at) => {
    const report = new Uint8Array(reportBytes);
    report[0] = count === 1 ? ids.whole : at === 0 ? ids.first : at === count - 1 ? ids.last : ids.middle;
    report.set(frame.subarray(at * payloadBytes, (at + 1) * payloadBytes), 1);
    return report;
  });
};

/** Turns reports into the bytes of their frames, without what fills the last one up. */
export type Neo2Unpacker = { push(reports: Uint8Array): Uint8Array[] };

/** Holds the sizes that the frame under way can have and how much of it has come: no more than that. */
export const neo2Unpacker = (from: Neo2Sender): Neo2Unpacker => {
  let sizes: readonly number[] = [];
  let come = 0;
  let open = false;

  const take = (report: Uint8Array): Uint8Array | undefined => {
    const [id] = report;
    const payload = report.slice(1);
    if (id === ids.whole || id === ids.first) {
      sizes = neo2Sizes(payload, from) ?? [];
      come = 0;
      open = true;
    } else if ((id !== ids.middle && id !== ids.last) || !open) {
      // Unknown ids and continuations of nothing are ignored, as the readers themselves do.
      return undefined;
    }
    open = id === ids.first || id === ids.middle;
    const end = open ? undefined : sizes.find((size) => size > come && size <= come + payload.length);
    const bytes = end === undefined ? payload : payload.subarray(0, end - come);
    come += payload.length;
    return bytes;
  };

  return {
    push(reports) {
      const out: Uint8Array[] = [];
      for (let at = 0; at < reports.length; at += reportBytes) {
        const bytes = take(reports.subarray(at, at + reportBytes));
        if (bytes !== undefined) out.push(bytes);
      }
      return out;
    },
  };
};
