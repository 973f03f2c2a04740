/** Staff, the audit list and program keys. */
import type { Role } from '../contract/roles.ts';
import type { AuditEntry, PermissionRow, PersonRow, PosKeyRow } from '../contract/store.ts';
import type { Page } from '../contract/wire.ts';
import type { Actor } from './session.ts';

export interface StorePort {
  people(): PersonRow[];
  /** `by` without a name adds the first manager. Throws as `Staff.add`. */
  addPerson(person: { name: string; role: Role; pin: string }, actor: Actor): Promise<PersonRow>;
  /** Returns the removed person. Throws `staff.unknown`, `staff.lastManager`. */
  removePerson(name: string, actor: Actor): PersonRow;
  /** Throws `staff.unknown`, and as `addPerson` for a weak PIN. */
  changePin(change: { name: string; pin: string }, actor: Actor): Promise<PersonRow>;
  /** For the person who is signed in. Throws as `Staff.admit` for a wrong `current`. */
  changeOwnPin(change: { current: string; pin: string }, actor: Actor): Promise<PersonRow>;
  permissions(): PermissionRow[];
  audit(ask: { from: number; most: number; kind?: string; by?: string }): Page<AuditEntry>;
  /** Keys of programs that sell through this till. The key itself is returned only once. */
  posKeys(): PosKeyRow[];
  /** Throws `posKey.known`, `posKey.malformed`, `posKey.full`. */
  makePosKey(
    key: { name: string; origins?: readonly string[] },
    people: { by: Actor; approver: Actor },
  ): { name: string; key: string };
  /** For a key that nobody has approved yet, or whose approver has left. Throws `posKey.unknown`, `staff.nobody`. */
  approvePosKey(name: string, approver: Actor): void;
  removePosKey(name: string, actor: Actor): void;
}
