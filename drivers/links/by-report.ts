/** A link of HID reports that takes messages of any length: whoever writes to it need not count. */
import { type Link, reportBytes } from './link.ts';

/** The same link; what is written to one of reports goes out report by report, the last filled with zeros. */
export const byReport = (link: Link): Link => {
  if (link.carries === 'stream') return link;
  return {
    name: link.name,
    carries: link.carries,
    listen: (listener) => link.listen(listener),
    close: () => link.close(),
    async write(bytes) {
      for (let at = 0; at < bytes.length; at += reportBytes) {
        const report = new Uint8Array(reportBytes);
        report.set(bytes.subarray(at, at + reportBytes));
        await link.write(report);
      }
    },
  };
};
