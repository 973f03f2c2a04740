/** A ZVT terminal played by the test: bare APDUs as hex, sent one by one, and what the till sends in between. */
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import type { TerminalEvent } from '../../../drivers/terminal.ts';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import { Fault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const hello = ['800000', '060F00', '800000', '060F00'];

/** An opened terminal whose device sends only what the test tells it to: `greets` answers the till's hello. */
export const bareBench = async (greets: readonly string[] = hello) => {
  const clock = virtualClock();
  const [device, till] = memoryLinks();
  const sent: string[] = [];
  const unsolicited: Fault[] = [];
  const events: TerminalEvent[] = [];
  device.listen({ bytes: (bytes) => sent.push(toHex(bytes)), closed: () => sent.push('closed') });
  const send = async (...messages: readonly string[]): Promise<void> => {
    for (const hex of messages) {
      await device.write(fromHex(hex));
      await clock.settle();
    }
  };
  const opening = zvtDriver({ form: 'apdu' }).open(till, { clock, report: (stray) => unsolicited.push(stray) });
  await clock.settle();
  await send(...greets);
  const terminal: IntegratedTerminal = await clock.until(opening);
  const greeting = sent.splice(0);
  return {
    clock,
    device,
    sent,
    unsolicited,
    events,
    send,
    terminal,
    greeting,
    tell: (event: TerminalEvent) => events.push(event),
  };
};

export const sale = { amount: { minor: 2_040n, currency: 'EUR' }, withinMs: 90_000 };

/** The value that a call ends with, or the Fault's code and status. */
export const settled = async <T>(promise: Promise<T>): Promise<T | string> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
};
