/**
 * Who is at the screens: people sign in by name and PIN, are locked out after an idle time, and can get a manager's
 * approval for one action. Sessions are in memory, so everybody signs in again after a restart of the program. A sale
 * never ends with a session.
 */

import type { BrowserRow, ShopFacts, SignedIn } from '../../api/contract/session.ts';
import type { Events } from '../../api/ports/events.ts';
import type { Actor, Sessions, SignInOrigin } from '../../api/ports/session.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { Random } from '../../base/ids.ts';
import { type Permission, type Person, permissionsOf, type Staff } from '../running.ts';
import type { PosKeys } from './pos-keys.ts';
import {
  type SessionStore as Kept,
  keepSessions,
  openApprovals,
  type SignedInPerson,
  type StaffSession,
} from './session-store.ts';
import { createShortToken, createToken, hashOf, isSameToken } from './tokens.ts';

export type SessionsParts = {
  /** The staff of the till that is running now. */
  staff(): Staff;
  shop(): ShopFacts;
  posKeys(): PosKeys;
  events: Events;
  clock: Clock;
  random: Random;
  /** The idle time after which a session ends, ms. */
  lockAfterMs(): number;
  report(error: unknown): void;
  /** Given by a program that starts the till and shows its screens; random if absent. */
  startCode?: string | undefined;
};

/** A till without people never locks: there would be no PIN to unlock it. */
const NEVER_MS = 86_400_000;

/**
 * What may be done while there are no people yet: everything that the command line allows then. Decisions that need a
 * person's name are excluded.
 */
const ofNobody: readonly Permission[] = permissionsOf('manager').filter(
  (permission) => permission !== 'forceEnding' && permission !== 'settleUnpaid' && permission !== 'overrideClose',
);

const peopleOf = ({ staff }: Pick<SessionsParts, 'staff'>) => ({
  /** Whether the person still has the role and the PIN that they signed in with. */
  isThere: (who: SignedInPerson): boolean =>
    staff().pinMark(who.name) === who.pinMark &&
    staff()
      .people()
      .some(({ name, role }) => name === who.name && role === who.role),
  areKnown: (): boolean => staff().people().length > 0,
});

export type SessionManager = Sessions & {
  /** Opens a session without a person, for whoever started the till. Undefined once there are people. */
  startCode(): string | undefined;
  count(): number;
  /** Everybody has to sign in again. */
  endAll(): void;
  close(): void;
};

export const openSessions = (parts: SessionsParts): SessionManager => {
  const { posKeys, events } = parts;
  const people = peopleOf(parts);
  const store = keepSessions({ ...parts, idle: (session) => noteLeft(parts, session, 'idle') });
  const isValid = ({ who }: StaffSession): boolean => (who === undefined ? !people.areKnown() : people.isThere(who));
  const unlisten = events.listen((event) => {
    if (event.on === 'changed' && event.what === 'staff') store.endAll((session) => !isValid(session));
  });
  const { close: forgetApprovals, ...approvals } = overrides(parts, people.isThere);
  const ofStart = parts.startCode ?? createShortToken(parts.random);
  const startCode = (): string | undefined => (people.areKnown() ? undefined : ofStart);
  const endAll = (): void => {
    forgetApprovals();
    store.endAll(() => true);
  };

  return {
    shop: parts.shop,
    staffKnown: people.areKnown,
    startCode,
    ...signing(parts, store, startCode),
    ...approvals,
    ...knownBrowsers(parts),
    of(token, idleMs = 0) {
      const session = store.find(token);
      if (session === undefined) return undefined;
      if (!isValid(session)) {
        store.end(token);
        return undefined;
      }
      store.touch(session, idleMs);
      return signedIn(parts, session);
    },
    whenEnded(token, callback) {
      const session = store.find(token);
      session?.ended.add(callback);
      return () => void session?.ended.delete(callback);
    },
    program(key) {
      const found = posKeys().program(key);
      if (found === undefined || people.areKnown()) return found;
      const { key: _, ...program } = found;
      return program;
    },
    isProgramOrigin: (origin) => posKeys().isOrigin(origin),
    count: store.count,
    endAll,
    close() {
      unlisten();
      endAll();
    },
  };
};

/** The session ends even if this cannot be written: a full disk must not keep the screens unlocked. */
const noteLeft = ({ staff, report }: SessionsParts, { who }: StaffSession, how: 'hand' | 'idle' | 'replaced'): void => {
  if (who === undefined) return;
  try {
    staff().noteLeft(who.name, how);
  } catch (error) {
    report(error);
  }
};

const signedIn = ({ lockAfterMs }: SessionsParts, { who, csrf }: StaffSession): SignedIn => ({
  ...(who === undefined ? { permissions: ofNobody } : actorOf(who)),
  csrf,
  lockAfterMs: who === undefined ? NEVER_MS : lockAfterMs(),
});

type Signing = Pick<Sessions, 'signIn' | 'openAnonymous' | 'signOut'>;

const signing = (parts: SessionsParts, store: Kept, startCode: () => string | undefined): Signing => {
  const opened = (who: SignedInPerson | undefined, csrf?: string) => {
    const { token, session } = store.open(who, csrf);
    return { token, signedIn: signedIn(parts, session) };
  };
  return {
    async signIn(who, before, from = {}) {
      const person = await admitted(parts, who, { permission: 'signIn', from });
      const last = before === undefined ? undefined : store.end(before);
      const isSame = last?.who?.name === person.name;
      if (last !== undefined && !isSame) noteLeft(parts, last, 'replaced');
      const browser = browserToken(parts, person, from);
      return { ...opened(person, isSame ? last?.csrf : undefined), browser };
    },
    openAnonymous(code, before) {
      const right = startCode();
      if (right === undefined || !isSameToken(code, right)) throw new Fault('session.code');
      const last = before === undefined ? undefined : store.end(before);
      return opened(undefined, last?.csrf);
    },
    signOut(token) {
      const session = store.end(token);
      if (session !== undefined) noteLeft(parts, session, 'hand');
    },
  };
};

/** A try that must wait gets its turn or its refusal within a minute. */
const PATIENCE_MS = 60_000;

/** Throws as `Staff.admit` does. */
const admitted = async (
  { staff }: Pick<SessionsParts, 'staff'>,
  who: { name: string; pin: string },
  { permission, from: { browser, gone: signal, isCommand } }: { permission: Permission; from: SignInOrigin },
): Promise<SignedInPerson> => {
  const patienceMs = isCommand === true ? 0 : PATIENCE_MS;
  const attemptOrigin = { patienceMs, gone: signal, browser: browser === undefined ? undefined : hashOf(browser) };
  const { name, role } = await staff().admit(who, permission, attemptOrigin);
  return { name, role, pinMark: staff().pinMark(name) };
};

/** The token for this browser: its own when it is known, a new one once a manager has signed in there. */
const browserToken = (
  { staff, random }: SessionsParts,
  { name, role }: Person,
  { browser, isPage = false }: SignInOrigin,
): string | undefined => {
  const { browsers } = staff();
  if (browser !== undefined && browsers.has(hashOf(browser))) {
    browsers.use(hashOf(browser));
    return browser;
  }
  if (!isPage || role !== 'manager') return undefined;
  const token = createToken(random);
  browsers.add(hashOf(token), name);
  return token;
};

/** Digits of the hash that are shown: enough to tell a few browsers apart, and useless to whoever reads it. */
const ID_LENGTH = 16;

const knownBrowsers = ({ staff }: SessionsParts): Pick<Sessions, 'names' | 'browsers' | 'forgetBrowser'> => {
  const isKnown = (browser: string | undefined): boolean =>
    browser !== undefined && staff().browsers.has(hashOf(browser));
  return {
    names: ({ browser, isSignedIn }) => (isSignedIn || isKnown(browser) ? staff().people() : []),
    browsers(browser = ''): BrowserRow[] {
      const rows = staff().browsers.rows();
      return rows.map(({ hash, ...row }) => ({
        id: hash.slice(0, ID_LENGTH),
        ...row,
        isThis: hash === hashOf(browser),
      }));
    },
    forgetBrowser(id, { name = '' }) {
      const { browsers } = staff();
      const found = browsers.rows().find(({ hash }) => hash.slice(0, ID_LENGTH) === id);
      if (found === undefined) throw new Fault('browser.unknown');
      browsers.forget(found.hash, name);
    },
  };
};

type Overrides = Pick<Sessions, 'override' | 'spendOverride'> & { close(): void };

const overrides = (parts: SessionsParts, isThere: (who: SignedInPerson) => boolean): Overrides => {
  const { staff } = parts;
  const approvals = openApprovals(parts);
  return {
    async override(who, permission, { asked, ...from } = {}) {
      const by = await admitted(parts, who, { permission, from });
      return { word: approvals.issue(by, permission, asked), by: by.name };
    },
    spendOverride(approval, permission, key) {
      const spentApproval = approvals.spend(approval, permission, key);
      if (spentApproval === undefined || !isThere(spentApproval.by)) return undefined;
      if (!spentApproval.isRepeat)
        staff().noteAllowed({ by: spentApproval.by.name, permission, asked: spentApproval.asked });
      return { ...actorOf(spentApproval.by), permissions: [permission] };
    },
    close: approvals.close,
  };
};

const actorOf = ({ name, role }: Person): Actor => ({ name, role, permissions: permissionsOf(role) });
