/** Exports what is open at a till: of a running one, or from the folder of a dead till whose disk was saved. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { errorText, Fault } from '../base/fault.ts';
import { syncFolder } from '../base/files.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { StretchCost } from '../base/stretch.ts';
import { loadSecrets, refuseLostJournal } from '../folder/keys/secrets.ts';
import { proveKey } from '../folder/keys/till-signer.ts';
import { modeOf } from '../folder/till-mode.ts';
import type { Journal } from '../journal/journal.ts';
import { type Signer, signerOf } from '../journal/signing.ts';
import type { Sql } from '../journal/sql.ts';
import { openHandedOver } from '../ledger/handed-over.ts';
import { openLedger } from '../ledger/ledger.ts';
import { openTillJournal } from '../ledger/schema.ts';
import { type Outbox, openOutbox } from '../queue/outbox.ts';
import { messageKinds } from '../queue/outbox-tables.ts';
import { sealer } from '../queue/seal.ts';
import { type Staff, staffOfTill } from '../staff/running.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { isUnread, replay, type Sale } from '../till/machine/sale.ts';
import {
  type Passphrases,
  provenIn,
  refuseWeakPassphrases,
  sealUnsent,
  type UnsentDocument,
  type UnsentMessage,
} from './unsent-file.ts';

type Tools = { clock: Clock; ids: Ids; random: Random; stretchCost: StretchCost };

/** `open`: opens a till's file on another disk than this machine's. */
type Parts = Tools & { open?: (path: string) => Sql };

export type ExportParts = Tools & {
  journal: Journal;
  outbox: Outbox;
  signer: Signer;
  folder: string;
  /** Ids of the sales in progress at a running till. They end at that till, and are not exported. */
  underWay?: ReadonlySet<string>;
};

export type FolderTill = {
  staff: Staff;
  signer: Signer;
  journal: Journal;
  /** For a second copy: its last entry as found. What the till did afterwards is missing here. */
  copiedUpTo: { entry: number; at: number } | undefined;
  /** Everything open, except money at a terminal, which is not a message and stays. */
  unsent(): UnsentDocument;
  /**
   * Writes the file, then records that its messages belong to another till. Throws `export.nothing`,
   * `export.unwritable`, `journal.corrupt`.
   */
  exportTo(file: string, passphrases: Passphrases, by: readonly string[]): Promise<UnsentDocument>;
  takeBack(by: string | undefined, id?: string): number;
  close(): void;
};

/**
 * Opens the folder without terminal and gateway. Throws `journal.busy` while its till is running, `journal.gone`,
 * `journal.unwritable` for a read-only disk, `secrets.gone`.
 */
export const openFolderTill = (folder: string, { clock, ids, random, stretchCost, open }: Parts): FolderTill => {
  refuseLostJournal(folder);
  const journal = openTillJournal(folder, { clock, open });
  try {
    const secrets = loadSecrets(folder, { random, isNew: false });
    proveKey(journal, secrets.tillKey, join(folder, 'till.secrets.json'));
    const signer = signerOf(secrets.signingKey);
    const copiedUpTo = copiedIn(journal);
    journal.sealWith(signer);
    const outbox = openOutbox(journal.sql, sealer(secrets.tillKey, random));
    const handedOver = openHandedOver(journal, clock);
    const staff = staffOfTill({ journal, clock, random, stretchCost, keys: secrets });
    const parts: ExportParts = { clock, ids, random, stretchCost, journal, outbox, signer, folder };
    return {
      staff,
      signer,
      journal,
      copiedUpTo,
      unsent: () => unsentOf(parts),
      async exportTo(file, passphrases, by) {
        const { unsent, text } = await sealExport(parts, passphrases);
        writeNewExport(file, text);
        handedOver.note(unsent, by);
        return unsent;
      },
      takeBack: handedOver.takeBack,
      close() {
        staff.close();
        journal.close();
      },
    };
  } catch (error) {
    journal.close();
    throw error;
  }
};

const copiedIn = ({ sql }: Journal): FolderTill['copiedUpTo'] => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'second_copy'") === undefined) return undefined;
  const { entry, at } = sql.get('SELECT entry, at FROM entry ORDER BY entry DESC LIMIT 1') ?? {};
  return { entry: Number(entry ?? 0), at: Number(at ?? 0) };
};

/**
 * What is open, and the text of its file. Nothing is recorded: whoever keeps the file notes it with `HandedOver.note`.
 * Throws `export.weak`, `export.nothing`, `export.newer`, `journal.corrupt`.
 */
export const sealExport = async (
  parts: ExportParts,
  passphrases: Passphrases,
): Promise<{ unsent: UnsentDocument; text: string }> => {
  const { outbox, folder, signer, random, stretchCost } = parts;
  refuseWeakPassphrases(passphrases);
  if (outbox.waiting().length + outbox.parked().length === 0) throw new Fault('export.nothing', { folder });
  const unsent = unsentOf(parts);
  if (unsent.messages.length === 0) throw new Fault('export.nothing', { folder });
  return { unsent, text: await sealUnsent(unsent, { passphrases, signer, random, stretchCost }) };
};

const unsentOf = ({ journal, outbox, clock, ids, folder, underWay = new Set() }: ExportParts): UnsentDocument => {
  const ledger = openLedger({ journal, outbox, clock });
  const waiting = [...outbox.waiting(), ...outbox.parked()];
  const messages = waiting.map(({ id: message, kind, sale, key, body, after, again: repeatCount }): UnsentMessage => {
    const secret = outbox.open(message);
    const more = { after, again: repeatCount || undefined, secret: secret || undefined };
    return { id: message, kind, sale, key, body, ...more };
  });
  const names = messages.flatMap(({ sale, after }) => (after === undefined ? [sale] : [sale, after]));
  const sales = new Set([...ledger.openSales(), ...names]);
  for (const sale of sales) if (isAtTerminal(journal, sale)) sales.delete(sale);
  for (const sale of underWay) sales.delete(sale);
  refuseNewer(journal, sales, messages);
  return {
    id: ids.next(),
    at: clock.now(),
    mode: modeOf(journal),
    ...provenIn(journal, sales, folder),
    messages: messages.filter(({ sale }) => sales.has(sale)),
  };
};

const saleIn = (journal: Journal, sale: string): Sale | undefined =>
  replay(journal.about(sale).map(({ body }) => eventIn(body)));

/** Only the terminal that has the payment can be asked about it. */
const isAtTerminal = (journal: Journal, sale: string): boolean => saleIn(journal, sale)?.intent.by === 'terminal';

/** Refuses an export that would leave a part behind: only a version that knows everything exports everything. */
const refuseNewer = (journal: Journal, sales: ReadonlySet<string>, messages: readonly UnsentMessage[]): void => {
  const unread = [...sales].filter((id) => {
    const sale = saleIn(journal, id);
    return sale !== undefined && isUnread(sale);
  });
  const unknown = messages.filter(({ kind }) => !messageKinds.includes(kind));
  const count = new Set([...unread, ...unknown.map(({ sale }) => sale)]).size;
  if (count > 0) throw new Fault('export.newer', { count });
};

/** Never overwrites an older file. Returns when it is on the disk. Throws `export.unwritable`. */
export const writeNewExport = (file: string, text: string): void => {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
    syncFolder(dirname(file));
  } catch (error) {
    throw new Fault('export.unwritable', { path: file, why: errorText(error) }, error);
  }
};
