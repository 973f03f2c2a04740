/**
 * The papers of one printer, one after another. What could not be printed waits and is tried again; whoever asked for
 * it hears of the trouble at once.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canPrint, faultOf, type Printer, type PrinterHealth } from '../../drivers/printers/printer.ts';
import type { PrinterState } from '../api/ports/paper.ts';
import type { Clock } from '../base/clock.ts';
import { Fault, isFault } from '../base/fault.ts';
import { replaceFile } from '../base/files.ts';
import { systemCode } from '../base/system-words.ts';

export type PrintJob = {
  /** The same paper asked for again while it waits is one paper. */
  key: string;
  /** `again`: a piece of it may have been printed already. */
  bytes(again: boolean): Promise<Uint8Array>;
  /** Now or never: a drawer must not open when nobody stands there. */
  once?: true;
  /** What it is made from after a start of the till; without it it does not outlive one. */
  kept?: { paper: KeptPaper; at: number };
};

const AGAIN_MS = 5_000;
const WAITING_MOST = 50;

type Now = { state: PrinterState['state']; fault?: Fault };
type Waiting = { job: PrintJob; again: boolean; tell: { done(): void; failed(why: unknown): void }[] };
type Over = { printer: Printer; clock: Clock; changed(): void; keep(): void; report(error: unknown): void };

/**
 * `changed`: its state, or how many papers wait, is another. `keep`: what `kept` gives is another; called before the
 * first byte of a paper leaves. `report` hears what is no printer’s fault.
 */
export class PaperQueue {
  readonly #over: Over;
  readonly #waiting: Waiting[] = [];
  #now: Now = { state: 'unknown' };
  #working = false;
  /** In the middle of a paper. */
  #stopped = false;
  #closed = false;
  #asking: Promise<void> | undefined;
  #wake = (): void => {};

  constructor(over: Over) {
    this.#over = over;
  }

  /**
   * Resolves when it was printed. Rejects with what keeps it from that; it waits then, unless it is a `once`. `again`:
   * a piece of it may have been printed before the till was started.
   */
  add(job: PrintJob, { again = false } = {}): Promise<void> {
    return new Promise((done, failed) => {
      const { fault } = this.#now;
      const same = this.#waiting.find(({ job: { key } }) => key === job.key);
      // In the middle of a paper that has stopped: it goes on by itself, and so does this one then.
      if (this.#working && fault !== undefined && (same !== undefined || job.once === true)) return failed(fault);
      if (same !== undefined) same.tell.push({ done, failed });
      else if (this.#waiting.length < WAITING_MOST) {
        // Behind a paper that has stopped in the middle it comes out by itself: nobody is kept waiting for that.
        const stopped = this.#stopped ? fault : undefined;
        this.#waiting.push({ job, again, tell: stopped === undefined ? [{ done, failed }] : [] });
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

  /** Of the papers that wait, those that outlive a start of the till. */
  kept(): { paper: KeptPaper; at: number; again: boolean }[] {
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

  /** Asks the printer how it is, unless it is busy. Never rejects. */
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

  /** Nothing more is printed. */
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

  async #print(paper: Waiting): Promise<boolean> {
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

  #failed(paper: Waiting, why: unknown): void {
    const ours = isFault(why) && why.code.startsWith('printer.');
    this.#become(troubled(why));
    refuse(paper, why);
    if (!ours) this.#over.report(why);
    if (paper.job.once === true || !ours) this.#drop(paper);
    if (ours) this.#refuseAll(why);
  }

  /** What keeps one paper keeps the others too; a drawer does not wait for that to be cured. */
  #refuseAll(why: unknown): void {
    for (const paper of [...this.#waiting]) {
      if (paper.job.once === true) this.#drop(paper);
      refuse(paper, why);
    }
  }

  #drop(paper: Waiting): void {
    const at = this.#waiting.indexOf(paper);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    if (paper.job.kept !== undefined) this.#over.keep();
  }

  #become(next: Now): void {
    const differs = next.state !== this.#now.state;
    this.#now = next;
    if (differs) this.#over.changed();
  }

  /** Until the next try, or until somebody wants something. */
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

const refuse = (paper: Waiting, why: unknown): void => {
  for (const { failed } of paper.tell.splice(0)) failed(why);
};

const nowOf = (name: string, health: PrinterHealth): Now =>
  canPrint(health) ? { state: health.state } : { state: health.state, fault: faultOf(name, health) };

const states = {
  'printer.away': 'away',
  'printer.paperOut': 'paperOut',
  'printer.coverOpen': 'coverOpen',
} as const;

const troubled = (error: unknown): Now => {
  if (!isFault(error)) return { state: 'error' };
  return { state: states[error.code as keyof typeof states] ?? 'error', fault: error };
};

// The papers that wait for a printer, in a file: they come out after a start of the till too. It has numbers of
// receipts and lines of reports, never a receipt's own text. What a power cut costs of it is printed by hand. A paper
// of a newer version stays in the file until that version is back, or it is too old.

const receipt = z.object({
  of: z.literal('receipt'),
  receipt: z.int(),
  copy: z.enum(['customer', 'merchant']),
  width: z.union([z.literal(58), z.literal(80)]),
  language: z.string().optional(),
  /** Marked as one that was printed before. */
  duplicate: z.boolean(),
});
const report = z.object({ of: z.literal('report'), lines: z.array(z.string()) });
const paper = z.discriminatedUnion('of', [receipt, report]);
const waiting = z.object({
  printer: z.string(),
  /** When it was asked for, ms. */
  at: z.number(),
  /** A piece of it may have been printed. */
  again: z.boolean(),
  paper,
});
/** What any version's paper has. */
const anyVersionPaper = z.looseObject({ at: z.number() });

/** What makes the same paper once more. */
export type KeptPaper = z.infer<typeof paper>;
export type KeptWaiting = z.infer<typeof waiting>[];

/** Nobody stands there any more for what is older. */
const OLDEST_MS = 24 * 3_600_000;

type Parts = { dataDir: string; now(): number; report(error: unknown): void };

/** Neither reading nor writing ever throws: it is reported, and papers wait in memory then. */
export const keptPapers = ({ dataDir, now, report: tell }: Parts) => {
  const file = join(dataDir, 'papers.json');
  const isYoung = ({ at }: { at: number }): boolean => now() - at < OLDEST_MS;
  let foreign: z.infer<typeof anyVersionPaper>[] = [];
  return {
    read(): KeptWaiting {
      try {
        const all = z
          .array(anyVersionPaper)
          .parse(JSON.parse(readFileSync(file, 'utf8')))
          .filter(isYoung);
        foreign = all.filter((one) => !waiting.safeParse(one).success);
        return all.flatMap((one) => waiting.safeParse(one).data ?? []);
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') tell(error);
        return [];
      }
    },
    write(papers: KeptWaiting): void {
      try {
        foreign = foreign.filter(isYoung);
        if (papers.length === 0 && foreign.length === 0) rmSync(file, { force: true });
        else {
          writeFileSync(`${file}.new`, `${JSON.stringify([...papers, ...foreign])}\n`, { mode: 0o600 });
          replaceFile(`${file}.new`, file);
        }
      } catch (error) {
        tell(error);
      }
    },
  };
};
