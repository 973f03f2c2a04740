/** Who works here, and what was done by whom. */
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Permission, Role } from './roles.ts';
import type { Actor } from './session.ts';
import type { Page } from './wire.ts';

export type PersonRow = {
  name: string;
  role: Role;
  /** Wrong PINs and tries that were turned away within the hour that goes on; absent where there were none. */
  refusedTries?: number;
};

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
  told?: LocalizedMessage;
  receipt?: number;
};

export type PermissionRow = { permission: Permission; words: string; roles: readonly Role[] };

export type PosKeyRow = {
  name: string;
  madeAt: number;
  by?: string;
  /** The manager who stands for it. */
  approvedBy?: string;
  approvedAt?: number;
  /**
   * `unapproved`: no manager has approved it yet. `approverLeft`: the one who did is no manager here any more. Both go
   * on selling until somebody approves or ends them. Absent as long as the till knows no people.
   */
  state?: 'approved' | 'unapproved' | 'approverLeft';
  /** Since the till was started. */
  lastUsedAt?: number;
  /** Web origins whose pages may use the key, `https://pos.example`. */
  origins: readonly string[];
};

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
