/** The simulator's memory as documents: outcomes by id, accounts and purses by name … Nothing in them is sensitive. */
import { Fault } from '../../../base/fault.ts';
import type { AcquirerMemory, Documents, HeldDocuments } from '../acquirer.ts';
import { type Change, type Document, documentOf, jsonFormOf, type Kind } from './documents.ts';

export type Desk = {
  /** Undefined if there is no such document. Throws `gateway.state` if there is one that cannot be understood. */
  read<K extends Kind>(kind: K, name: string): Promise<Document<K> | undefined>;
  /** Kept with everything else the work writes, or not at all. */
  write(changes: readonly Change[]): Promise<void>;
};

export type Ledger = Pick<Desk, 'read'> & {
  /**
   * Works that share a name run one after another, in all processes; what a work writes is durable when this resolves.
   * A name is that of a document, with its kind before it: `outcome 8ac7…`, `purse …`. A work must not begin another.
   */
  exclusively<T>(names: readonly string[], work: (desk: Desk) => Promise<T>): Promise<T>;
};

export const openLedger = (memory: AcquirerMemory): Ledger => ({
  read: reading(memory),
  exclusively: (names, work) => memory.exclusively(names.map(turnOf), (documents) => work(deskOn(documents))),
});

/** A ledger inside a work of the gateway: what it writes is kept with that, or not at all. */
export const ledgerWithin = (documents: HeldDocuments): Ledger => {
  const desk = deskOn(documents);
  return {
    read: desk.read,
    exclusively(names, work) {
      const held = documents.hold(names.map(turnOf));
      return held === undefined ? work(desk) : held.then(() => work(desk));
    },
  };
};

const turnOf = (name: string): string => `simulator ${name}`;

const deskOn = (documents: Documents): Desk => ({
  read: reading(documents),
  write: (changes) => documents.set(changes.map(entryOf)),
});

const reading =
  (documents: Pick<Documents, 'get'>): Desk['read'] =>
  (kind, name) => {
    const key = keyOf(kind, name);
    return documents.get(key).then((kept) => (kept === undefined ? undefined : understood(kind, key, kept)));
  };

const understood = <K extends Kind>(kind: K, key: string, kept: string): Document<K> => {
  const document = documentOf(kind, jsonOf(kept));
  if (document !== undefined) return document;
  throw new Fault('gateway.state', { why: `the simulator’s document ${key} is malformed` });
};

const keyOf = (kind: Kind, name: string): string => `simulator/${kind}/${name}`;

const entryOf = (change: Change) => ({
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
