/** What ends a session, and how long a manager's approval is valid, when something goes wrong in between. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE, type SessionsRig, sessionsRig } from '../support/till/sessions-rig.ts';
import { ana, ben, manager } from '../support/till/staff-rig.ts';

let rig: SessionsRig;
beforeEach(async () => {
  rig = sessionsRig(20261123);
  await rig.withPeople();
});
afterEach(() => rig.end());

const tell = (): void => rig.events.tell({ on: 'changed', what: 'staff' });

test('a new PIN ends the sessions that the old one opened, and no other', async () => {
  const [anaSession, benSession] = [await rig.sessions.signIn(ana), await rig.sessions.signIn(ben)];
  let ended = 0;
  rig.sessions.whenEnded(benSession.token, () => {
    ended += 1;
  });
  await rig.staff.changePin({ name: 'Ben', pin: '905172' }, manager);
  tell();
  expect([rig.sessions.of(benSession.token), ended]).toEqual([undefined, 1]);
  expect(rig.sessions.of(anaSession.token)?.name).toBe('Ana');
  const { token } = await rig.sessions.signIn({ name: 'Ben', pin: '905172' });
  tell();
  expect(rig.sessions.of(token)?.name).toBe('Ben');
});

test('an approval given with an old PIN is no longer valid', async () => {
  const { word } = await rig.sessions.override(ana, 'credit');
  await rig.staff.changePin({ name: 'Ana', pin: '905172' }, manager);
  expect(rig.sessions.spendOverride(word, 'credit')).toBeUndefined();
});

test('a reopened till knows the open sessions', async () => {
  const { token } = await rig.sessions.signIn(ben);
  rig.staff = rig.openStaff();
  tell();
  expect(rig.sessions.of(token)?.name).toBe('Ben');
});

test('a new person with the name of a removed one does not get their session', async () => {
  const { token } = await rig.sessions.signIn(ben);
  rig.staff.remove('Ben', manager);
  await rig.staff.add({ name: 'Ben', role: 'cashier', pin: '905172' }, manager);
  expect(rig.sessions.of(token)).toBeUndefined();
});

test('an approval is valid once: the same request repeated still has it, another one does not', async () => {
  const { word } = await rig.sessions.override(ana, 'credit', { asked: { name: 'Ben', permissions: [] } });
  expect(rig.sessions.spendOverride(word, 'credit', 'key-00001')?.name).toBe('Ana');
  expect(rig.sessions.spendOverride(word, 'credit', 'key-00001')?.name).toBe('Ana');
  expect(rig.sessions.spendOverride(word, 'credit', 'key-00002')).toBeUndefined();
  expect(rig.sessions.spendOverride(word, 'credit')).toBeUndefined();
  expect(rig.sessions.spendOverride(word, 'refund', 'key-00001')).toBeUndefined();
  const allowed = rig.journal.about('staff').filter(({ body }) => body.includes('staffAllowed'));
  expect(allowed).toHaveLength(1);
  await rig.clock.advance(MINUTE);
  expect(rig.sessions.spendOverride(word, 'credit', 'key-00001')).toBeUndefined();
  expect(rig.clock.waiting()).toBe(0);
});

test('guesses at sign-in and at approvals are counted together', async () => {
  const wrong = { ...ana, pin: '905172' };
  for (let n = 0; n < 5; n++) {
    const guess = n % 2 === 0 ? rig.sessions.signIn(wrong) : rig.sessions.override(wrong, 'credit');
    await expect(guess).rejects.toMatchObject({ code: 'staff.refused' });
  }
  const held = [rig.sessions.override(ana, 'credit'), rig.sessions.signIn(ana)];
  let ended = 0;
  for (const one of held) void one.finally(() => (ended += 1));
  await rig.clock.advance(49_999);
  expect(ended).toBe(0);
  // A right PIN costs nobody a try: both are accepted at once.
  await rig.clock.advance(1);
  expect(await Promise.all(held)).toHaveLength(2);
});
