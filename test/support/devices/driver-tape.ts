/** A reader's driver on a tape of bytes, under virtual time, and the tape split into other chunks. */
import type { ReaderDriver } from '../../../drivers/driver.ts';
import type { CardInterface, ReadOutcome, ReadRequest, Terminal, TerminalEvent } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { type VirtualClock, virtualClock } from '../time/virtual-clock.ts';
import { type Tape, tape } from './tape.ts';

/** Ten euros at noon, any card. */
export const tapeSale: ReadRequest = {
  amount: { minor: 1_000n, currency: 'EUR' },
  kind: 'purchase',
  at: new Date(2026, 0, 1, 12, 0, 0).getTime(),
  accept: ['chip', 'tap', 'swipe'],
  withinMs: 60_000,
};

export type TapeBench = {
  terminal: Terminal;
  link: Tape;
  clock: VirtualClock;
  unsolicited: Fault[];
  events: TerminalEvent[];
  read(accept?: readonly CardInterface[]): Promise<ReadOutcome>;
};

type TapeOptions = {
  driver: ReaderDriver;
  /** The recorded bytes, including the driver's greeting before the sale. */
  bytes: string;
  sale?: ReadRequest;
  startsAt?: number;
  timeZone?: string;
};

/** A terminal opened on a tape. */
export const openedOnTape = async (options: TapeOptions): Promise<TapeBench> => {
  const { driver, bytes, sale = tapeSale, startsAt, timeZone } = options;
  const clock = virtualClock(startsAt);
  const link = tape(bytes);
  const unsolicited: Fault[] = [];
  const events: TerminalEvent[] = [];
  const terminal = await clock.until(
    driver.open(link, { clock, report: (stray) => unsolicited.push(stray), timeZone }),
  );
  const read = (accept = sale.accept) => clock.until(terminal.read({ ...sale, accept }, (event) => events.push(event)));
  return { terminal, link, clock, unsolicited, events, read };
};

/** The same tape, with received bytes in chunks of these sizes, repeated. */
export const inPortions = (lines: readonly string[], sizes: readonly number[]): string => {
  let turn = 0;
  const portions = (line: string): string[] => {
    if (!line.startsWith('<')) return [line];
    const cut: string[] = [];
    for (let rest = line.slice(2); rest !== ''; turn += 1) {
      const size = 2 * (sizes[turn % sizes.length] ?? 1);
      cut.push(`< ${rest.slice(0, size)}`);
      rest = rest.slice(size);
    }
    return cut;
  };
  return lines.flatMap(portions).join('\n');
};
