/**
 * Stands between a till and its terminals: lends one to a technician while no sale needs it, and takes it back as soon
 * as a sale does. It lives as long as the program, so a reopened till uses the same one.
 */
import type { ProbeTools } from '../../drivers/discovery.ts';
import { makeSeverable, type Severable } from '../../drivers/links/link.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { KeptTerminal } from '../till/ports.ts';
import type { TerminalReport } from './device-rows.ts';
import { openTrace, type Trace } from './trace/trace.ts';

/** Wraps the links that a loan opens: they are cut when a sale comes. */
export type Loan = { wrap: NonNullable<ProbeTools['wrap']> };

export type TerminalWatch = {
  trace: Trace;
  /** What terminals reported when they were last asked, by address. */
  told: Map<string, TerminalReport>;
  /** The same terminal, which can now be lent. `counter` is its name: `T1`. */
  wrap<T>(counter: string, saved: KeptTerminal<T>): KeptTerminal<T>;
  /**
   * Closes the till's own connection, runs `work`, and gives the terminal back. Throws as `work`, and `terminal.busy`
   * while it is already lent. A sale that comes meanwhile ends every link of the loan with that fault.
   */
  lend<R>(counter: string, work: (loan: Loan) => Promise<R>): Promise<R>;
};

type LentTerminal = { ended: Promise<unknown>; takeBack(): void };

export const openTerminalWatch = (clock: Clock): TerminalWatch => {
  const trace = openTrace(clock);
  const known = new Map<string, KeptTerminal<unknown>>();
  const lent = new Map<string, LentTerminal>();

  const begin = (counter: string): { loan: Loan; takeBack(): void } => {
    const links = new Set<Severable>();
    const sale = new Fault('terminal.busy', { command: 'a sale' });
    let isOver = false;
    return {
      loan: {
        wrap(link, driver) {
          const ownLink = makeSeverable(trace.wrap(counter)(link, driver));
          links.add(ownLink);
          if (isOver) void ownLink.sever(sale);
          return ownLink;
        },
      },
      takeBack() {
        isOver = true;
        for (const link of links) void link.sever(sale);
      },
    };
  };

  return {
    trace,
    told: new Map(),
    wrap(counter, saved) {
      known.set(counter, saved);
      return {
        async get() {
          const loan = lent.get(counter);
          loan?.takeBack();
          await loan?.ended;
          return saved.get();
        },
        drop: () => saved.drop(),
      };
    },
    async lend(counter, work) {
      if (lent.has(counter)) throw new Fault('terminal.busy', { command: 'another test' });
      const { loan, takeBack } = begin(counter);
      const run = async () => {
        await known.get(counter)?.drop();
        return work(loan);
      };
      const running = run().finally(() => lent.delete(counter));
      lent.set(counter, { takeBack, ended: running.catch(() => undefined) });
      return running;
    },
  };
};
