/** Whether the till's key is the one its stored sales were sealed under: told before one of them is tried. */
import { createHmac } from 'node:crypto';
import { Fault } from '../../base/fault.ts';
import type { Journal } from '../../journal/journal.ts';

/** Remembers the key's check value on the first start. Throws `secrets.gone` when it is another key now. */
export const proveKey = ({ sql }: Journal, tillKey: Uint8Array, path: string): void => {
  sql.run(
    'CREATE TABLE IF NOT EXISTS till_key (only INTEGER PRIMARY KEY CHECK (only = 1), check_value TEXT NOT NULL) STRICT',
  );
  const value = createHmac('sha256', tillKey).update('tillgate till key check').digest('hex').slice(0, 16);
  const known = sql.get('SELECT check_value AS value FROM till_key')?.['value'];
  if (known === undefined) sql.run('INSERT INTO till_key (only, check_value) VALUES (1, ?)', value);
  else if (known !== value) throw new Fault('secrets.gone', { path });
};
