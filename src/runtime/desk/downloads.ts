/** Tables and reports that somebody takes out of the till. */
import type { Download, ReconciliationDetail } from '../../api/ports/books.ts';
import type { Actor } from '../../api/ports/session.ts';
import { batchReport } from './books-batches.ts';
import { csvOf, type Table, wallTimes } from './downloads-csv.ts';
import { batchPaper, type Reported, reconciliationPaper } from './downloads-reports.ts';
import { auditTable, batchTable, reconciliationTable, salesTable } from './downloads-tables.ts';
import type { DeskParts } from './parts.ts';

export type Downloaded = { name: string; type: string; bytes: Uint8Array };

/** Throws `books.notFound` and `settlement.notFound`. That it was taken out stands in the audit list. */
export const downloads = (parts: DeskParts, reconciliation: (id: string) => ReconciliationDetail) => {
  const { running, clock, note } = parts;
  const csv = async (name: string, table: Table): Promise<Downloaded> => ({
    name: `${name}.csv`,
    type: 'text/csv; charset=utf-8',
    bytes: await csvOf(table),
  });
  const wall = wallTimes(running.books.rule.timeZone);
  const pdf = async (name: string, reported: Reported): Promise<Downloaded> => {
    const store = running.config.merchant.name;
    // Fonts and their reader take megabytes: they come with the first PDF.
    const [{ paperFonts }, { reportPdf }] = await Promise.all([import('../paper-fonts.ts'), import('./report-pdf.ts')]);
    const bytes = await reportPdf({ ...reported, store, at: clock.now(), fonts: paperFonts() });
    return { name: `${name}.pdf`, type: 'application/pdf', bytes };
  };

  const made = async (what: Download): Promise<Downloaded> => {
    switch (what.of) {
      case 'sales':
        return csv('sales', salesTable(parts, what));
      case 'audit':
        return csv('audit', auditTable(parts, what));
      case 'batch': {
        const batch = running.books.batch(what.batch, what.terminalId);
        const name = `batch-${batch.terminalId}-${batch.batch}`;
        if (what.as === 'csv') return csv(name, batchTable(parts, batch));
        return pdf(name, batchPaper(batchReport(running, batch), { z: batch.z, at: wall }));
      }
      default: {
        const detail = reconciliation(what.id);
        const name = `reconciliation-${detail.days.first || detail.id}`;
        return what.as === 'csv'
          ? csv(name, reconciliationTable(parts, detail))
          : pdf(name, reconciliationPaper(detail, wall));
      }
    }
  };

  return async (what: Download, by: Actor = { permissions: [] }): Promise<Downloaded> => {
    const file = await made(what);
    note({ on: 'downloaded', what: file.name }, by);
    return file;
  };
};
