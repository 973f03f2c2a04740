/** The bakery's people, an audit list of any length, and the keys of programs; in memory only. */

import { type Permission, permissions } from '../../../../src/api/contract/roles.ts';
import type { AuditEntry, PosKeyRow } from '../../../../src/api/contract/store.ts';
import type { StorePort } from '../../../../src/api/ports/store.ts';
import { Fault } from '../../../../src/base/fault.ts';
import { permissionWords } from '../../../../src/locales/messages/en/permissions.ts';
import { AT } from './bakery.ts';
import type { Calls } from './books.ts';

const kinds: readonly (readonly [kind: string, words: string])[] = [
  ['staffAdmitted', 'signed in'],
  ['batchClosed', 'closed batch 30'],
  ['limitsChanged', 'changed chip.upTo from 40.00 to 50.00'],
  ['personSaid', 'recorded that receipt 17288 was charged: the gateway lists it'],
  ['staffRefused', 'was refused permission to sign in: a wrong PIN'],
  ['staffAdded', '<script>alert(1)</script> was added as cashier'],
];
const people = ['Anna', 'Max', 'Ben', undefined] as const;

const entryAt = (at: number, total: number): AuditEntry => {
  const [kind, text] = kinds[at % kinds.length] ?? ['staffAdmitted', ''];
  const by = people[at % people.length];
  return { entry: total - at, at: AT - at * 95_000, kind, words: text, by };
};

/** `entries`: the length of the audit list. */
export const scriptedStore = (entries = 100_000): { service: StorePort; calls: Calls } => {
  const calls: Calls = [];
  let staff: { name: string; role: 'cashier' | 'manager' | 'technician'; refusedTries?: number }[] = [
    { name: 'Anna', role: 'cashier' },
    { name: 'Ben', role: 'cashier', refusedTries: 12 },
    { name: 'Max', role: 'manager' },
    { name: 'Olga', role: 'manager' },
    { name: 'Tess', role: 'technician' },
  ];
  const created = { madeAt: AT - 9e8, approvedAt: AT - 9e8, by: 'Tess', lastUsedAt: AT - 6e5, origins: [] };
  let keys: PosKeyRow[] = [
    { ...created, name: 'Counter scale', approvedBy: 'Max', state: 'approved' },
    { ...created, name: 'Gift desk', approvedBy: 'Olga', state: 'approved' },
    { ...created, name: 'Self-checkout', approvedBy: 'Rosa', state: 'approverLeft' },
  ];
  const service: StorePort = {
    people: () => staff,
    async addPerson({ name, role, pin }) {
      calls.push({ name: 'addPerson', facts: { name, role } });
      if (pin === '1234') throw new Fault('staff.pinWeak', { why: 'consecutive digits are guessed first' });
      staff = [...staff, { name, role }];
      return { name, role };
    },
    removePerson(name) {
      calls.push({ name: 'removePerson', facts: name });
      if (name === 'Max') throw new Fault('staff.lastManager', { name });
      staff = staff.filter((one) => one.name !== name);
      return { name, role: 'cashier' };
    },
    async changePin({ name }) {
      calls.push({ name: 'changePin', facts: name });
      return { name, role: 'cashier' };
    },
    changeOwnPin: async () => ({ name: 'Olga', role: 'manager' }),
    permissions: () =>
      (Object.keys(permissions) as Permission[]).map((permission) => ({
        permission,
        words: permissionWords[permission],
        roles: permissions[permission],
      })),
    audit({ from, most, kind, by }) {
      const isAll = kind === undefined && by === undefined;
      if (isAll) {
        const length = Math.max(0, Math.min(most, entries - from));
        return { from, total: entries, rows: Array.from({ length }, (_, index) => entryAt(from + index, entries)) };
      }
      const matching = Array.from({ length: Math.min(entries, 500) }, (_, index) => entryAt(index, entries)).filter(
        (one) => (kind === undefined || one.kind === kind) && (by === undefined || one.by === by),
      );
      return { from, total: matching.length, rows: matching.slice(from, from + most) };
    },
    posKeys: () => keys,
    makePosKey({ name }, { by, approver }) {
      calls.push({ name: 'makePosKey', facts: name });
      const approval = { approvedAt: AT, approvedBy: approver.name };
      const built = { name, madeAt: AT, by: by.name, ...approval };
      keys = [...keys, { ...built, state: 'approved', lastUsedAt: AT, origins: [] }];
      return { name, key: 'tg_5nS0e1b7Kq2vXw9rJtYc4hLmUaZd8fPo' };
    },
    approvePosKey(name, { name: approvedBy = '' }) {
      calls.push({ name: 'approvePosKey', facts: name });
      keys = keys.map((key) =>
        key.name === name ? { ...key, approvedBy, approvedAt: AT, state: 'approved' as const } : key,
      );
    },
    removePosKey(name) {
      keys = keys.filter((one) => one.name !== name);
    },
  };
  return { service, calls };
};
