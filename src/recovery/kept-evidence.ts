/** The evidence of sales that are looked at again and again, kept in memory until the journal has more of them. */
import type { Journal } from '../journal/journal.ts';
import { type EvidenceLine, evidenceOf } from './evidence-words.ts';

/** Of some kilobytes each. Those that were wanted last are kept. */
const KEPT_MOST = 200;

type Kept = { readonly last: number; readonly lines: readonly EvidenceLine[] };

/** By the id of the sale. */
export const openEvidence = ({
  sql,
  about,
}: Pick<Journal, 'sql' | 'about'>): ((sale: string) => readonly EvidenceLine[]) => {
  const kept = new Map<string, Kept>();
  return (sale) => {
    const last = Number(sql.get('SELECT max(entry) AS n FROM entry WHERE subject = ?', sale)?.['n'] ?? 0);
    const known = kept.get(sale);
    const now = known?.last === last ? known : { last, lines: evidenceOf(about(sale)) };
    kept.delete(sale);
    kept.set(sale, now);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MOST && oldest !== undefined) kept.delete(oldest);
    return now.lines;
  };
};
