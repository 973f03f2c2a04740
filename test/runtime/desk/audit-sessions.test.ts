/** What ends a session, and what a manager's word is good for, when something goes wrong in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from '../../../src/journal/journal.ts';
import { openEvents } from '../../../src/runtime/desk/events.ts';
import { openPosKeys } from '../../../src/runtime/desk/pos-keys.ts';
import { type KeptSessions, openSessions } from '../../../src/runtime/desk/sessions.ts';
import { openStaff, type Staff } from '../../../src/staff/staff.ts';
import { dice } from '../../support/chance/dice.ts';
import { openJournalUnsynced } from '../../support/disk/unsynced-sql.ts';
import { cheapStretchCost } from '../../support/till/stretch-cost.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';

const MINUTE = 60_000;
const chance = dice(20261123);
const pepper = chance.random(32);
const ana = { name: 'Ana', pin: '471193' };
const ben = { name: 'Ben', pin: '8254' };

let folder: string;
let clock: VirtualClock;
let journal: Journal;
let staff: Staff;
let sessions: KeptSessions;
let events: ReturnType<typeof openEvents>;

const openedStaff = (): Staff =>
  openStaff({ journal, clock, random: chance.random, stretchCost: cheapStretchCost, pepper });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-sessions-'));
  clock = virtualClock();
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  events = openEvents(() => {});
  const { random } = chance;
  staff = openedStaff();
  const posKeys = openPosKeys({ journal, clock, random });
  const parts = { staff: () => staff, posKeys: () => posKeys, shop: () => ({}) as never, events, clock, random };
  sessions = openSessions({ ...parts, lockAfterMs: () => 5 * MINUTE, report: () => {} });
  const by = await staff.add({ ...ana, role: 'manager' });
  await staff.add({ ...ben, role: 'cashier' }, by);
});
afterEach(() => {
  sessions.close();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const told = (): void => events.tell({ on: 'changed', what: 'staff' });
const manager = { name: 'Ana', role: 'manager' } as const;

test('a new PIN ends the sessions that the old one opened, and no other', async () => {
  const [hers, his] = [await sessions.signIn(ana), await sessions.signIn(ben)];
  let ended = 0;
  sessions.whenEnded(his.token, () => {
    ended += 1;
  });
  await staff.changePin({ name: 'Ben', pin: '905172' }, manager);
  told();
  expect([sessions.of(his.token), ended]).toEqual([undefined, 1]);
  expect(sessions.of(hers.token)?.name).toBe('Ana');
  const { token } = await sessions.signIn({ name: 'Ben', pin: '905172' });
  told();
  expect(sessions.of(token)?.name).toBe('Ben');
});

test('a word that was given by an old PIN is good no more', async () => {
  const { word } = await sessions.override(ana, 'credit');
  await staff.changePin({ name: 'Ana', pin: '905172' }, manager);
  expect(sessions.spendOverride(word, 'credit')).toBeUndefined();
});

test('a till that is opened anew knows the sessions that stand', async () => {
  const { token } = await sessions.signIn(ben);
  staff = openedStaff();
  told();
  expect(sessions.of(token)?.name).toBe('Ben');
});

test('somebody else under the name of one who is gone has no session of theirs', async () => {
  const { token } = await sessions.signIn(ben);
  staff.remove('Ben', manager);
  await staff.add({ name: 'Ben', role: 'cashier', pin: '905172' }, manager);
  expect(sessions.of(token)).toBeUndefined();
});

test('a word is good once: the same request again has it still, no other one does', async () => {
  const { word } = await sessions.override(ana, 'credit', { name: 'Ben', permissions: [] });
  expect(sessions.spendOverride(word, 'credit', 'key-00001')?.name).toBe('Ana');
  expect(sessions.spendOverride(word, 'credit', 'key-00001')?.name).toBe('Ana');
  expect(sessions.spendOverride(word, 'credit', 'key-00002')).toBeUndefined();
  expect(sessions.spendOverride(word, 'credit')).toBeUndefined();
  expect(sessions.spendOverride(word, 'refund', 'key-00001')).toBeUndefined();
  const allowed = journal.about('staff').filter(({ body }) => body.includes('staffAllowed'));
  expect(allowed).toHaveLength(1);
  await clock.advance(MINUTE);
  expect(sessions.spendOverride(word, 'credit', 'key-00001')).toBeUndefined();
  expect(clock.waiting()).toBe(0);
});

test('guesses at the sign-in and at the manager’s word are counted together', async () => {
  const wrong = { ...ana, pin: '905172' };
  for (let n = 0; n < 5; n++) {
    const guess = n % 2 === 0 ? sessions.signIn(wrong) : sessions.override(wrong, 'credit');
    await expect(guess).rejects.toMatchObject({ code: 'staff.refused' });
  }
  await expect(sessions.override(ana, 'credit')).rejects.toMatchObject({ code: 'staff.locked' });
  await expect(sessions.signIn(ana)).rejects.toMatchObject({ code: 'staff.locked' });
});
