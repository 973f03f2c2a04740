/**
 * The papers that wait for a printer, in a file: they come out after a start of the till too. It has numbers of
 * receipts and lines of reports, never a receipt's own text. What a power cut costs of it is printed by hand. A paper
 * of a newer version stays in the file until that version is back, or it is too old.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../base/files.ts';
import { systemCode } from '../base/system-words.ts';

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
