/** Who works here, and what was done by whom. */
import type { Role } from '../contract/roles.ts';
import type { AuditEntry, PermissionRow, PersonRow, PosKeyRow } from '../contract/store.ts';
import type { Page } from '../contract/wire.ts';
import type { Actor } from './session.ts';

export interface StorePort {
  people(): PersonRow[];
  /** `by` without a name adds the first manager. Throws what `Staff.add` throws. */
  addPerson(fresh: { name: string; role: Role; pin: string }, by: Actor): Promise<PersonRow>;
  /** Gives whoever is gone. Throws `staff.unknown`, `staff.lastManager`. */
  removePerson(name: string, by: Actor): PersonRow;
  /** Throws `staff.unknown`, and as `addPerson` for a PIN that is too easily guessed. */
  changePin(change: { name: string; pin: string }, by: Actor): Promise<PersonRow>;
  /** Of whoever is signed in. Throws what `Staff.admit` throws for a `current` that is not theirs. */
  changeOwnPin(change: { current: string; pin: string }, by: Actor): Promise<PersonRow>;
  permissions(): PermissionRow[];
  audit(ask: { from: number; most: number; kind?: string; by?: string }): Page<AuditEntry>;
  /** Keys of programs that sell through this till. The key itself is told once. */
  posKeys(): PosKeyRow[];
  /** Throws `posKey.known`, `posKey.malformed`, `posKey.full`. */
  makePosKey(
    fresh: { name: string; origins?: readonly string[] },
    people: { by: Actor; approver: Actor },
  ): { name: string; key: string };
  /** For a key that nobody has approved yet, or whose approver has left. Throws `posKey.unknown`, `staff.nobody`. */
  approvePosKey(name: string, approver: Actor): void;
  removePosKey(name: string, by: Actor): void;
}
