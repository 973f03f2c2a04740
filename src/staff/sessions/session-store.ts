/** The open sessions, in memory, by the hash of their token. Each locks itself when it is not used. */
import type { Actor } from '../../api/ports/session.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/ids.ts';
import type { Permission, Person } from '../running.ts';
import { createToken, hashOf } from './tokens.ts';

/** A person who signed in, and the mark of the PIN they used. */
export type SignedInPerson = Person & { readonly pinMark: string | undefined };

export type StaffSession = {
  /** Undefined when the till has no people. */
  readonly who: SignedInPerson | undefined;
  readonly csrf: string;
  /** When it was last used, by uptime and by the wall clock, which continues while the machine sleeps. */
  touched: { monotonic: number; wall: number };
  readonly ended: Set<() => void>;
  stop: () => void;
};

export type SessionStore = {
  open(who: SignedInPerson | undefined, csrf?: string): { token: string; session: StaffSession };
  find(token: string): StaffSession | undefined;
  /** Notes that somebody used the session this many ms ago. */
  touch(session: StaffSession, agoMs: number): void;
  /** Undefined if there is no such session. */
  end(token: string): StaffSession | undefined;
  /** Ends the sessions for which `which` is true, without a journal entry. */
  endAll(which: (session: StaffSession) => boolean): void;
  count(): number;
};

/** Without people, each page that is opened has a session of its own: the oldest ones are dropped. */
const NOBODYS_MOST = 200;

type Parts = { clock: Clock; random: Random; lockAfterMs(): number; idle(session: StaffSession): void };

const endSession = (session: StaffSession): StaffSession => {
  session.stop();
  for (const callback of [...session.ended]) callback();
  session.ended.clear();
  return session;
};

const idleMs = (clock: Clock, { touched }: StaffSession): number =>
  Math.max(clock.monotonic() - touched.monotonic, clock.now() - touched.wall);

const touch = (clock: Clock, session: StaffSession, agoMs: number): void => {
  const { monotonic, wall } = session.touched;
  session.touched = {
    monotonic: Math.max(monotonic, clock.monotonic() - agoMs),
    wall: Math.max(Math.min(wall, clock.now()), clock.now() - agoMs),
  };
};

/** `idle` is called for each session that locked itself. */
export const keepSessions = ({ clock, random, lockAfterMs, idle }: Parts): SessionStore => {
  const stored = new Map<string, StaffSession>();

  const endOne = (hash: string, session: StaffSession): StaffSession => {
    stored.delete(hash);
    return endSession(session);
  };

  const look = (hash: string, session: StaffSession): boolean => {
    if (session.who === undefined) return false;
    const left = lockAfterMs() - idleMs(clock, session);
    session.stop();
    if (left > 0) {
      session.stop = clock.after(left, () => look(hash, session));
      return false;
    }
    endOne(hash, session);
    idle(session);
    return true;
  };

  const makeRoom = (): void => {
    const anonymousSessions = [...stored].filter(([, { who }]) => who === undefined);
    for (const [hash, session] of anonymousSessions.slice(0, Math.max(0, anonymousSessions.length - NOBODYS_MOST + 1)))
      endOne(hash, session);
  };

  return {
    open(who, csrf = createToken(random)) {
      if (who === undefined) makeRoom();
      const token = createToken(random);
      const touched = { monotonic: clock.monotonic(), wall: clock.now() };
      const session: StaffSession = { who, csrf, touched, ended: new Set(), stop: () => {} };
      stored.set(hashOf(token), session);
      look(hashOf(token), session);
      return { token, session };
    },
    find(token) {
      const hash = hashOf(token);
      const session = stored.get(hash);
      // After sleep, the machine's timers are late.
      return session === undefined || look(hash, session) ? undefined : session;
    },
    touch: (session, ago) => touch(clock, session, ago),
    end(token) {
      const hash = hashOf(token);
      const session = stored.get(hash);
      return session && endOne(hash, session);
    },
    endAll(which) {
      for (const [hash, session] of [...stored]) if (which(session)) endOne(hash, session);
    },
    count: () => stored.size,
  };
};

const GOOD_FOR_MS = 60_000;

type OverrideApproval = {
  by: SignedInPerson;
  permission: Permission;
  asked?: string | undefined;
  /** The request that used it: if repeated because its response was lost, the request still has the approval. */
  spentOn?: string;
  stop: () => void;
};

export type Approvals = {
  issue(by: SignedInPerson, permission: Permission, request: Actor | undefined): string;
  /**
   * Uses the approval up for the request with this key, or for one without a key. Undefined when it does not exist, is
   * too old, or is for another permission. `isRepeat`: the same request had already used it.
   */
  spend(
    approvalToken: string,
    permission: Permission,
    key?: string,
  ): (OverrideApproval & { isRepeat: boolean }) | undefined;
  close(): void;
};

/** A manager's approval of one action by somebody else: valid once, for a minute, for one permission. */
export const openApprovals = ({ clock, random }: { clock: Clock; random: Random }): Approvals => {
  const input = new Map<string, OverrideApproval>();
  const take = (hash: string): void => {
    input.get(hash)?.stop();
    input.delete(hash);
  };
  return {
    issue(by, permission, request) {
      const approvalToken = createToken(random);
      const hash = hashOf(approvalToken);
      const stop = clock.after(GOOD_FOR_MS, () => input.delete(hash));
      input.set(hash, { by, permission, asked: request?.name ?? request?.program, stop });
      return approvalToken;
    },
    spend(approvalToken, permission, key) {
      const hash = hashOf(approvalToken);
      const found = input.get(hash);
      if (found?.permission !== permission) return undefined;
      const isRepeat = found.spentOn !== undefined;
      if (isRepeat && found.spentOn !== key) return undefined;
      if (key === undefined) take(hash);
      else found.spentOn = key;
      return { ...found, isRepeat };
    },
    close() {
      for (const hash of [...input.keys()]) take(hash);
    },
  };
};
