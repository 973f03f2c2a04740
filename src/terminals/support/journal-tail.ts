/** The journal's last entries, for people who help from afar: what happened and how it ended, and nothing else. */
import { existsSync } from 'node:fs';
import { dateTime } from '../../base/clock.ts';
import { hidden, printable } from '../../base/mask.ts';
import { openSqlToRead, type Sql } from '../../journal/sql.ts';
import { entryOf } from '../../journal/verify.ts';

/** Values that may be shown, by their names in an event. Any other value is hidden: its name stays. */
const shown = new Set(
  [
    'on ending reason why how words kind code description statusText operation minor currency terminalId sequence receipt',
    'at entryMode maskedPan verification aid decision approved label value tvr tsi offline duplicate by risk allowed',
  ]
    .join(' ')
    .split(' '),
);

/** A line for each of the last `most` entries, oldest first. Throws `journal.busy`, or what reading ends with. */
export const journalTail = (path: string, most: number): string[] => {
  if (!existsSync(path)) return ['There is no journal yet.'];
  const sql = openSqlToRead(path);
  try {
    return lastEntries(sql, most);
  } finally {
    sql.close();
  }
};

/** The same of a journal that is open: while its till runs nobody else can open it. */
export const lastEntries = (sql: Sql, most: number): string[] =>
  sql
    .all('SELECT * FROM entry ORDER BY entry DESC LIMIT ?', most)
    .map(entryOf)
    .reverse()
    .map(({ entry, at, subject, kind, body }) => `${entry}  ${dateTime(at)}  ${subject}  ${kind}  ${masked(body)}`);

const masked = (body: string): string => {
  try {
    return JSON.stringify(maskedValue(JSON.parse(body) as unknown, false));
  } catch {
    // What is no JSON was not written by us: nobody knows what is in it.
    return hidden;
  }
};

const maskedValue = (value: unknown, isShown: boolean): unknown => {
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, isShown));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskedValue(each, shown.has(name))]));
  }
  if (typeof value === 'boolean') return value;
  if (!isShown) return hidden;
  return typeof value === 'string' ? printable(value) : value;
};
