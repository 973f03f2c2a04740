/** Who works here, and what was done by whom. */
import type { Told } from '../../base/told.ts';
import type { Permission, Role } from '../../staff/roles.ts';
import type { Actor } from './session.ts';
import type { Page } from './wire.ts';

export type PersonRow = { name: string; role: Role; lockedForMs?: number };

export type AuditEntry = {
  /** Number of the journal's entry. */
  entry: number;
  at: number;
  /** Who; nobody where the till itself did it. */
  by?: string;
  /** `staffAdded`, `limitsChanged`, `batchClosed`, `personSaid` … */
  kind: string;
  words: string;
  /** The same, told in the reader's language. */
  told?: Told;
  receipt?: number;
};

export type PermissionRow = { permission: Permission; words: string; roles: readonly Role[] };

export type PosKeyRow = {
  name: string;
  madeAt: number;
  by?: string;
  /** Since the till was started. */
  lastUsedAt?: number;
  /** Web origins whose pages may use the key, `https://pos.example`. */
  origins: readonly string[];
};

export interface StoreDesk {
  people(): PersonRow[];
  /** `by` without a name adds the first manager. Throws what `Staff.add` throws. */
  addPerson(fresh: { name: string; role: Role; pin: string }, by: Actor): Promise<PersonRow>;
  removePerson(name: string, by: Actor): void;
  changePin(change: { name: string; pin: string }, by: Actor): Promise<void>;
  permissions(): PermissionRow[];
  audit(ask: { from: number; most: number; kind?: string; by?: string }): Page<AuditEntry>;
  /** Keys of programs that sell through this till. The key itself is told once. */
  posKeys(): PosKeyRow[];
  /** Throws `posKey.known`, `posKey.malformed`. */
  makePosKey(name: string, by: Actor, origins?: readonly string[]): { name: string; key: string };
  removePosKey(name: string, by: Actor): void;
}
