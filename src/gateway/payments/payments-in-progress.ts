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
  quiet(): Promise<void>;
};

type Options = { clock: Clock; patienceMs: number; report: (error: unknown) => void };

export const underWay = ({ clock, patienceMs, report }: Options): PaymentsInProgress => {
  const works = new Map<string, Promise<void>>();
  return {
    has: (id) => works.has(id),
    start(id, work) {
      works.set(id, work);
      const end = () => void works.delete(id);
      work.then(end, (error: unknown) => {
        end();
        // Afterwards nobody may be waiting, and the report is the only trace.
        report(error);
      });
    },
    async wait(id) {
      const work = works.get(id);
      if (work === undefined) return;
      let late: Fault | undefined;
      // Created only when late: a fault collects its stack, and every request passes here.
      const tooLate = (): Fault => {
        late = new Fault('host.silent', { why: `the acquirer took more than ${patienceMs} ms` });
        return late;
      };
      await within(clock, patienceMs, work, tooLate).catch((error: unknown) => {
        if (error !== late) throw error;
      });
    },
    async quiet() {
      await Promise.allSettled(works.values());
    },
  };
};
