/** The store's people, the audit list, and the keys of programs. */

import type { PersonRow } from '../api/contract/store.ts';
import type { Events } from '../api/ports/events.ts';
import type { Actor } from '../api/ports/session.ts';
import type { StorePort } from '../api/ports/store.ts';
import { Fault } from '../base/fault.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';
import type { Audit } from './audit/audit.ts';
import { type Permission, type Person, permissions, type Staff } from './running.ts';
import type { PosKeys } from './sessions/pos-keys.ts';

export type StoreParts = {
  running: { readonly staff: Staff };
  events: Pick<Events, 'tell'>;
  audit: Audit;
  posKeys: PosKeys;
};

export const openStoreService = ({ running, events, audit, posKeys }: StoreParts): StorePort => {
  const { staff } = running;
  const changed = (): void => events.tell({ on: 'changed', what: 'staff' });
  return {
    people: () => staff.people().map((person) => rowOf(staff, person)),
    async addPerson(newPerson, actor) {
      const person = await staff.add(newPerson, personOf(staff, actor));
      changed();
      return rowOf(staff, person);
    },
    removePerson(name, actor) {
      const { role, name: removedName } = staff.remove(name, requirePerson(staff, actor));
      changed();
      return { name: removedName, role };
    },
    async changePin(change, actor) {
      const person = await staff.changePin(change, requirePerson(staff, actor));
      changed();
      return rowOf(staff, person);
    },
    async changeOwnPin({ current, pin }, actor) {
      const own = requirePerson(staff, actor);
      const person = await staff.admit({ name: own.name, pin: current }, 'signIn');
      await staff.changePin({ name: own.name, pin }, person);
      changed();
      return rowOf(staff, person);
    },
    permissions: () =>
      (Object.keys(permissions) as Permission[]).map((permission) => ({
        permission,
        words: permissionWords[permission],
        roles: permissions[permission],
      })),
    audit: audit.page,
    posKeys: () => posKeys.rows(staff),
    makePosKey(newKey, { by, approver }) {
      const createdKey = posKeys.make(newKey, { by: by.name ?? by.program, approvedBy: approver.name });
      changed();
      return createdKey;
    },
    approvePosKey(name, approver) {
      posKeys.approve(name, requirePerson(staff, approver).name);
      changed();
    },
    removePosKey(name, actor) {
      posKeys.remove(name, actor.name);
      changed();
    },
  };
};

const rowOf = (staff: Staff, { name, role }: Person): PersonRow => {
  const refusedTries = staff.refusedTries(name);
  return { name, role, refusedTries: refusedTries || undefined };
};

/** Nobody, when there are no people yet: whoever sets up the till adds its first manager. */
const personOf = (staff: Staff, { name, role }: Actor): Person | undefined => {
  if (name !== undefined && role !== undefined) return { name, role };
  if (staff.people().length === 0) return undefined;
  throw new Fault('staff.needed', { what: permissionWords.manageStaff });
};

const requirePerson = (staff: Staff, actor: Actor): Person => {
  const person = personOf(staff, actor);
  if (person === undefined) throw new Fault('staff.nobody');
  return person;
};
