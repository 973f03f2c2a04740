/** What ends a session, and what a manager's word is good for, when something goes wrong in between. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE, type SessionsRig, sessionsRig } from '../support/till/sessions-rig.ts';
import { ana, ben, manager } from '../support/till/staff-rig.ts';

let rig: SessionsRig;
beforeEach(async () => {
  rig = sessionsRig(20261123);
  await rig.withPeople();
});
afterEach(() => rig.end());

const told = (): void => rig.events.tell({ on: 'changed', what: 'staff' });

test('a new PIN ends the sessions that the old one opened, and no other', async () => {
  const [hers, his] = [await rig.sessions.signIn(ana), await rig.sessions.signIn(ben)];
  let ended = 0;
  rig.sessions.whenEnded(his.token, () => {
    ended += 1;
  });
  await rig.staff.changePin({ name: 'Ben', pin: '905172' }, manager);
  told();
  expect([rig.sessions.of(his.token), ended]).toEqual([undefined, 1]);
  expect(rig.sessions.of(hers.token)?.name).toBe('Ana');
  const { token } = await rig.sessions.signIn({ name: 'Ben', pin: '905172' });
  told();
  expect(rig.sessions.of(token)?.name).toBe('Ben');
});

test('a word that was given by an old PIN is good no more', async () => {
  const { word } = await rig.sessions.override(ana, 'credit');
  await rig.staff.changePin({ name: 'Ana', pin: '905172' }, manager);
  expect(rig.sessions.spendOverride(word, 'credit')).toBeUndefined();
});

test('a till that is opened anew knows the sessions that stand', async () => {
  const { token } = await rig.sessions.signIn(ben);
  rig.staff = rig.openStaff();
  told();
  expect(rig.sessions.of(token)?.name).toBe('Ben');
});

test('somebody else under the name of one who is gone has no session of theirs', async () => {
  const { token } = await rig.sessions.signIn(ben);
  rig.staff.remove('Ben', manager);
  await rig.staff.add({ name: 'Ben', role: 'cashier', pin: '905172' }, manager);
  expect(rig.sessions.of(token)).toBeUndefined();
});

test('a word is good once: the same request again has it still, no other one does', async () => {
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

test('guesses at the sign-in and at the manager’s word are counted together', async () => {
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
  // A right PIN takes nobody's turn: both are let in at once.
  await rig.clock.advance(1);
  expect(await Promise.all(held)).toHaveLength(2);
});
