/**
 * A journal of many sales, and of as many sign-ins: made by the till's own ledger and journal, many in one durable
 * step.
 */
import { startTill } from '../../src/app/start-till.ts';
import { fillWithSales } from '../recovery.ts';
import { addFirstStaff, people } from './shop.ts';

/** Entries in one durable step. */
const AT_ONCE = 500;

/** `sales`: one a minute until now. `visits`: the cashier's sign-ins by PIN. */
export const makeLongJournal = async (folder: string, { sales, visits }: { sales: number; visits: number }) => {
  fillWithSales(folder, sales);
  await addFirstStaff(folder);
  const { journal, close } = await startTill({ dataDir: folder });
  const kind = 'staffAdmitted';
  const body = JSON.stringify({ on: kind, name: people.cashier, permission: 'signIn' });
  for (let from = 0; from < visits; from += AT_ONCE)
    journal.write(Array.from({ length: Math.min(AT_ONCE, visits - from) }, () => ({ subject: 'staff', kind, body })));
  await close();
};
