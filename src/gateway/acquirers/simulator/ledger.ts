/** The simulator's memory as documents: outcomes by id, accounts and purses by name … Nothing in them is sensitive. */
import { Fault } from '../../../base/fault.ts';
import type { AcquirerMemory, Documents, HeldDocuments } from '../../store/documents.ts';
import { type Document, type DocumentChange, type DocumentKind, documentOf, jsonFormOf } from './documents.ts';

export type LedgerTransaction = {
  /** Undefined if there is no such document. Throws `gateway.state` if there is one that cannot be understood. */
  read<K extends DocumentKind>(kind: K, name: string): Promise<Document<K> | undefined>;
  /** Kept with everything else the work writes, or not at all. */
  write(changes: readonly DocumentChange[]): Promise<void>;
};

export type AcquirerLedger = Pick<LedgerTransaction, 'read'> & {
  /**
   * Works that share a name run one after another, in all processes; what a work writes is durable when this resolves.
   * A name is that of a document, with its kind before it: `outcome 8ac7…`, `purse …`. A work must not begin another.
   */
  exclusively<T>(names: readonly string[], work: (transaction: LedgerTransaction) => Promise<T>): Promise<T>;
};

export const openLedger = (memory: AcquirerMemory): AcquirerLedger => ({
  read: reading(memory),
  exclusively: (names, work) => memory.exclusively(names.map(turnOf), (documents) => work(transactionOn(documents))),
});

/** A ledger inside a work of the gateway: what it writes is kept with that, or not at all. */
export const ledgerWithin = (documents: HeldDocuments): AcquirerLedger => {
  const transaction = transactionOn(documents);
  return {
    read: transaction.read,
    exclusively(names, work) {
      const held = documents.hold(names.map(turnOf));
      return held === undefined ? work(transaction) : held.then(() => work(transaction));
    },
  };
};

const turnOf = (name: string): string => `simulator ${name}`;

const transactionOn = (documents: Documents): LedgerTransaction => ({
  read: reading(documents),
  write: (changes) => documents.set(changes.map(entryOf)),
});

const reading =
  (documents: Pick<Documents, 'get'>): LedgerTransaction['read'] =>
  (kind, name) => {
    const key = keyOf(kind, name);
    return documents.get(key).then((kept) => (kept === undefined ? undefined : understood(kind, key, kept)));
  };

const understood = <K extends DocumentKind>(kind: K, key: string, kept: string): Document<K> => {
  const document = documentOf(kind, jsonOf(kept));
  if (document !== undefined) return document;
  throw new Fault('gateway.state', { why: `the simulator’s document ${key} is malformed` });
};

const keyOf = (kind: DocumentKind, name: string): string => `simulator/${kind}/${name}`;

const entryOf = (change: DocumentChange) => ({
  key: keyOf(change.kind, change.name),
  value: JSON.stringify(jsonFormOf(change)),
});

const jsonOf = (kept: string): unknown => {
  try {
    return JSON.parse(kept);
  } catch {
    // Falls through to the shape check, which refuses it by name.
    return undefined;
  }
};
