/** Who is at the screens, for how long, and who approved what, with a real journal and a virtual clock. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { openPosKeys } from '../../src/staff/sessions/pos-keys.ts';
import { MINUTE, type SessionsRig, sessionsRig } from '../support/till/sessions-rig.ts';
import { ana, ben, refusal } from '../support/till/staff-rig.ts';

let rig: SessionsRig;
beforeEach(() => {
  rig = sessionsRig(20261122);
});
afterEach(() => rig.end());

test('a person of every role can sign in, and may do what the role allows', async () => {
  await rig.withPeople();
  for (const [who, permission, not] of [
    [ana, 'changeLimits', undefined],
    [ben, 'sell', 'changeLimits'],
    [{ name: 'Tess', pin: '740265' }, 'pairTerminal', 'sell'],
  ] as const) {
    const { token, signedIn } = await rig.sessions.signIn(who);
    expect(rig.sessions.of(token)).toEqual(signedIn);
    expect(signedIn).toMatchObject({ name: who.name, lockAfterMs: 5 * MINUTE });
    expect(signedIn.permissions).toContain(permission);
    expect(signedIn.permissions).not.toContain(not);
  }
});

test('the token is 256 random bits, and is not stored in clear anywhere', async () => {
  await rig.withPeople();
  const one = await rig.sessions.signIn(ben);
  const two = await rig.sessions.signIn(ben);
  expect(one.token).toMatch(/^[\w-]{43}$/);
  expect(one.token).not.toBe(two.token);
  expect(one.signedIn.csrf).not.toBe(two.signedIn.csrf);
  expect(JSON.stringify([...rig.journal.entries()].map(({ body }) => body))).not.toContain(one.token);
  expect(rig.sessions.of(`${one.token}x`)).toBeUndefined();
  expect(rig.sessions.of('')).toBeUndefined();
});

test('a session locks itself after five idle minutes, reports it, and the journal records it', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  let ended = 0;
  rig.sessions.whenEnded(token, () => {
    ended += 1;
  });
  await rig.clock.advance(4 * MINUTE);
  expect(rig.sessions.of(token)).toBeDefined();
  await rig.clock.advance(5 * MINUTE - 1);
  expect(ended).toBe(0);
  await rig.clock.advance(1);
  expect(ended).toBe(1);
  expect(rig.sessions.of(token)).toBeUndefined();
  expect(rig.auditEvents().at(-1)).toBe('staffLeft Ben idle');
});

test('automatic requests of the page do not count as use; a false idle time does not extend a session', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  await rig.clock.advance(3 * MINUTE);
  rig.sessions.of(token, 3 * MINUTE);
  await rig.clock.advance(2 * MINUTE);
  expect(rig.sessions.of(token)).toBeUndefined();
  const retried = await rig.sessions.signIn(ben);
  await rig.clock.advance(4 * MINUTE);
  rig.sessions.of(retried.token, 999_999_999);
  await rig.clock.advance(MINUTE);
  expect(rig.sessions.of(retried.token)).toBeUndefined();
});

test('after the machine sleeps the screens are locked', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  rig.clock.lag(6 * MINUTE);
  expect(rig.sessions.of(token)).toBeUndefined();
});

test('signing out ends the session at once; a removed listener is not called', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  const called: string[] = [];
  rig.sessions.whenEnded(token, () => called.push('stays'));
  rig.sessions.whenEnded(token, () => called.push('goes'))();
  rig.sessions.signOut(token);
  rig.sessions.signOut(token);
  expect(called).toEqual(['stays']);
  expect(rig.auditEvents().at(-1)).toBe('staffLeft Ben hand');
  expect(rig.sessions.count()).toBe(0);
});

test('the same person in a second window continues the session; somebody else does not', async () => {
  await rig.withPeople();
  const first = await rig.sessions.signIn(ben);
  const second = await rig.sessions.signIn(ben, first.token);
  expect(rig.sessions.of(first.token)).toBeUndefined();
  expect(second.signedIn.csrf).toBe(first.signedIn.csrf);
  const third = await rig.sessions.signIn(ana, second.token);
  expect(third.signedIn.csrf).not.toBe(first.signedIn.csrf);
  expect(rig.auditEvents()).toContain('staffLeft Ben replaced');
  expect(rig.sessions.count()).toBe(1);
});

test('a wrong PIN ends nothing; after five of them the right PIN waits, and is accepted within a minute', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  for (let n = 0; n < 5; n += 1)
    expect(await refusal(() => rig.sessions.signIn({ name: 'Ben', pin: '0000' }, token))).toBe('staff.refused');
  const retried = rig.sessions.signIn(ben, token);
  await rig.clock.advance(49_999);
  expect(rig.sessions.of(token)).toMatchObject({ name: 'Ben' });
  await rig.clock.advance(1);
  expect(rig.sessions.of((await retried).token)).toMatchObject({ name: 'Ben' });
});

test('a waiting try ends when its client disconnects', async () => {
  await rig.withPeople();
  for (let n = 0; n < 5; n += 1) await refusal(() => rig.sessions.signIn({ name: 'Ben', pin: '0000' }));
  const controller = new AbortController();
  const held = rig.sessions.signIn(ben, undefined, { gone: controller.signal });
  await rig.clock.advance(1000);
  const reported = new Fault('till.stopping');
  controller.abort(reported);
  await expect(held).rejects.toBe(reported);
});

const code = (): string => rig.sessions.startCode() ?? '';

test('a session without a person never locks, and ends when the first person is added', async () => {
  const { token, signedIn } = rig.sessions.openAnonymous(code());
  expect(signedIn.permissions).toContain('manageStaff');
  expect(signedIn.permissions).not.toContain('forceEnding');
  expect(signedIn.permissions).not.toContain('settleUnpaid');
  await rig.clock.advance(24 * 60 * MINUTE);
  expect(rig.sessions.of(token)).toBeDefined();
  await rig.withPeople();
  expect(rig.sessions.of(token)).toBeUndefined();
  expect(rig.auditEvents().filter((line) => line.startsWith('staffLeft'))).toEqual([]);
});

test('a session without a person is opened only by this start’s code, until there are people', async () => {
  const right = code();
  expect(Buffer.from(right, 'base64url')).toHaveLength(16);
  const { [0]: first = '' } = right;
  for (const wrong of ['', 'guessed', right.slice(1), `${right}A`, right.replace(first, first === 'A' ? 'B' : 'A')])
    expect(() => rig.sessions.openAnonymous(wrong)).toThrow(expect.objectContaining({ code: 'session.code' }));
  expect(rig.sessions.count()).toBe(0);
  // A second browser can use the same address.
  expect(rig.sessions.openAnonymous(right).token).not.toBe(rig.sessions.openAnonymous(right).token);
  await rig.withPeople();
  expect(rig.sessions.startCode()).toBeUndefined();
  expect(() => rig.sessions.openAnonymous(right)).toThrow(expect.objectContaining({ code: 'session.code' }));
});

test('a browser that uses the address again keeps one session, shared by its windows', () => {
  const first = rig.sessions.openAnonymous(code());
  const second = rig.sessions.openAnonymous(code(), first.token);
  expect(rig.sessions.of(first.token)).toBeUndefined();
  expect(second.signedIn.csrf).toBe(first.signedIn.csrf);
  expect(rig.sessions.count()).toBe(1);
});

test('each start has its own code, which a program that starts the till may provide', () => {
  const retried = rig.openSessions({ startCode: 'brought-by-the-window' });
  expect(retried.startCode()).toBe('brought-by-the-window');
  retried.close();
  const other = rig.openSessions();
  expect(other.startCode()).not.toBe(rig.sessions.startCode());
  other.close();
});

test('pages that keep requesting sessions without a person leave a limited number of them', () => {
  for (let n = 0; n < 1_000; n += 1) rig.sessions.openAnonymous(code());
  expect(rig.sessions.count()).toBeLessThanOrEqual(200);
});

test('a program’s session names who is responsible for its key, once there are people', async () => {
  const { key } = openPosKeys(rig).make({ name: 'Kiosk' });
  rig.sessions.close();
  rig.sessions = rig.openSessions();
  expect(rig.sessions.program(key)).toMatchObject({ program: 'Kiosk' });
  expect(rig.sessions.program(key)).not.toHaveProperty('key');
  await rig.withPeople();
  expect(rig.sessions.program(key)).toMatchObject({ program: 'Kiosk', key: {} });
  expect(rig.sessions.program('tillgate_x')).toBeUndefined();
});

test('a removed person’s session ends at once', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  let isEnded = false;
  rig.sessions.whenEnded(token, () => {
    isEnded = true;
  });
  rig.staff.remove('Ben', { name: 'Ana', role: 'manager' });
  rig.events.tell({ on: 'changed', what: 'staff' });
  expect(isEnded).toBe(true);
  expect(rig.sessions.of(token)).toBeUndefined();
});

test('a manager’s approval is valid once, for one permission, for a minute', async () => {
  await rig.withPeople();
  const request = { name: 'Ben', role: 'cashier', permissions: [] } as const;
  const { word, by } = await rig.sessions.override(ana, 'credit', { asked: request });
  expect(by).toBe('Ana');
  expect(rig.sessions.spendOverride(word, 'changeLimits')).toBeUndefined();
  expect(rig.sessions.spendOverride('another', 'credit')).toBeUndefined();
  expect(rig.sessions.spendOverride(word, 'credit')).toEqual({ name: 'Ana', role: 'manager', permissions: ['credit'] });
  expect(rig.sessions.spendOverride(word, 'credit')).toBeUndefined();
  expect(rig.auditEvents().slice(-2)).toEqual(['staffAdmitted Ana credit', 'staffAllowed Ana credit Ben']);

  const late = await rig.sessions.override(ana, 'credit', { asked: request });
  await rig.clock.advance(MINUTE);
  expect(rig.sessions.spendOverride(late.word, 'credit')).toBeUndefined();
  expect(rig.auditEvents().at(-1)).toBe('staffAdmitted Ana credit');
});

test('nobody can approve what their own role does not allow, nor after they were removed', async () => {
  await rig.withPeople();
  expect(await refusal(() => rig.sessions.override(ben, 'credit'))).toBe('staff.notAllowed');
  await rig.staff.add({ name: 'Max', role: 'manager', pin: '3061' }, { name: 'Ana', role: 'manager' });
  const { word } = await rig.sessions.override({ name: 'Max', pin: '3061' }, 'credit');
  rig.staff.remove('Max', { name: 'Ana', role: 'manager' });
  expect(rig.sessions.spendOverride(word, 'credit')).toBeUndefined();
});

test('when the journal cannot be written screens still lock, and nobody can sign in', async () => {
  await rig.withPeople();
  const { token } = await rig.sessions.signIn(ben);
  const { word } = await rig.sessions.override(ana, 'credit');
  rig.journal.close();
  expect(await refusal(() => rig.sessions.signIn(ben))).toBe('journal.unwritable');
  expect(() => rig.sessions.spendOverride(word, 'credit')).toThrow();
  await rig.clock.advance(5 * MINUTE);
  expect(rig.sessions.of(token)).toBeUndefined();
  expect(rig.reported).toHaveLength(1);
});
