/** Ending a transaction that nobody will continue, so that the device is idle again. */
import { Fault } from '../../../src/base/fault.ts';
import { arpcBlock } from '../protocol/arpc.ts';
import { succeeded } from '../protocol/status.ts';
import type { MmsDevice } from './device.ts';

/** How long the device may need to say that it ended. */
const endingMs = 10_000;

/**
 * Cancels; where the device cannot any more, the card is told that the host declined. `serial`: tag DFDF25 of the
 * device. Throws `terminal.silent` when the device never says that it ended.
 */
export const giveUp = async (device: MmsDevice, serial: Uint8Array | undefined): Promise<void> => {
  if (!device.events.running()) return;
  const cancelled = await device.cancel();
  if (!cancelled) {
    const { arpc } = arpcBlock(serial ?? new Uint8Array(8), { kind: 'declined' });
    const { status } = await device.ask('resume', { from: 0, arpc });
    // It ended by itself meanwhile.
    if (!succeeded(status)) return device.events.end();
  }
  const until = device.tools.clock.monotonic() + endingMs;
  for (;;) {
    const event = await device.next(() => until);
    if (event === undefined) {
      throw device.end(new Fault('terminal.silent', { command: 'the end of the transaction', ms: endingMs }));
    }
    if (event.kind !== 'ended') continue;
    device.events.end();
    return;
  }
};
