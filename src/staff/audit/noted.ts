/** Notes of the technician's work: a journal that cannot be written is what he may have been called for. */
import type { DeskParts } from '../../app/parts.ts';

export type Noted = DeskParts['note'];

/** Writes down who did what. Where the journal cannot take it that is reported, and the work goes on. */
export const noteOn =
  ({ note, report }: Pick<DeskParts, 'note' | 'report'>): Noted =>
  (what, by) => {
    try {
      note(what, by);
    } catch (error) {
      report(error);
    }
  };
