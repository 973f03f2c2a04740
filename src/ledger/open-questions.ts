/**
 * Open sales that time alone does not end: a terminal or a person is asked about them. Kept with each step, they are
 * found and counted without reading a sale.
 */
import type { Sql } from '../journal/sql.ts';
import { isOpen, isUnread, type Sale } from '../till/machine/sale.ts';
import type { LedgerIndex } from './ledger-index.ts';

/**
 * terminal: a terminal that authorises by itself is asked. person: it could not tell, so a person is. differs: what
 * came later does not fit what a person said.
 */
export type OpenQuestion = 'terminal' | 'person' | 'differs';

const schema = `CREATE TABLE IF NOT EXISTS open_question (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL,
  question TEXT NOT NULL, at INTEGER NOT NULL) STRICT`;

export const openQuestionIndex = (sql: Sql): LedgerIndex => {
  sql.run(schema);
  return {
    version: 'question-1',
    // Few sales are in it: how many, only the journal knows.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM open_question'),
    moved({ before, after }) {
      const question = questionOf(after);
      if (question === (before && questionOf(before))) return;
      const { sale, receipt, at } = after.intent;
      if (question === undefined) sql.run('DELETE FROM open_question WHERE sale = ?', sale);
      else
        sql.run(
          'INSERT OR REPLACE INTO open_question (sale, receipt, question, at) VALUES (?, ?, ?, ?)',
          ...[sale, receipt, question, at],
        );
    },
  };
};

/** What a newer version has written is for that version to ask. */
const questionOf = (sale: Sale): OpenQuestion | undefined => {
  if (sale.at !== 'ended' || isUnread(sale) || !isOpen(sale)) return undefined;
  if (sale.intent.by === 'terminal') return sale.forPerson === true ? 'person' : 'terminal';
  return sale.differs === undefined ? undefined : 'differs';
};

/** Their ids, oldest first. */
export const openQuestions = (sql: Sql): string[] =>
  sql.all('SELECT sale FROM open_question ORDER BY receipt').map(({ sale }) => String(sale));
