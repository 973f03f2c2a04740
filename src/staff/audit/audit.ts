/**
 * Who did what at this till, newest first, read from the journal page by page. An index covers only the few entries
 * about people, so the many about sales are not read.
 */
import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../api/contract/store.ts';
import type { Page } from '../../api/contract/wire.ts';
import type { Actor } from '../../api/ports/session.ts';
import { withTexts } from '../../base/localized-message.ts';
import { printable, withoutNumbers } from '../../base/mask.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Sql, SqlValue } from '../../journal/sql.ts';
import type { AuditNote } from './audit-notes.ts';
import { auditKinds, auditWords } from './audit-words.ts';

/** The subject of notes that services write. */
const SERVICES = 'desk';

const kinds = Object.keys(auditKinds);
/** Has the same text in the index and in each query: otherwise SQLite would not use the index. */
const isAudited = `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
const index = `entry_audit_${createHash('sha256').update(isAudited).digest('hex').slice(0, 12)}`;

const makeIndex = (sql: Sql): void => {
  const existingIndexes = sql.all("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'entry_audit_%'");
  if (existingIndexes.length === 1 && existingIndexes[0]?.['name'] === index) return;
  sql.atomically(() => {
    for (const { name } of existingIndexes) sql.run(`DROP INDEX ${String(name)}`);
    sql.run(`CREATE INDEX ${index} ON entry (entry) WHERE ${isAudited}`);
  });
};

/** The same rule as in `auditWords`: `name` in a person's own entry, `by` where somebody else did it. */
const who = `CASE WHEN kind IN ('staffAdmitted', 'staffRefused', 'staffRefusals', 'staffLeft', 'staffAllowed', 'browserKnown')
  THEN json_extract(body, '$.name')
  ELSE coalesce(json_extract(body, '$.by.who'), json_extract(body, '$.override.by'), json_extract(body, '$.by'),
    json_extract(body, '$.program')) END`;

export type Audit = {
  /** `from` counts from the newest entry. `by` and `kind` are complete names. */
  page(ask: { from: number; most: number; kind?: string; by?: string }): Page<AuditEntry>;
  /** `also` runs in the same durable step. Throws `journal.unwritable`. */
  note(what: AuditNote, actor: Actor, also?: () => void): void;
};

export const openAudit = (journal: Pick<Journal, 'sql' | 'write'>): Audit => {
  const { sql } = journal;
  makeIndex(sql);
  return {
    page({ from, most, kind, by }) {
      const filters = [
        ...(kind === undefined ? [] : [['kind = ?', kind] as const]),
        ...(by === undefined ? [] : [[`${who} = ? COLLATE NOCASE`, by] as const]),
      ];
      const where = [isAudited, ...filters.map(([filter]) => filter)].join(' AND ');
      const values: SqlValue[] = filters.map(([, value]) => value);
      const source = `FROM entry INDEXED BY ${index} WHERE ${where}`;
      const total = Number(sql.get(`SELECT count(*) AS n ${source}`, ...values)?.['n'] ?? 0);
      const rows = sql
        .all(
          `SELECT entry, at, subject, kind, body ${source} ORDER BY entry DESC LIMIT ? OFFSET ?`,
          ...values,
          most,
          from,
        )
        .map((row) => entryOf(sql, row));
      return { rows, from, total };
    },
    note(what, { name, program }, also) {
      const doer = name === undefined ? program !== undefined && { program } : { by: name };
      journal.write([{ subject: SERVICES, kind: what.on, body: JSON.stringify({ ...what, ...doer }) }], also);
    },
  };
};

const entryOf = (sql: Sql, row: Readonly<Record<string, SqlValue>>): AuditEntry => {
  const kind = String(row['kind']);
  const { told: whole, by } = auditWords(kind, String(row['body']));
  // Reasons and notes are typed by people.
  const message = withTexts(whole, (text) => withoutNumbers(printable(text, 500)));
  const receipt =
    kind === 'personSaid' || kind === 'unpaidEnded'
      ? sql.get('SELECT receipt FROM sale WHERE sale = ?', String(row['subject']))
      : undefined;
  return {
    entry: Number(row['entry']),
    at: Number(row['at']),
    kind,
    words: message.says,
    told: message,
    by,
    receipt: receipt && Number(receipt['receipt']),
  };
};
