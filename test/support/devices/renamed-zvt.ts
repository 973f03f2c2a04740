/** A ZVT terminal of a fictitious maker: the simulated one, with another name on the wire. */
import type { Link } from '../../../drivers/links/link.ts';
import type { Model } from '../../../drivers/simulation/simulator.ts';
import { zvtSimulator } from '../../../drivers/zvt/simulator/simulator.ts';

const simulatedName = Buffer.from('SIMULATED ZVT', 'latin1');
/** As long as the name that it replaces, so that nothing else on the wire changes. */
export const UNKNOWN_MODEL = 'FOREIGN PED 1';

export type RenamedZvt = {
  model: Model;
  /** Payments that were requested from it: each would have charged a real card. */
  payments(): number;
};

/** How many of these APDUs are a payment, 06 01. */
const paymentsIn = (bytes: Uint8Array): number => {
  let count = 0;
  for (let offset = 0; offset < bytes.length; ) {
    const isLong = bytes[offset + 2] === 0xff;
    if (bytes[offset] === 0x06 && bytes[offset + 1] === 0x01) count += 1;
    offset += isLong ? 5 + (bytes[offset + 3] ?? 0) + 256 * (bytes[offset + 4] ?? 0) : 3 + (bytes[offset + 2] ?? 0);
  }
  return count;
};

/** On TCP, where APDUs have no framing and a chunk contains whole ones. */
export const renamedZvt = (): RenamedZvt => {
  let payments = 0;
  const withOtherName = (link: Link): Link => ({
    ...link,
    write(bytes) {
      const offset = Buffer.from(bytes).indexOf(simulatedName);
      if (offset < 0) return link.write(bytes);
      const renamed = bytes.slice();
      renamed.set(Buffer.from(UNKNOWN_MODEL, 'latin1'), offset);
      return link.write(renamed);
    },
    listen: (listener) =>
      link.listen({
        ...listener,
        bytes(bytes) {
          payments += paymentsIn(bytes);
          listener.bytes(bytes);
        },
      }),
  });
  return { model: (link, options) => zvtSimulator(withOtherName(link), options), payments: () => payments };
};
