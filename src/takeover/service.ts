/** The takeover service over a running till: its second copy and seal, and unsent sales handed over between tills. */
import type { TakenOverRow } from '../api/contract/recovery.ts';
import type { Events } from '../api/ports/events.ts';
import type { TakeoverPort } from '../api/ports/recovery.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Ids, Random } from '../base/ids.ts';
import { type StretchCost, systemStretchCost } from '../base/stretch.ts';
import { exportedEntries } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import type { SecondCopy } from '../journal/second-copy.ts';
import type { Signer } from '../journal/signing.ts';
import { openHandedOver } from '../ledger/handed-over.ts';
import { localizedEnding } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { TakenOverSale, TakenOverTills } from './taken-over-tills.ts';
import { sealExport } from './unsent.ts';
import { openUnsent, type UnsentDocument } from './unsent-file.ts';

export type TakeoverParts = {
  running: {
    readonly journal: Journal;
    readonly outbox: Outbox;
    readonly signer: Signer;
    readonly secondCopy: SecondCopy | undefined;
    readonly takenOver: TakenOverTills;
    readonly forwarder: Pick<Forwarder, 'wake'>;
    /** Ids of the sales in progress. */
    readonly underWay: ReadonlySet<string>;
  };
  clock: Clock;
  ids: Ids;
  random: Random;
  dataDir: string;
  events: Pick<Events, 'tell'>;
  stretchCost?: StretchCost;
};

export const openTakeoverService = (parts: TakeoverParts): TakeoverPort => {
  const { running, clock, events, stretchCost = systemStretchCost } = parts;
  const { journal, secondCopy, takenOver, forwarder } = running;
  /** The last export whose file nobody has confirmed. */
  let unconfirmed: { unsent: UnsentDocument; by: readonly string[] } | undefined;
  return {
    secondCopy: async () => ({ secondCopy: await secondCopy?.waitUntilCaughtUp() }),
    async exportJournal(send) {
      const found = { entries: 0, unproven: 0 };
      for (const entry of exportedEntries(journal.sql)) {
        found.entries += 1;
        if (entry.check === 'unproven') found.unproven += 1;
        await send(entry);
      }
      return found;
    },
    seal() {
      const entries = journal.unsealed;
      journal.seal();
      return { entries };
    },
    async prepareExport(passphrases, by) {
      const { unsent, text } = await sealExport(
        { ...parts, ...running, folder: parts.dataDir, stretchCost },
        passphrases,
      );
      unconfirmed = { unsent, by };
      return { export: unsent.id, messages: unsent.messages.length, key: running.signer.publicKey, sealed: text };
    },
    confirmExport(id) {
      if (unconfirmed?.unsent.id !== id) throw new Fault('export.unprepared', { id });
      openHandedOver(journal, clock).note(unconfirmed.unsent, unconfirmed.by);
      unconfirmed = undefined;
      events.tell({ on: 'changed', what: 'openItems' });
    },
    async importUnsent({ sealed, passphrases, key }, by) {
      const opened = await openUnsent(sealed, passphrases, stretchCost);
      if (key !== undefined && key !== opened.publicKey) throw new Fault('export.forged');
      return { till: opened.publicKey, ...(await takenOver.take(opened, by)) };
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

const takenOverRow = ({ from, sale, waiting }: TakenOverSale): TakenOverRow => {
  const { sale: id, receipt, amount } = sale.intent;
  const reported = sale.at === 'ended' ? localizedEnding(sale) : undefined;
  return {
    till: from,
    sale: id,
    receipt,
    amount: amountOf(amount),
    waiting,
    ending: sale.at === 'ended' ? sale.ending : 'open',
    says: reported === undefined ? 'not finished' : `${reported.says.says}. ${reported.money.says}`,
  };
};
