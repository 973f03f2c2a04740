/** How guessing PINs is stopped, while whoever has the right PIN can still sign in within a minute. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PinAttemptOrigin } from '../../src/staff/staff.ts';
import { ana, manager, refusal, type StaffRig, staffRig } from '../support/till/staff-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let rig: StaffRig;
beforeEach(() => {
  rig = staffRig(20261124);
});
afterEach(() => rig.end());

const tryWrongPin = (origin?: PinAttemptOrigin) =>
  refusal(() => rig.staff.admit({ name: 'Ana', pin: '000001' }, 'sell', origin));
const tryRightPin = (origin?: PinAttemptOrigin) => refusal(() => rig.staff.admit(ana, 'sell', origin));

test('five wrong PINs are checked at once, then one every 50 s, also over a restart', async () => {
  await rig.withAna();
  for (let n = 0; n < 5; n++) expect(await tryWrongPin()).toBe('staff.refused');
  expect(await tryWrongPin()).toBe('staff.locked');
  expect(await tryRightPin()).toBe('staff.locked');
  const wall = { ...rig.clock, now: () => rig.clock.now() + 86_400_000 };
  rig.reopen(wall);
  expect(await tryRightPin()).toBe('staff.locked');
  await rig.clock.advance(49_999);
  expect(await tryRightPin()).toBe('staff.locked');
  await rig.clock.advance(1);
  for (let n = 0; n < 90; n++) {
    expect(await tryWrongPin()).toBe('staff.refused');
    await rig.clock.advance(49_999);
    expect(await tryRightPin()).toBe('staff.locked');
    await rig.clock.advance(1);
  }
  expect(await tryRightPin()).toBeUndefined();
});

test('a right PIN gives no guesses back', async () => {
  await rig.withAna();
  for (let n = 0; n < 4; n++) expect(await tryWrongPin()).toBe('staff.refused');
  expect(await tryRightPin()).toBeUndefined();
  expect(await tryWrongPin()).toBe('staff.refused');
  expect(await tryWrongPin()).toBe('staff.locked');
});

test('a killed till gives no fresh guesses', async () => {
  await rig.withAna();
  for (let n = 0; n < 5; n++) await tryWrongPin();
  // As after a crash: nothing was closed.
  const bytes = readFileSync(rig.file);
  const log = readFileSync(`${rig.file}-wal`);
  rig.closeJournal();
  writeFileSync(rig.file, bytes);
  writeFileSync(`${rig.file}-wal`, log);
  rig.open();
  expect(await tryRightPin()).toBe('staff.locked');
  await rig.clock.advance(3_600_000);
  // The four wrong PINs after the first were counted outside the journal.
  expect(JSON.parse(rig.journal.about('staff').at(-1)?.body ?? '')).toMatchObject({
    on: 'staffRefusals',
    tries: { pin: 4 },
  });
});

test('after a restart of the machine its uptime counts as the time since the last guess', async () => {
  await rig.clock.advance(500_000);
  await rig.withAna();
  for (let n = 0; n < 5; n++) await tryWrongPin();
  const newClock = virtualClock();
  await newClock.advance(30_000);
  rig.reopen(newClock);
  expect(await tryRightPin()).toBe('staff.locked');
  await newClock.advance(20_000);
  expect(await tryRightPin()).toBeUndefined();
});

test('parallel guesses are counted one by one', async () => {
  await rig.withAna();
  const refused = await Promise.all(Array.from({ length: 8 }, () => tryWrongPin()));
  expect(refused.filter((code) => code === 'staff.refused')).toHaveLength(5);
  expect(refused.filter((code) => code === 'staff.locked')).toHaveLength(3);
});

test('strangers have a hundred guesses a day for all names together, then one every quarter of an hour', async () => {
  await rig.withAna();
  const names = ['Ana', 'Ben', 'Eve', 'nobody at all'];
  for (const name of names) await rig.staff.add({ name, role: 'cashier', pin: '8254' }, manager).catch(() => {});
  let guesses = 0;
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    const name = names[minute % names.length] ?? '';
    for (let n = 0; n < 3; n += 1)
      if ((await refusal(() => rig.staff.admit({ name, pin: '000001' }, 'sell'))) === 'staff.refused') guesses += 1;
    await rig.clock.advance(60_000);
  }
  // A hundred guesses, plus those that the day gives back meanwhile.
  expect(guesses).toBe(199);
});

test('wrong PINs elsewhere do not count at a known browser, nor the reverse; a forgotten one is unknown', async () => {
  await rig.withAna();
  rig.staff.browsers.add('one', 'Ana');
  rig.staff.browsers.add('two', 'Ana');
  for (let n = 0; n < 5; n++) expect(await tryWrongPin()).toBe('staff.refused');
  expect(await tryWrongPin({ browser: 'never seen' })).toBe('staff.locked');
  for (let n = 0; n < 5; n++) expect(await tryWrongPin({ browser: 'one' })).toBe('staff.refused');
  expect(await tryRightPin({ browser: 'one' })).toBe('staff.locked');
  expect(await tryRightPin({ browser: 'two' })).toBeUndefined();
  rig.reopen();
  expect(await tryRightPin({ browser: 'one' })).toBe('staff.locked');
  expect(await tryRightPin({ browser: 'two' })).toBeUndefined();
  rig.staff.browsers.forget('two', 'Ana');
  expect(await tryRightPin({ browser: 'two' })).toBe('staff.locked');
});

test('hours of wrong PINs at a known browser shut nobody out there for longer than a minute afterwards', async () => {
  await rig.withAna();
  rig.staff.browsers.add('one', 'Ana');
  const origin = { browser: 'one' };
  // The browser's own two hundred guesses, then the hundred that all others share.
  for (let minute = 0; minute < 250; minute += 1) {
    for (let n = 0; n < 3; n += 1) await tryWrongPin(origin);
    await rig.clock.advance(60_000);
  }
  for (let minute = 0; minute < 10; minute += 1) {
    for (let n = 0; n < 3; n += 1) await tryWrongPin(origin);
    const signingIn = tryRightPin({ ...origin, patienceMs: 60_000 });
    await rig.clock.advance(60_000);
    expect(await signingIn).toBeUndefined();
  }
});

test('an unknown name costs the same as a wrong PIN, and is refused with the same text', async () => {
  await rig.withAna();
  const errors = await Promise.all(
    ['Ana', 'Zoe'].map((name) => rig.staff.admit({ name, pin: '000001' }, 'sell').catch((error: unknown) => error)),
  );
  expect(errors[0]).toEqual(errors[1]);
  for (let n = 0; n < 3; n++) await refusal(() => rig.staff.admit({ name: 'Zoe', pin: '000001' }, 'sell'));
  for (const name of ['Ana', 'Zoe'])
    expect(await refusal(() => rig.staff.admit({ name, pin: '000001' }, 'sell'))).toBe('staff.locked');
});

test('refused tries are an entry at once, then one an hour for each name, over any number of restarts', async () => {
  await rig.withAna();
  const refusals = () =>
    rig.journal
      .about('staff')
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter(({ on }) => String(on).startsWith('staffRefus'))
      .map(({ on, name, why, tries }) => [on, name, why ?? tries]);
  for (let minute = 0; minute < 90; minute += 1) {
    for (let n = 0; n < 7; n += 1) await tryWrongPin();
    await rig.clock.advance(60_000);
  }
  await rig.clock.advance(900_000);
  await refusal(() => rig.staff.admit({ name: '90210876', pin: '471193' }, 'sell'));
  expect(refusals()).toEqual([
    ['staffRefused', 'Ana', 'pin'],
    ['staffRefusals', 'Ana', { pin: 74, locked: 345 }],
    ['staffRefused', undefined, 'nobody'],
  ]);
  expect(rig.staff.refusedTries('Ana')).toBe(210);
  // An hour continues across restarts: trying by commands, each a separate process, makes no more entries.
  for (let n = 0; n < 5; n += 1) {
    rig.reopen();
    await tryWrongPin();
  }
  expect(refusals()).toHaveLength(3);
  expect(rig.staff.refusedTries('Ana')).toBe(215);
  await rig.clock.advance(2_700_000);
  expect(refusals().slice(3)).toEqual([['staffRefusals', 'Ana', { pin: 31, locked: 184 }]]);
  await rig.clock.advance(7_200_000);
  rig.reopen();
  expect(rig.staff.refusedTries('Ana')).toBe(0);
  expect(refusals()).toHaveLength(4);
});
