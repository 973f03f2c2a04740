/**
 * The simulator's ledger as documents: outcomes by id, accounts and purses by name. None of them contains sensitive
 * data.
 */
import { Fault } from '../../../base/fault.ts';
import type { AcquirerMemory, Documents, HeldDocuments } from '../../store/documents.ts';
import { type Document, type DocumentChange, type DocumentKind, documentOf, jsonFormOf } from './documents.ts';

export type LedgerTransaction = {
  /** Undefined if there is no such document. Throws `gateway.state` if it cannot be read. */
  read<K extends DocumentKind>(kind: K, name: string): Promise<Document<K> | undefined>;
  /** Written together with everything else of the transaction, or not at all. */
  write(changes: readonly DocumentChange[]): Promise<void>;
};

export type AcquirerLedger = Pick<LedgerTransaction, 'read'> & {
  /**
   * Runs transactions that share a name one after another, in all processes; their writes are durable when this
   * resolves. A name is a document's kind and name: `outcome 8ac7…`, `purse …`. Do not nest transactions.
   */
  withLocks<T>(names: readonly string[], work: (transaction: LedgerTransaction) => Promise<T>): Promise<T>;
};

export const openLedger = (memory: AcquirerMemory): AcquirerLedger => ({
  read: createReader(memory),
  withLocks: (names, work) =>
    memory.withLocks(names.map(lockNameOf), (documents) => work(createTransaction(documents))),
});

/** A ledger inside a transaction of the gateway: its writes are committed with that transaction, or not at all. */
export const ledgerInTransaction = (documents: HeldDocuments): AcquirerLedger => {
  const transaction = createTransaction(documents);
  return {
    read: transaction.read,
    withLocks(names, work) {
      const locked = documents.lock(names.map(lockNameOf));
      return locked === undefined ? work(transaction) : locked.then(() => work(transaction));
    },
  };
};

const lockNameOf = (name: string): string => `simulator ${name}`;

const createTransaction = (documents: Documents): LedgerTransaction => ({
  read: createReader(documents),
  write: (changes) => documents.set(changes.map(entryOf)),
});

const createReader =
  (documents: Pick<Documents, 'get'>): LedgerTransaction['read'] =>
  (kind, name) => {
    const key = keyOf(kind, name);
    return documents
      .get(key)
      .then((storedText) => (storedText === undefined ? undefined : parseDocument(kind, key, storedText)));
  };

const parseDocument = <K extends DocumentKind>(kind: K, key: string, storedText: string): Document<K> => {
  const document = documentOf(kind, parseJson(storedText));
  if (document !== undefined) return document;
  throw new Fault('gateway.state', { why: `the simulator’s document ${key} is malformed` });
};

const keyOf = (kind: DocumentKind, name: string): string => `simulator/${kind}/${name}`;

const entryOf = (change: DocumentChange) => ({
  key: keyOf(change.kind, change.name),
  value: JSON.stringify(jsonFormOf(change)),
});

const parseJson = (storedText: string): unknown => {
  try {
    return JSON.parse(storedText);
  } catch {
    // Falls through to the shape check, which refuses the document by name.
    return undefined;
  }
};
