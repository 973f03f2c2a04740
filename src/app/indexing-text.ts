/** Describes a rebuild of the till's indexes. Imports no code, because commands that open no till load it too. */
import type { IndexProgress } from '../ledger/ledger-index.ts';

export type { IndexProgress } from '../ledger/ledger-index.ts';

/** Indexes whose internal names are not understandable. */
const indexNames: Readonly<Record<string, string>> = {
  asked: 'request key',
  conservation: 'money',
  late: 'late approval',
  line: 'batch',
  loss: 'unpaid sale',
  question: 'open question',
  takings: 'totals',
  unread: 'unreadable sale',
};

/** For people: `Rebuilding the search index: 41 % of 1,000,000 events`. */
export const indexingText = ({ indexes: [first = '', ...more], done, total }: IndexProgress): string => {
  const what = more.length === 0 ? `the ${indexNames[first] ?? first} index` : `${more.length + 1} indexes`;
  return `Rebuilding ${what}: ${Math.floor((100 * done) / total)} % of ${total.toLocaleString('en-US')} events`;
};
