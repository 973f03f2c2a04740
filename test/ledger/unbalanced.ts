/** Journals that a till without running sums could have written: more given back than was sold. */
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { type FullLedger, openLedger } from '../../src/ledger/ledger.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import type { HostAnswer, Intent } from '../../src/till/machine/facts.ts';
import { dice } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';

const answer: HostAnswer = { code: '000.100.110', description: 'done', payment: 'c'.repeat(32) };

/** Refunds this amount of 10.00 sold on receipt 1, on another receipt. */
export const refund = (ledger: FullLedger, of: Intent, receipt: number, minor: bigint): void => {
  const sale = receipt.toString(16).padStart(32, '0');
  const { follows: _, ...plain } = of;
  const follows = { sale: of.sale, payment: 'c'.repeat(32), receipt: of.receipt };
  const numbers = { sale, receipt, sequence: receipt, key: sale };
  const intent = { ...plain, ...numbers, operation: 'refund' as const, amount: { minor, currency: 'EUR' }, follows };
  ledger.record(sale, { on: 'intended', intent });
  ledger.record(sale, { on: 'hostApproved', answer });
};

/** What a till without running sums wrote: 7.00 and 6.00 refunded of 10.00. */
export const unbalance = (folder: string, of: Intent, forgetIndexes: boolean): void => {
  const journal = openJournalUnsynced(join(folder, 'journal.db'), systemClock);
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), dice(1).random));
  const versions = journal.sql.get('SELECT versions FROM ledger_index')?.['versions'];
  const ledger = openLedger({ journal, outbox, clock: systemClock });
  const indexed = journal.length;
  refund(ledger, of, 2, 700n);
  refund(ledger, of, 3, 600n);
  // The tables as they were before these entries: what today's version finds after yesterday's.
  if (!forgetIndexes) journal.sql.run('UPDATE ledger_index SET versions = ?, sales = 1', String(versions));
  if (!forgetIndexes) journal.sql.run('UPDATE ledger_index SET entry = ?', indexed);
  if (!forgetIndexes)
    for (const table of ['sale', 'sale_search']) journal.sql.run(`DELETE FROM ${table} WHERE receipt > 1`);
  journal.close();
};
