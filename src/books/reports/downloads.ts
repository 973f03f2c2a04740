/** Tables and reports that somebody takes out of the till. */
import type { Download, ReconciliationDetail } from '../../api/ports/books.ts';
import type { Actor } from '../../api/ports/session.ts';
import { wallTimes } from '../../reconciliation/wall-times.ts';
import { batchReport } from '../batch-rows.ts';
import type { ManagerParts } from '../port.ts';
import { batchPaper, type Reported, type Reporting } from './batch-pdf.ts';
import { type CsvTable, csvOf, inMode } from './csv.ts';
import { reconciliationPaper } from './reconciliation-pdf.ts';
import { languageFor } from './shops-languages.ts';
import { auditTable, batchTable, reconciliationTable, salesTable } from './tables.ts';

export type Downloaded = { name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> };

type Parts = Pick<ManagerParts, 'running' | 'clock' | 'note' | 'mode'>;

/** Throws `books.notFound` and `settlement.notFound`. That it was taken out stands in the audit list. */
export const downloads = (parts: Parts, reconciliation: (id: string) => ReconciliationDetail) => {
  const { running, clock, note, mode } = parts;
  // Files of test tills and of live ones lie in one folder of somebody's machine.
  const named = (name: string): string => (mode === 'live' ? name : `${mode}-${name}`);
  const csv = (name: string, table: CsvTable): Downloaded => ({
    name: `${named(name)}.csv`,
    type: 'text/csv; charset=utf-8',
    bytes: csvOf(inMode(table, mode), clock),
  });
  const wall = wallTimes(running.books.rule.timeZone);
  const pdf = async (
    { name, readers }: { name: string; readers: readonly string[] | undefined },
    draw: (reporting: Reporting) => Reported,
  ): Promise<Downloaded> => {
    const store = running.config.merchant.name;
    const language = await languageFor(readers, running.config);
    // Fonts and their reader take megabytes: they come with the first PDF.
    const [{ paperFonts }, { reportPdf }] = await Promise.all([
      import('../../receipt/paper-fonts.ts'),
      import('./report-pdf.ts'),
    ]);
    const bytes = await reportPdf({
      ...draw({ ...language, at: wall }),
      ...{ mode, store, language, at: clock.now(), fonts: paperFonts() },
    });
    return { name: `${named(name)}.pdf`, type: 'application/pdf', bytes };
  };

  const made = async (what: Download, readers: readonly string[] | undefined): Promise<Downloaded> => {
    switch (what.of) {
      case 'sales':
        return csv('sales', salesTable(parts, what));
      case 'audit':
        return csv('audit', auditTable(parts, what));
      case 'batch': {
        const batch = running.books.batch(what.batch, what.terminalId);
        const name = `batch-${batch.terminalId}-${batch.batch}`;
        if (what.as === 'csv') return csv(name, batchTable(parts, batch));
        return pdf({ name, readers }, (t) => batchPaper(batchReport(parts, batch, t), batch.z, t));
      }
      default: {
        const detail = reconciliation(what.id);
        const name = `reconciliation-${detail.days.first || detail.id}`;
        return what.as === 'csv'
          ? csv(name, reconciliationTable(parts, detail))
          : pdf({ name, readers }, (t) => reconciliationPaper(detail, t));
      }
    }
  };

  return async (what: Download, by: Actor = { permissions: [] }, readers?: readonly string[]): Promise<Downloaded> => {
    const file = await made(what, readers);
    note({ on: 'downloaded', what: file.name }, by);
    return file;
  };
};
