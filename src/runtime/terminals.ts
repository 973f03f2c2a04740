/** Keeps the till's one terminal open, and opens it again after a fault. */
import { openTerminal } from '../../drivers/registry.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Terminals } from '../till/ports.ts';

export type TerminalKeeper = Terminals & { close(): Promise<void> };

/** `address` as the command line has it: `mpi+tcp://127.0.0.1:7000`. Without one every `get` says so. */
export const keepTerminal = (
  address: string | undefined,
  { clock, report }: { clock: Clock; report(stray: Fault): void },
): TerminalKeeper => {
  let open: Promise<Terminal> | undefined;

  const drop = async (): Promise<void> => {
    const dropped = open;
    open = undefined;
    // A terminal that never opened has nothing to close; its fault went to whoever asked for it.
    await dropped?.then((terminal) => terminal.close()).catch(() => undefined);
  };

  return {
    get() {
      if (address === undefined) return Promise.reject(new Fault('terminal.unpaired'));
      open ??= openTerminal(address, { clock, report });
      return open;
    },
    drop,
    close: drop,
  };
};
