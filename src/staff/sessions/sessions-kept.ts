/** The sessions that stand: in memory, by the hash of their token, each locked by itself when nobody touches it. */
import type { Actor } from '../../api/ports/session.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/ids.ts';
import type { Permission, Person } from '../running.ts';
import { hashOf, secretWord } from './secret-words.ts';

/** Somebody who was let in, and by which of their PINs. */
export type Admitted = Person & { readonly pinMark: string | undefined };

export type StaffSession = {
  /** Nobody, where the till knows no people. */
  readonly who: Admitted | undefined;
  readonly csrf: string;
  /** When it was last touched: by the machine's running time, and by the wall clock, which goes on in its sleep. */
  touched: { monotonic: number; wall: number };
  readonly ended: Set<() => void>;
  stop: () => void;
};

export type SessionStore = {
  open(who: Admitted | undefined, csrf?: string): { token: string; session: StaffSession };
  find(token: string): StaffSession | undefined;
  /** Somebody was there so many ms ago. */
  touch(session: StaffSession, agoMs: number): void;
  /** Nothing where there is no such session. */
  end(token: string): StaffSession | undefined;
  /** Ends those of which `which` holds, without a word in the journal. */
  endAll(which: (session: StaffSession) => boolean): void;
  count(): number;
};

/** Of nobody there is one for each page that was opened: the oldest ones go. */
const NOBODYS_MOST = 200;

type Parts = { clock: Clock; random: Random; lockAfterMs(): number; idle(session: StaffSession): void };

const over = (session: StaffSession): StaffSession => {
  session.stop();
  for (const then of [...session.ended]) then();
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

/** `idle` is told of each session that was locked by itself. */
export const keepSessions = ({ clock, random, lockAfterMs, idle }: Parts): SessionStore => {
  const kept = new Map<string, StaffSession>();

  const endOne = (hash: string, session: StaffSession): StaffSession => {
    kept.delete(hash);
    return over(session);
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
    const nobodys = [...kept].filter(([, { who }]) => who === undefined);
    for (const [hash, session] of nobodys.slice(0, Math.max(0, nobodys.length - NOBODYS_MOST + 1)))
      endOne(hash, session);
  };

  return {
    open(who, csrf = secretWord(random)) {
      if (who === undefined) makeRoom();
      const token = secretWord(random);
      const touched = { monotonic: clock.monotonic(), wall: clock.now() };
      const session: StaffSession = { who, csrf, touched, ended: new Set(), stop: () => {} };
      kept.set(hashOf(token), session);
      look(hashOf(token), session);
      return { token, session };
    },
    find(token) {
      const hash = hashOf(token);
      const session = kept.get(hash);
      // A machine that slept has timers that are late.
      return session === undefined || look(hash, session) ? undefined : session;
    },
    touch: (session, ago) => touch(clock, session, ago),
    end(token) {
      const hash = hashOf(token);
      const session = kept.get(hash);
      return session && endOne(hash, session);
    },
    endAll(which) {
      for (const [hash, session] of [...kept]) if (which(session)) endOne(hash, session);
    },
    count: () => kept.size,
  };
};

const GOOD_FOR_MS = 60_000;

type OverrideApproval = {
  by: Admitted;
  permission: Permission;
  asked?: string | undefined;
  /** The request that it was spent on: repeated, because its answer was lost, it has the word still. */
  spentOn?: string;
  stop: () => void;
};

export type OverrideWords = {
  give(by: Admitted, permission: Permission, asked: Actor | undefined): string;
  /**
   * Uses the word up for the request of this key, or for whatever has none. Undefined when there is no such word, it is
   * too old, or it is for something else. `again`: for this same request it was spent before.
   */
  spend(word: string, permission: Permission, key?: string): (OverrideApproval & { again: boolean }) | undefined;
  close(): void;
};

/** A manager's word for one action of somebody else: good once, for a minute, for one permission. */
export const openOverrideWords = ({ clock, random }: { clock: Clock; random: Random }): OverrideWords => {
  const given = new Map<string, OverrideApproval>();
  const take = (hash: string): void => {
    given.get(hash)?.stop();
    given.delete(hash);
  };
  return {
    give(by, permission, asked) {
      const word = secretWord(random);
      const hash = hashOf(word);
      const stop = clock.after(GOOD_FOR_MS, () => given.delete(hash));
      given.set(hash, { by, permission, asked: asked?.name ?? asked?.program, stop });
      return word;
    },
    spend(word, permission, key) {
      const hash = hashOf(word);
      const found = given.get(hash);
      if (found?.permission !== permission) return undefined;
      const again = found.spentOn !== undefined;
      if (again && found.spentOn !== key) return undefined;
      if (key === undefined) take(hash);
      else found.spentOn = key;
      return { ...found, again };
    },
    close() {
      for (const hash of [...given.keys()]) take(hash);
    },
  };
};
