/** Work in progress, by id: others wait for it, but not forever. */
import { type Clock, within } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';

export type PaymentsInProgress = {
  has(id: string): boolean;
  /** Keeps the work until it ends; its error goes to the report, and to everyone who waits. */
  start(id: string, work: Promise<void>): void;
  /** Resolves when the work has ended or the patience has run out; throws what the work throws. */
  wait(id: string): Promise<void>;
  /** Resolves when nothing is in progress. */
  whenIdle(): Promise<void>;
};

type Options = { clock: Clock; patienceMs: number; report: (error: unknown) => void };

export const trackPayments = ({ clock, patienceMs, report }: Options): PaymentsInProgress => {
  const inProgress = new Map<string, Promise<void>>();
  return {
    has: (id) => inProgress.has(id),
    start(id, work) {
      inProgress.set(id, work);
      const end = () => void inProgress.delete(id);
      work.then(end, (error: unknown) => {
        end();
        // By then perhaps no caller waits any more, and the error is seen only in the report.
        report(error);
      });
    },
    async wait(id) {
      const work = inProgress.get(id);
      if (work === undefined) return;
      let lateFault: Fault | undefined;
      // Created only when late: a fault collects its stack, and every request passes here.
      const tooLateFault = (): Fault => {
        lateFault = new Fault('host.silent', { why: `the acquirer took more than ${patienceMs} ms` });
        return lateFault;
      };
      await within(clock, patienceMs, work, tooLateFault).catch((error: unknown) => {
        if (error !== lateFault) throw error;
      });
    },
    async whenIdle() {
      await Promise.allSettled(inProgress.values());
    },
  };
};
