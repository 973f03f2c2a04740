/** Browsers that a manager has signed in at show the names, and wrong PINs elsewhere do not count there. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SessionsRig, sessionsRig } from '../support/till/sessions-rig.ts';
import { ana, ben, refusal } from '../support/till/staff-rig.ts';

let rig: SessionsRig;
beforeEach(() => {
  rig = sessionsRig(20261122);
});
afterEach(() => rig.end());

test('a browser that a manager signs in at is known, shows the names, and keeps its token over a restart', async () => {
  await rig.withPeople();
  const page = { isPage: true };
  const known = (browser?: string) => rig.sessions.names({ browser, isSignedIn: false }).map(({ name }) => name);
  expect((await rig.sessions.signIn(ben, undefined, page)).browser).toBeUndefined();
  // A program stores no token, and takes no browser's place.
  expect((await rig.sessions.signIn(ana)).browser).toBeUndefined();
  expect(rig.sessions.browsers()).toEqual([]);
  const { browser } = await rig.sessions.signIn(ana, undefined, page);
  expect(browser).toMatch(/^[\w-]{43}$/);
  expect([known(browser), known(), known('another word')]).toEqual([['Ana', 'Ben', 'Tess'], [], []]);
  expect(rig.sessions.names({ isSignedIn: true })).toHaveLength(3);
  expect((await rig.sessions.signIn(ben, undefined, { ...page, browser })).browser).toBe(browser);
  expect((await rig.sessions.signIn(ana, undefined, { ...page, browser })).browser).toBe(browser);
  const { browsers } = rig.openStaff();
  expect(browsers.rows()).toHaveLength(1);
  expect(JSON.stringify([...rig.journal.sql.all('SELECT * FROM known_browser')])).not.toContain(browser);
});

test('wrong PINs elsewhere delay nobody at a known browser; a forgotten browser is unknown again', async () => {
  await rig.withPeople();
  const { browser } = await rig.sessions.signIn(ana, undefined, { isPage: true });
  for (let n = 0; n < 5; n += 1) await refusal(() => rig.sessions.signIn({ name: 'Ana', pin: '0000' }));
  expect((await rig.sessions.signIn(ana, undefined, { browser })).signedIn.name).toBe('Ana');
  expect((await rig.sessions.override(ana, 'credit', { browser })).by).toBe('Ana');
  const [row] = rig.sessions.browsers(browser);
  expect(row).toMatchObject({ by: 'Ana', isThis: true });
  const by = { name: 'Ana', permissions: [] };
  rig.sessions.forgetBrowser(row?.id ?? '', by);
  expect(rig.sessions.names({ browser, isSignedIn: false })).toEqual([]);
  expect(() => rig.sessions.forgetBrowser(row?.id ?? '', by)).toThrow(
    expect.objectContaining({ code: 'browser.unknown' }),
  );
  expect(rig.auditEvents().filter((one) => one.startsWith('browser'))).toEqual([
    'browserKnown Ana',
    'browserForgotten Ana',
  ]);
});

test('beyond the limit the least recently used browser is forgotten', async () => {
  await rig.withPeople();
  const words: string[] = [];
  for (let n = 0; n < 21; n += 1) {
    await rig.clock.advance(1);
    words.push((await rig.sessions.signIn(ana, undefined, { isPage: true })).browser ?? '');
    await rig.clock.advance(1);
    await rig.sessions.signIn(ben, undefined, { browser: words[0] });
  }
  const known = words.map((browser) => rig.sessions.names({ browser, isSignedIn: false }).length > 0);
  expect(known.flatMap((isKnown, index) => (isKnown ? [] : [index]))).toEqual([1]);
});
