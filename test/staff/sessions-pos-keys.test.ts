/** Keys of programs: shown once, stored as a hash, and recognised after a restart. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiEvent } from '../../src/api/contract/events.ts';
import type { Role } from '../../src/api/contract/roles.ts';
import { openEvents } from '../../src/app/events.ts';
import type { RunningTill } from '../../src/app/start-till.ts';
import { isFault } from '../../src/base/fault.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openAudit } from '../../src/staff/audit/audit.ts';
import { openStoreService } from '../../src/staff/service.ts';
import { openPosKeys, POS_KEYS_MOST, type PosKeys } from '../../src/staff/sessions/pos-keys.ts';
import { openStaff, type Staff } from '../../src/staff/staff.ts';
import { dice } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const { random } = dice(7);
const pepper = random(32);
const clock = virtualClock();
let folder: string;
let journal: Journal;
let staff: Staff;
let keys: PosKeys;

const open = (): void => {
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  staff = openStaff({ journal, clock, random, stretchCost: cheapStretchCost, pepper });
  keys = openPosKeys({ journal, clock, random });
};
const reopen = (): void => {
  journal.close();
  open();
};
const manager = { name: 'Ana', role: 'manager' } as const;
const add = (name: string, role: Role) =>
  staff.add({ name, role, pin: '471193' }, name === 'Ana' ? undefined : manager);
const rows = () => keys.rows(staff);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pos-keys-'));
  open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
};

test('a key is shown once, allows what a cashier may do, and is known after a restart', async () => {
  const { key } = keys.make({ name: 'Till POS', origins: ['https://pos.example'] }, { by: 'Ana' });
  expect(key).toMatch(/^tillgate_[\w-]{43}$/);
  const at = clock.now();
  await clock.advance(5_000);
  for (const _ of ['before', 'after a start']) {
    expect(keys.program(key)).toMatchObject({ program: 'Till POS', origins: ['https://pos.example'] });
    expect(keys.program(key)?.permissions).toEqual(['sell', 'refund', 'void', 'tip', 'preauthorise']);
    expect(rows()).toEqual([
      { name: 'Till POS', by: 'Ana', madeAt: at, lastUsedAt: at + 5_000, origins: ['https://pos.example'] },
    ]);
    expect(keys.isOrigin('https://pos.example')).toBe(true);
    journal.close();
    expect(readFileSync(join(folder, 'journal.db')).includes(key.slice(9))).toBe(false);
    open();
  }
});

test('a removed key allows nothing, and its name is free again', () => {
  const { key } = keys.make({ name: 'POS', origins: ['http://localhost:3000'] });
  expect(refusal(() => keys.make({ name: 'pos' }))).toBe('posKey.known');
  keys.remove('pos', 'Ana');
  expect(keys.program(key)).toBeUndefined();
  expect(keys.isOrigin('http://localhost:3000')).toBe(false);
  expect(refusal(() => keys.remove('POS'))).toBe('posKey.unknown');
  expect(keys.make({ name: 'POS' }).key).not.toBe(key);
});

test.each<[name: string, origins: string[]]>([
  ['', []],
  ['  ', []],
  ['<script>', []],
  ['4111111111111111', []],
  ['x'.repeat(41), []],
  ['POS', ['*']],
  ['POS', ['null']],
  ['POS', ['https://pos.example/']],
  ['POS', ['https://pos.example/page']],
  ['POS', ['HTTPS://POS.EXAMPLE']],
  ['POS', ['https://pos.example:443']],
  ['POS', ['pos.example']],
  ['POS', ['file://x']],
  ['POS', ['https://fine.example', 'javascript:alert(1)']],
  ['POS', [`https://${'x'.repeat(193)}`]],
  ['POS', Array.from({ length: 11 }, (_, n) => `https://pos${n}.example`)],
])('no key for %j from %j', (name, origins) => {
  expect(refusal(() => keys.make({ name, origins }))).toBe('posKey.malformed');
  expect(rows()).toEqual([]);
});

test('an invalid key belongs to nobody', () => {
  for (const key of ['', 'tillgate_', 'tillgate_0', 'x'.repeat(500)]) expect(keys.program(key)).toBeUndefined();
});

test('a till has a limited number of keys; a removed one makes room', () => {
  for (let n = 1; n <= POS_KEYS_MOST; n += 1) keys.make({ name: `POS ${n}` });
  expect(refusal(() => keys.make({ name: 'One more' }))).toBe('posKey.full');
  keys.remove('POS 1');
  keys.make({ name: 'One more' });
  expect(rows()).toHaveLength(POS_KEYS_MOST);
});

const stateOf = (name: string): unknown => rows().find((row) => row.name === name)?.state;

test('a key from before there were people is listed as unapproved until a manager approves it', async () => {
  keys.make({ name: 'POS' });
  expect(rows()[0]).not.toHaveProperty('state');
  await add('Ana', 'manager');
  expect(stateOf('POS')).toBe('unapproved');
  const at = clock.now();
  keys.approve('pos', 'Ana');
  for (const restart of [() => {}, reopen]) {
    restart();
    expect(rows()).toEqual([
      { name: 'POS', madeAt: at, approvedBy: 'Ana', approvedAt: at, state: 'approved', origins: [] },
    ]);
  }
  expect(refusal(() => keys.approve('Nothing', 'Ana'))).toBe('posKey.unknown');
});

test('a key whose approver left keeps working and asks to be taken over, even if the name is used again', async () => {
  await add('Ana', 'manager');
  await add('Max', 'manager');
  await add('Tom', 'technician');
  const { key } = keys.make({ name: 'POS' }, { by: 'Tom', approvedBy: 'Max' });
  expect(stateOf('POS')).toBe('approved');
  expect(keys.program(key)?.key).toEqual({ madeBy: 'Tom', approvedBy: 'Max' });
  // The maker may leave: the approver is responsible for it.
  staff.remove('Tom', manager);
  expect(stateOf('POS')).toBe('approved');
  staff.remove('Max', manager);
  const removeManager = (): void => {
    expect(rows()).toMatchObject([{ name: 'POS', by: 'Tom', approvedBy: 'Max', state: 'approverLeft' }]);
    expect(keys.program(key)?.permissions).toContain('sell');
  };
  removeManager();
  await add('Max', 'cashier');
  removeManager();
  staff.remove('Max', manager);
  await add('max', 'manager');
  removeManager();
  reopen();
  removeManager();
  keys.approve('POS', 'Ana');
  for (const restart of [() => {}, reopen]) {
    restart();
    expect(rows()).toMatchObject([{ name: 'POS', by: 'Tom', approvedBy: 'Ana', state: 'approved' }]);
  }
  expect(keys.program(key)?.permissions).toContain('sell');
});

test('an approval applies to the key that had the name then, not to a new key with that name', async () => {
  await add('Ana', 'manager');
  keys.make({ name: 'POS' });
  keys.approve('POS', 'Ana');
  keys.remove('POS');
  keys.make({ name: 'POS' });
  expect(stateOf('POS')).toBe('unapproved');
  reopen();
  expect(stateOf('POS')).toBe('unapproved');
});

test('a version without approvals reads a key as before, and removes none', () => {
  keys.make({ name: 'POS' });
  keys.approve('POS', 'Ana');
  expect(journal.about('posKeys').map(({ kind }) => kind)).toEqual(['posKeyMade']);
});

test('the service records who made and who approved a key, and the screens reload the list', async () => {
  await add('Ana', 'manager');
  const received: ApiEvent[] = [];
  const events = openEvents(() => {});
  events.listen((event) => received.push(event));
  const service = openStoreService({
    running: { staff } as RunningTill,
    events,
    audit: openAudit(journal),
    posKeys: keys,
  });
  const [ana, tom] = [
    { name: 'Ana', permissions: [] },
    { name: 'Tom', permissions: [] },
  ];
  service.makePosKey({ name: 'POS' }, { by: tom, approver: ana });
  service.makePosKey({ name: 'Kiosk' }, { by: { program: 'POS', permissions: [] }, approver: ana });
  service.approvePosKey('Kiosk', { ...ana, role: 'manager' });
  service.removePosKey('Kiosk', tom);
  expect(service.posKeys()).toMatchObject([{ name: 'POS', by: 'Tom', approvedBy: 'Ana', state: 'approved' }]);
  const [, kiosk] = journal.about('posKeys').map(({ body }) => JSON.parse(body));
  expect(kiosk).toMatchObject({ on: 'posKeyMade', name: 'Kiosk', by: 'POS', approvedBy: 'Ana' });
  expect(received).toEqual(Array.from({ length: 4 }, () => ({ on: 'changed', what: 'staff' })));
  const words = service.audit({ from: 0, most: 4 }).rows.map((row) => `${row.by}: ${row.words}`);
  expect(words).toEqual([
    'Tom: removed the key of the program Kiosk',
    'Ana: approved the key of the program Kiosk',
    'POS: created a key for the program Kiosk, approved by Ana',
    'Tom: created a key for the program POS, approved by Ana',
  ]);
});

test('without people nobody approves a key', () => {
  keys.make({ name: 'POS' });
  const events = openEvents(() => {});
  const service = openStoreService({
    running: { staff } as RunningTill,
    events,
    audit: openAudit(journal),
    posKeys: keys,
  });
  expect(refusal(() => service.approvePosKey('POS', { permissions: [] }))).toBe('staff.nobody');
});
