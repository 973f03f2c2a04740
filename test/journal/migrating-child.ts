/** Opens a journal with today's plan in its own process, and kills itself at the given statement. */
import { journalIn } from '../../src/journal/journal.ts';
import { openSql } from '../../src/journal/sql.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { countedSql } from './counted-sql.ts';

const [path = '', at = '0', when = ''] = process.argv.slice(2);
const killProcess = () => void process.kill(process.pid, 'SIGKILL');
const { sql } = countedSql(openSql(path), { at: Number(at), after: when === 'after', how: killProcess });
const plan = {
  ...schemaPlan,
  withoutKeys(copy: Parameters<typeof schemaPlan.withoutKeys>[0]) {
    if (when === 'beforeCopy') killProcess();
    schemaPlan.withoutKeys(copy);
    if (when === 'afterCopy') killProcess();
  },
};
journalIn(sql, path, { clock: virtualClock(), plan }).close();
