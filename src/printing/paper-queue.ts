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
  /** `isRepeat`: part of it may have been printed already. */
  bytes(isRepeat: boolean): Promise<Uint8Array>;
  /** Dropped if it cannot be done now: a drawer must not open when nobody is there. */
  isDroppedOnFault?: true;
  /** What it can be rebuilt from after a restart; without it the job does not survive one. */
  stored?: { paper: StoredPrintJob; at: number };
};

const AGAIN_MS = 5_000;
const WAITING_MOST = 50;

type CurrentState = { state: PrinterState['state']; fault?: Fault };
type WaitingJob = { job: PrintJob; again: boolean; tell: { onDone(): void; onFailed(error: unknown): void }[] };
type QueueContext = { printer: Printer; clock: Clock; onChange(): void; onKeep(): void; report(error: unknown): void };

/**
 * `onChange`: called when the state or the number of jobs changes. `onKeep`: called when the result of `storedJobs`
 * changes, and before the first byte of a job is sent. `report`: called for errors that are not the printer's.
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
   * is dropped on a fault. `again`: part of it may have been printed before the restart.
   */
  add(job: PrintJob, { again = false } = {}): Promise<void> {
    return new Promise((resolve, failed) => {
      const { fault } = this.#now;
      const same = this.#waiting.find(({ job: { key } }) => key === job.key);
      // A job has stopped midway: it continues by itself, and then this one is printed too.
      if (this.#working && fault !== undefined && (same !== undefined || job.isDroppedOnFault === true))
        return failed(fault);
      if (same !== undefined) same.tell.push({ onDone: resolve, onFailed: failed });
      else if (this.#waiting.length < WAITING_MOST) {
        // Behind a job that stopped midway this job is printed later by itself, so nobody is kept waiting.
        const stopped = this.#stopped ? fault : undefined;
        this.#waiting.push({ job, again, tell: stopped === undefined ? [{ onDone: resolve, onFailed: failed }] : [] });
        if (job.stored !== undefined) this.#over.onKeep();
        if (stopped !== undefined) failed(stopped);
      } else {
        const facts = { name: this.#over.printer.name, waiting: this.#waiting.length };
        return failed(new Fault('printer.full', facts));
      }
      this.#over.onChange();
      void this.#work();
    });
  }

  /** The waiting jobs that survive a restart. */
  storedJobs(): { paper: StoredPrintJob; at: number; again: boolean }[] {
    return this.#waiting.flatMap(({ job: { stored: kept }, again }) =>
      kept === undefined ? [] : [{ ...kept, again }],
    );
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
        (health) => this.#become(stateAfter(printer.name, health)),
        (error: unknown) => this.#become(stateOfFault(error)),
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
    for (let waiting = this.#waiting[0]; waiting !== undefined && !this.#closed; waiting = this.#waiting[0]) {
      if (!(await this.#print(waiting)) && this.#waiting.length > 0 && !this.#closed) await this.#rest();
    }
    this.#working = false;
  }

  async #print(paper: WaitingJob): Promise<boolean> {
    const { printer } = this.#over;
    try {
      const health = await printer.print(await paper.job.bytes(paper.again), {
        onBegun: () => {
          paper.again = true;
          if (paper.job.stored !== undefined) this.#over.onKeep();
        },
        onTrouble: (fault) => {
          this.#stopped = true;
          this.#become(stateOfFault(fault));
          this.#refuseAll(fault);
        },
      });
      this.#drop(paper);
      this.#become(stateAfter(printer.name, health));
      for (const { onDone: done } of paper.tell) done();
      this.#over.onChange();
      return true;
    } catch (error) {
      this.#failed(paper, error);
      return false;
    } finally {
      this.#stopped = false;
    }
  }

  #failed(paper: WaitingJob, error: unknown): void {
    const isPrinterFault = isFault(error) && error.code.startsWith('printer.');
    this.#become(stateOfFault(error));
    refuse(paper, error);
    if (!isPrinterFault) this.#over.report(error);
    if (paper.job.isDroppedOnFault === true || !isPrinterFault) this.#drop(paper);
    if (isPrinterFault) this.#refuseAll(error);
  }

  /** A fault that stops one job stops the others too; a drawer job is dropped instead of waiting. */
  #refuseAll(error: unknown): void {
    for (const paper of [...this.#waiting]) {
      if (paper.job.isDroppedOnFault === true) this.#drop(paper);
      refuse(paper, error);
    }
  }

  #drop(paper: WaitingJob): void {
    const i = this.#waiting.indexOf(paper);
    if (i < 0) return;
    this.#waiting.splice(i, 1);
    if (paper.job.stored !== undefined) this.#over.onKeep();
  }

  #become(next: CurrentState): void {
    const differs = next.state !== this.#now.state;
    this.#now = next;
    if (differs) this.#over.onChange();
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
  for (const { onFailed: failed } of paper.tell.splice(0)) failed(error);
};

const stateAfter = (name: string, health: PrinterHealth): CurrentState =>
  canPrint(health) ? { state: health.state } : { state: health.state, fault: faultOf(name, health) };

const states = {
  'printer.away': 'away',
  'printer.paperOut': 'paperOut',
  'printer.coverOpen': 'coverOpen',
} as const;

const stateOfFault = (error: unknown): CurrentState => {
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
