/** Whose a sale is, and what is noted when somebody opens the sale of somebody else. */
import type { SellingPort } from '../api/ports/selling.ts';
import type { Actor } from '../api/ports/session.ts';
import { makerOf } from '../ledger/asked-index.ts';
import { openLookups } from '../staff/lookups.ts';
import { ofProgram } from './begin.ts';
import type { SellingParts } from './port.ts';

/** A counter that takes back goods all day serves fewer; whoever walks through all receipts meets it in minutes. */
const OTHERS_AN_HOUR = 60;
/** A program at the counter stands for several people. */
const OTHERS_AN_HOUR_OF_PROGRAM = 300;

type Own = Pick<SellingPort, 'isOwn' | 'openOthers' | 'allowOthers'>;

export const sellingOwn = ({ running, clock, note }: Pick<SellingParts, 'running' | 'clock' | 'note'>): Own => {
  const lookups = openLookups(clock);
  const { sql } = running.journal;
  return {
    isOwn(sale, by) {
      const id = 'id' in sale ? sale.id : running.till.find(sale.receipt).intent.sale;
      const maker = makerOf(sql, id);
      if (maker === undefined) return false;
      if (maker.cashier === (by.name ?? by.program)) return true;
      return by.program !== undefined && maker.asked.startsWith(ofProgram(by.program, ''));
    },
    openOthers({ receipt }, by) {
      const { sale, cashier } = running.till.find(receipt).intent;
      const most = by.program === undefined ? OTHERS_AN_HOUR : OTHERS_AN_HOUR_OF_PROGRAM;
      const lookup = lookups.open(whoOf(by), sale, most);
      if (lookup === 'new')
        note({ on: 'othersSaleOpened', receipt, ...(cashier !== undefined && { of: cashier }) }, by);
      if (lookup === 'full') note({ on: 'othersSalesHeld', count: most }, by);
      return lookup === 'known' || lookup === 'new';
    },
    allowOthers: (by) => lookups.allow(whoOf(by)),
  };
};

const whoOf = ({ name, program }: Actor): string => JSON.stringify([name, program]);
