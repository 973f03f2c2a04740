/** The takeover service over a running till: its second copy and seal, and unsent sales handed over between tills. */
import type { TakenOverRow } from '../api/contract/recovery.ts';
import type { TakeoverPort } from '../api/ports/recovery.ts';
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { SecondCopy } from '../journal/second-copy.ts';
import { openHandedOver } from '../ledger/handed-over.ts';
import { localizedEnding } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import type { TakenOverSale, TakenOverTills } from './taken-over-tills.ts';

export type TakeoverParts = {
  running: {
    readonly journal: Journal;
    readonly secondCopy: SecondCopy | undefined;
    readonly takenOver: TakenOverTills;
    readonly forwarder: Pick<Forwarder, 'wake'>;
  };
  clock: Clock;
};

export const openTakeoverService = ({ running, clock }: TakeoverParts): TakeoverPort => {
  const { journal, secondCopy, takenOver, forwarder } = running;
  return {
    secondCopy: async () => ({ secondCopy: await secondCopy?.caughtUp() }),
    seal() {
      const entries = journal.unsealed;
      journal.seal();
      return { entries };
    },
    takenOver: () => takenOver.sales().map(takenOverRow),
    sendTakenOver: () => takenOver.drain(),
    takeBack({ name }, exportId) {
      const takenBack = openHandedOver(journal, clock).takeBack(name, exportId);
      forwarder.wake();
      return { takenBack };
    },
  };
};

export const takenOverRow = ({ from, sale, waiting }: TakenOverSale): TakenOverRow => {
  const { sale: id, receipt, amount } = sale.intent;
  const told = sale.at === 'ended' ? localizedEnding(sale) : undefined;
  return {
    till: from,
    sale: id,
    receipt,
    amount: amountOf(amount),
    waiting,
    ending: sale.at === 'ended' ? sale.ending : 'open',
    says: told === undefined ? 'not finished' : `${told.says.says}. ${told.money.says}`,
  };
};
