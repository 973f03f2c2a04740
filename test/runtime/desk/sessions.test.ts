/** Who is at the screens, for how long, and whose word was given for what: over a real journal and a virtual clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../../src/base/fault.ts';
import type { FaultCode } from '../../../src/base/faults.ts';
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
const chance = dice(20261122);
const reported: unknown[] = [];
const events = openEvents((error) => reported.push(error));
const ana = { name: 'Ana', pin: '471193' };
const ben = { name: 'Ben', pin: '8254' };

let folder: string;
let clock: VirtualClock;
let journal: Journal;
let staff: Staff;
let sessions: KeptSessions;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sessions-'));
  clock = virtualClock();
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  const { random } = chance;
  staff = openStaff({ journal, clock, random, stretchCost: cheapStretchCost, pepper: random(32) });
  const posKeys = openPosKeys({ journal, clock, random });
  const shop = () => ({}) as never;
  const parts = { staff: () => staff, posKeys: () => posKeys, shop, events, clock, random };
  sessions = openSessions({ ...parts, lockAfterMs: () => 5 * MINUTE, report: (error) => reported.push(error) });
  reported.length = 0;
});
afterEach(() => {
  sessions.close();
  expect(clock.waiting()).toBe(0);
  expect(events.listeners()).toBe(0);
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const withPeople = async (): Promise<void> => {
  const by = await staff.add({ ...ana, role: 'manager' });
  await staff.add({ ...ben, role: 'cashier' }, by);
  await staff.add({ name: 'Tess', role: 'technician', pin: '740265' }, by);
};

const refusal = async (work: Promise<unknown>): Promise<FaultCode | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (isFault(error) ? error.code : Promise.reject(error)),
  );

const noted = (): string[] =>
  journal.about('staff').map(({ body }) => {
    const { on, name, how, permission, asked } = JSON.parse(body) as Record<string, string>;
    return [on, name, how ?? permission, asked].filter((part) => part !== undefined).join(' ');
  });

test('every role can sign in, and may do what its role may', async () => {
  await withPeople();
  for (const [who, permission, not] of [
    [ana, 'changeLimits', undefined],
    [ben, 'sell', 'changeLimits'],
    [{ name: 'Tess', pin: '740265' }, 'pairTerminal', 'sell'],
  ] as const) {
    const { token, signedIn } = await sessions.signIn(who);
    expect(sessions.of(token)).toEqual(signedIn);
    expect(signedIn).toMatchObject({ name: who.name, lockAfterMs: 5 * MINUTE });
    expect(signedIn.permissions).toContain(permission);
    expect(signedIn.permissions).not.toContain(not);
  }
});

test('the token is 256 random bits, and is kept nowhere as it is', async () => {
  await withPeople();
  const one = await sessions.signIn(ben);
  const two = await sessions.signIn(ben);
  expect(one.token).toMatch(/^[\w-]{43}$/);
  expect(one.token).not.toBe(two.token);
  expect(one.signedIn.csrf).not.toBe(two.signedIn.csrf);
  expect(JSON.stringify([...journal.entries()].map(({ body }) => body))).not.toContain(one.token);
  expect(sessions.of(`${one.token}x`)).toBeUndefined();
  expect(sessions.of('')).toBeUndefined();
});

test('it locks itself after five minutes without a touch, says so, and the journal has it', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  let ended = 0;
  sessions.whenEnded(token, () => {
    ended += 1;
  });
  await clock.advance(4 * MINUTE);
  expect(sessions.of(token)).toBeDefined();
  await clock.advance(5 * MINUTE - 1);
  expect(ended).toBe(0);
  await clock.advance(1);
  expect(ended).toBe(1);
  expect(sessions.of(token)).toBeUndefined();
  expect(noted().at(-1)).toBe('staffLeft Ben idle');
});

test('what the page asks by itself is no touch; an idle time that is made up makes nobody younger', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  await clock.advance(3 * MINUTE);
  sessions.of(token, 3 * MINUTE);
  await clock.advance(2 * MINUTE);
  expect(sessions.of(token)).toBeUndefined();
  const again = await sessions.signIn(ben);
  await clock.advance(4 * MINUTE);
  sessions.of(again.token, 999_999_999);
  await clock.advance(MINUTE);
  expect(sessions.of(again.token)).toBeUndefined();
});

test('a machine that slept finds its screens locked', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  clock.lag(6 * MINUTE);
  expect(sessions.of(token)).toBeUndefined();
});

test('signing out ends it at once; what listened no more is not called', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  const called: string[] = [];
  sessions.whenEnded(token, () => called.push('stays'));
  sessions.whenEnded(token, () => called.push('goes'))();
  sessions.signOut(token);
  sessions.signOut(token);
  expect(called).toEqual(['stays']);
  expect(noted().at(-1)).toBe('staffLeft Ben hand');
  expect(sessions.count()).toBe(0);
});

test('the same person in a second window goes on in the first with the same word; somebody else does not', async () => {
  await withPeople();
  const first = await sessions.signIn(ben);
  const second = await sessions.signIn(ben, first.token);
  expect(sessions.of(first.token)).toBeUndefined();
  expect(second.signedIn.csrf).toBe(first.signedIn.csrf);
  const third = await sessions.signIn(ana, second.token);
  expect(third.signedIn.csrf).not.toBe(first.signedIn.csrf);
  expect(noted()).toContain('staffLeft Ben replaced');
  expect(sessions.count()).toBe(1);
});

test('a wrong PIN ends nothing; five lock the name for a minute', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  for (let n = 0; n < 5; n += 1)
    expect(await refusal(sessions.signIn({ name: 'Ben', pin: '0000' }, token))).toBe('staff.refused');
  expect(await refusal(sessions.signIn(ben, token))).toBe('staff.locked');
  expect(sessions.of(token)).toMatchObject({ name: 'Ben' });
  expect(staff.lockedMs('ben')).toBe(MINUTE);
  await clock.advance(MINUTE);
  expect(staff.lockedMs('ben')).toBe(0);
  expect(await refusal(sessions.signIn(ben))).toBeUndefined();
});

test('nobody’s session is for a till without people: it never locks, and ends with the first person', async () => {
  const opened = sessions.forNobody();
  const token = opened?.token ?? '';
  expect(opened?.signedIn.permissions).toContain('manageStaff');
  expect(opened?.signedIn.permissions).not.toContain('forceEnding');
  await clock.advance(24 * 60 * MINUTE);
  expect(sessions.of(token)).toBeDefined();
  await withPeople();
  expect(sessions.of(token)).toBeUndefined();
  expect(sessions.forNobody()).toBeUndefined();
  expect(noted().filter((line) => line.startsWith('staffLeft'))).toEqual([]);
});

test('pages that ask for nobody’s session again and again leave a bounded number behind', () => {
  for (let n = 0; n < 1_000; n += 1) sessions.forNobody();
  expect(sessions.count()).toBeLessThanOrEqual(200);
});

test('whoever is removed is out at once', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  let ended = false;
  sessions.whenEnded(token, () => {
    ended = true;
  });
  staff.remove('Ben', { name: 'Ana', role: 'manager' });
  events.tell({ on: 'changed', what: 'staff' });
  expect(ended).toBe(true);
  expect(sessions.of(token)).toBeUndefined();
});

test('a manager’s word is good once, for one permission, for a minute', async () => {
  await withPeople();
  const asked = { name: 'Ben', role: 'cashier', permissions: [] } as const;
  const { word, by } = await sessions.override(ana, 'credit', asked);
  expect(by).toBe('Ana');
  expect(sessions.spendOverride(word, 'changeLimits')).toBeUndefined();
  expect(sessions.spendOverride('another', 'credit')).toBeUndefined();
  expect(sessions.spendOverride(word, 'credit')).toEqual({ name: 'Ana', role: 'manager', permissions: ['credit'] });
  expect(sessions.spendOverride(word, 'credit')).toBeUndefined();
  expect(noted().slice(-2)).toEqual(['staffAdmitted Ana credit', 'staffAllowed Ana credit Ben']);

  const late = await sessions.override(ana, 'credit', asked);
  await clock.advance(MINUTE);
  expect(sessions.spendOverride(late.word, 'credit')).toBeUndefined();
  expect(noted().at(-1)).toBe('staffAdmitted Ana credit');
});

test('nobody gives a word for what their own role may not, nor after they were removed', async () => {
  await withPeople();
  expect(await refusal(sessions.override(ben, 'credit'))).toBe('staff.notAllowed');
  await staff.add({ name: 'Max', role: 'manager', pin: '3061' }, { name: 'Ana', role: 'manager' });
  const { word } = await sessions.override({ name: 'Max', pin: '3061' }, 'credit');
  staff.remove('Max', { name: 'Ana', role: 'manager' });
  expect(sessions.spendOverride(word, 'credit')).toBeUndefined();
});

test('a journal that cannot be written keeps no screen open, and lets nobody in', async () => {
  await withPeople();
  const { token } = await sessions.signIn(ben);
  const { word } = await sessions.override(ana, 'credit');
  journal.close();
  expect(await refusal(sessions.signIn(ben))).toBe('journal.unwritable');
  expect(() => sessions.spendOverride(word, 'credit')).toThrow();
  await clock.advance(5 * MINUTE);
  expect(sessions.of(token)).toBeUndefined();
  expect(reported).toHaveLength(1);
});
