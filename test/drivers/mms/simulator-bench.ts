/** A simulated MMS device on a memory link, with a host that sends raw messages, or the driver, at the other end. */
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { encodeMessage, frameMessage, messageReader, splitWrites } from '../../../drivers/mms/protocol/messages.ts';
import { mmsSimulator } from '../../../drivers/mms/simulator/simulator.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots, type KeySlotOptions } from '../../../drivers/simulation/key-slots.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { type BenchOptions as AnyBenchOptions, openedOn, poweredOn } from '../../support/devices/driver-bench.ts';

export type BenchOptions = Omit<AnyBenchOptions, 'keys'> & {
  /** How the keys are set up. */
  keys?: Omit<KeySlotOptions, 'random'>;
};

/** A powered-on device and the till's end of its link, by default a link of reports. */
export const bench = ({ keys, carries = 'reports', ...options }: BenchOptions = {}) =>
  poweredOn(mmsSimulator, {
    ...options,
    carries,
    keys: keys && createKeySlots({ random: seededRandom(1), ...keys }),
  });

/** The driver on such a device. */
export const openBench = (options: BenchOptions) => openedOn(bench(options), mms);

/** A raw host: sends and receives messages as hex without their frame. */
export const rawBench = (options: BenchOptions = {}) => {
  const rig = bench(options);
  const { clock } = rig;
  const link = splitWrites(rig.hostLink);
  const received: string[] = [];
  const reader = messageReader(link.carries);
  link.listen({
    bytes: (bytes) => {
      for (const piece of reader.push(bytes)) {
        if (piece.kind === 'noise') received.push(`noise ${toHex(piece.bytes)}`);
        else if (piece.message.kind === 'tooLong' || piece.message.kind === 'other') received.push(piece.message.kind);
        else received.push(toHex(encodeMessage(piece.message)));
      }
    },
    closed: () => received.push('closed'),
  });
  return {
    ...rig,
    /** Sends a message, waits, and returns what arrived since the last call. */
    async send(message: string, ms = 0): Promise<string[]> {
      await link.write(frameMessage(fromHex(message), { carries: link.carries, from: 'host' }));
      await clock.advance(ms);
      return received.splice(0);
    },
    async wait(ms: number): Promise<string[]> {
      await clock.advance(ms);
      return received.splice(0);
    },
  };
};
