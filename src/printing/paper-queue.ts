/**
 * The jobs of one printer, in order. A job that could not be printed waits and is retried; whoever requested it is told
 * of the problem at once.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canPrint, faultOf, type Printer, type PrinterHealth } from '../../drivers/printers/printer.ts';
import type { PrinterState } from '../api/contract/paper.ts';
import type { Clock } from '../base/clock.ts';
import { Fault, isFault } from '../base/fault.ts';
import { replaceFile } from '../base/files.ts';
import { systemCode } from '../base/system-error-text.ts';

export type PrintJob = {
  /** The same job requested again while it waits is not queued twice. */
  key: string;
  /** `again`: part of it may have been printed already. */
  bytes(again: boolean): Promise<Uint8Array>;
  /** Now or never: a drawer must not open when nobody is there. */
  once?: true;
  /** What it can be rebuilt from after a restart; without it the job does not survive one. */
  kept?: { paper: StoredPrintJob; at: number };
};

const AGAIN_MS = 5_000;
const WAITING_MOST = 50;

type CurrentState = { state: PrinterState['state']; fault?: Fault };
type WaitingJob = { job: PrintJob; again: boolean; tell: { done(): void; failed(error: unknown): void }[] };
type QueueContext = { printer: Printer; clock: Clock; changed(): void; keep(): void; report(error: unknown): void };

/**
 * `changed`: called when the state or the number of jobs changes. `keep`: called when the result of `kept` changes, and
 * before the first byte of a job is sent. `report`: called for errors that are not the printer's.
 */
export class PaperQueue {
  readonly #over: QueueContext;
  readonly #waiting: WaitingJob[] = [];
  #now: CurrentState = { state: 'unknown' };
  #working = false;
  #stopped = false;
  #closed = false;
  #asking: Promise<void> | undefined;
  #wake = (): void => {};

  constructor(over: QueueContext) {
    this.#over = over;
  }

  /**
   * Resolves when the job was printed. Rejects with the reason when it cannot be printed now; it then waits, unless it
   * is a `once`. `again`: part of it may have been printed before the restart.
   */
  add(job: PrintJob, { again = false } = {}): Promise<void> {
    return new Promise((resolve, failed) => {
      const { fault } = this.#now;
      const same = this.#waiting.find(({ job: { key } }) => key === job.key);
      // A job has stopped midway: it continues by itself, and then this one is printed too.
      if (this.#working && fault !== undefined && (same !== undefined || job.once === true)) return failed(fault);
      if (same !== undefined) same.tell.push({ done: resolve, failed });
      else if (this.#waiting.length < WAITING_MOST) {
        // Behind a job that stopped midway it is printed by itself later, so nobody is kept waiting.
        const stopped = this.#stopped ? fault : undefined;
        this.#waiting.push({ job, again, tell: stopped === undefined ? [{ done: resolve, failed }] : [] });
        if (job.kept !== undefined) this.#over.keep();
        if (stopped !== undefined) failed(stopped);
      } else {
        const facts = { name: this.#over.printer.name, waiting: this.#waiting.length };
        return failed(new Fault('printer.full', facts));
      }
      this.#over.changed();
      void this.#work();
    });
  }

  /** The waiting jobs that survive a restart. */
  kept(): { paper: StoredPrintJob; at: number; again: boolean }[] {
    return this.#waiting.flatMap(({ job: { kept }, again }) => (kept === undefined ? [] : [{ ...kept, again }]));
  }

  state(): Pick<PrinterState, 'state' | 'problem' | 'waiting'> {
    const { state, fault } = this.#now;
    return {
      state,
      problem: fault && { code: fault.code, says: fault.message, facts: fault.facts },
      waiting: this.#waiting.length,
    };
  }

  /** Asks the printer for its state, unless it is busy. Never rejects. */
  refresh(): Promise<void> {
    if (this.#working || this.#closed) return Promise.resolve();
    const { printer } = this.#over;
    this.#asking ??= printer
      .health()
      .then(
        (health) => this.#become(nowOf(printer.name, health)),
        (error: unknown) => this.#become(troubled(error)),
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  /** Prints nothing more. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async #work(): Promise<void> {
    if (this.#working) return this.#wake();
    this.#working = true;
    await this.#asking;
    for (let paper = this.#waiting[0]; paper !== undefined && !this.#closed; paper = this.#waiting[0]) {
      if (!(await this.#print(paper)) && this.#waiting.length > 0 && !this.#closed) await this.#rest();
    }
    this.#working = false;
  }

  async #print(paper: WaitingJob): Promise<boolean> {
    const { printer } = this.#over;
    try {
      const health = await printer.print(await paper.job.bytes(paper.again), {
        begun: () => {
          paper.again = true;
          if (paper.job.kept !== undefined) this.#over.keep();
        },
        trouble: (fault) => {
          this.#stopped = true;
          this.#become(troubled(fault));
          this.#refuseAll(fault);
        },
      });
      this.#drop(paper);
      this.#become(nowOf(printer.name, health));
      for (const { done } of paper.tell) done();
      this.#over.changed();
      return true;
    } catch (error) {
      this.#failed(paper, error);
      return false;
    } finally {
      this.#stopped = false;
    }
  }

  #failed(paper: WaitingJob, error: unknown): void {
    const ours = isFault(error) && error.code.startsWith('printer.');
    this.#become(troubled(error));
    refuse(paper, error);
    if (!ours) this.#over.report(error);
    if (paper.job.once === true || !ours) this.#drop(paper);
    if (ours) this.#refuseAll(error);
  }

  /** What stops one job stops the others too; a drawer job does not wait for the remedy. */
  #refuseAll(error: unknown): void {
    for (const paper of [...this.#waiting]) {
      if (paper.job.once === true) this.#drop(paper);
      refuse(paper, error);
    }
  }

  #drop(paper: WaitingJob): void {
    const i = this.#waiting.indexOf(paper);
    if (i < 0) return;
    this.#waiting.splice(i, 1);
    if (paper.job.kept !== undefined) this.#over.keep();
  }

  #become(next: CurrentState): void {
    const differs = next.state !== this.#now.state;
    this.#now = next;
    if (differs) this.#over.changed();
  }

  /** Waits for the next retry, or until there is a new request. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#over.clock.after(AGAIN_MS, resolve);
      this.#wake = () => {
        stop();
        resolve();
      };
    });
  }
}

const refuse = (paper: WaitingJob, error: unknown): void => {
  for (const { failed } of paper.tell.splice(0)) failed(error);
};

const nowOf = (name: string, health: PrinterHealth): CurrentState =>
  canPrint(health) ? { state: health.state } : { state: health.state, fault: faultOf(name, health) };

const states = {
  'printer.away': 'away',
  'printer.paperOut': 'paperOut',
  'printer.coverOpen': 'coverOpen',
} as const;

const troubled = (error: unknown): CurrentState => {
  if (!isFault(error)) return { state: 'error' };
  return { state: states[error.code as keyof typeof states] ?? 'error', fault: error };
};

// Stores the waiting jobs of the printers in a file, so that they are printed after a restart too. The file has receipt
// numbers and lines of reports, never a receipt's text. What a power cut loses can be printed by hand. A job of a newer
// version stays in the file until that version is back, or the job is too old.

const receipt = z.object({
  of: z.literal('receipt'),
  receipt: z.int(),
  copy: z.enum(['customer', 'merchant']),
  width: z.union([z.literal(58), z.literal(80)]),
  language: z.string().optional(),
  /** Marked as a duplicate of one printed before. */
  duplicate: z.boolean(),
});
const report = z.object({ of: z.literal('report'), lines: z.array(z.string()) });
const paper = z.discriminatedUnion('of', [receipt, report]);
const waiting = z.object({
  printer: z.string(),
  /** When it was requested, ms. */
  at: z.number(),
  /** Part of it may have been printed. */
  again: z.boolean(),
  paper,
});
/** The fields that a job of any version has. */
const anyVersionPaper = z.looseObject({ at: z.number() });

/** What the same job can be rebuilt from. */
export type StoredPrintJob = z.infer<typeof paper>;
export type StoredPrintJobs = z.infer<typeof waiting>[];

/** Nobody waits for older jobs any more. */
const OLDEST_MS = 24 * 3_600_000;

type Parts = { dataDir: string; now(): number; report(error: unknown): void };

/** Reading and writing never throw: errors are reported, and jobs then wait in memory only. */
export const openPrintJobStore = ({ dataDir, now, report: notify }: Parts) => {
  const file = join(dataDir, 'papers.json');
  const isYoung = ({ at }: { at: number }): boolean => now() - at < OLDEST_MS;
  let foreign: z.infer<typeof anyVersionPaper>[] = [];
  return {
    read(): StoredPrintJobs {
      try {
        const all = z
          .array(anyVersionPaper)
          .parse(JSON.parse(readFileSync(file, 'utf8')))
          .filter(isYoung);
        foreign = all.filter((one) => !waiting.safeParse(one).success);
        return all.flatMap((one) => waiting.safeParse(one).data ?? []);
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') notify(error);
        return [];
      }
    },
    write(papers: StoredPrintJobs): void {
      try {
        foreign = foreign.filter(isYoung);
        if (papers.length === 0 && foreign.length === 0) rmSync(file, { force: true });
        else {
          writeFileSync(`${file}.new`, `${JSON.stringify([...papers, ...foreign])}\n`, { mode: 0o600 });
          replaceFile(`${file}.new`, file);
        }
      } catch (error) {
        notify(error);
      }
    },
  };
};
