/** Who is at the till: signing in by PIN, what a role may do, and a manager's word for one action of somebody else. */
import type { ShownMode } from '../../base/mode.ts';
import type { Permission, Role } from '../../staff/roles.ts';

/** On whose behalf a request is carried out. Nobody's, as long as the till knows no people. */
export type Actor = {
  readonly name?: string;
  readonly role?: Role;
  /** A program at the counter, by the name that its key was given. */
  readonly program?: string;
  readonly permissions: readonly Permission[];
};

export type Program = Actor & {
  /** Pages of these origins may bring its key; none: no page of another origin may. */
  readonly origins: readonly string[];
};

export type SignedIn = Actor & {
  /** Goes with each request that changes something, in the header `X-Csrf-Token`. */
  readonly csrf: string;
  /** Without a touch for so long the till locks itself, ms. */
  readonly lockAfterMs: number;
};

export type ShopFacts = {
  name: string;
  terminalId: string;
  currency: string;
  /** Decimals of the currency's minor unit. */
  exponent: number;
  /** IANA name of the zone that dates are shown in. */
  timeZone: string;
  /** Language of the screens until somebody chooses another one; BCP 47. */
  language: string;
  /** Tips that are offered, whole percent of the amount: one to four of them. */
  tipPercents: readonly number[];
  version: string;
  /** Whether money moves: only `live` does. `training` is a test till of one session, with books of its own. */
  mode: ShownMode;
  /** Why no money may be moved: the folder belongs to another machine, or the gateway knows sales that it lacks. */
  held?: 'other' | 'behind';
};

export type SessionState = {
  shop: ShopFacts;
  /** Absent: somebody has to sign in first. A till without people has nobody sign in. */
  signedIn?: SignedIn;
  /** Whether any people are known at this till. */
  staffKnown: boolean;
};

export interface Sessions {
  shop(): ShopFacts;
  /** The people who can sign in, for the tiles of the sign-in screen. */
  names(): { name: string; role: Role }[];
  staffKnown(): boolean;
  /** Throws what `Staff.admit` throws. The token goes into the cookie. */
  signIn(
    who: { name: string; pin: string },
    /** The session that stood in this browser before: it ends. Of the same person, other windows go on as they are. */
    before?: string,
  ): Promise<{ token: string; signedIn: SignedIn }>;
  /**
   * The session of this cookie; undefined when there is none, or it was locked by time. Counts as a touch of `idleMs`
   * ago: a page that asks by itself says how long nobody has touched it.
   */
  of(token: string, idleMs?: number): SignedIn | undefined;
  /** Nobody's session, as long as the till knows no people; undefined once it does. */
  forNobody(): { token: string; signedIn: SignedIn } | undefined;
  signOut(token: string): void;
  /** Calls `then` once, when this session has ended, by hand or by time; not after the returned function was called. */
  whenEnded(token: string, then: () => void): () => void;
  /** The program that this key belongs to. */
  program(key: string): Program | undefined;
  /** Whether any program's pages may come from this origin: what is asked before a key is seen. */
  isProgramOrigin(origin: string): boolean;
  /** Somebody else's PIN for one action: gives a word that is good once, for a minute, for this permission. */
  override(
    who: { name: string; pin: string },
    permission: Permission,
    asked?: Actor,
  ): Promise<{ word: string; by: string }>;
  /**
   * Uses the word up, and notes it. Undefined when it is not good for this permission. The request of the same `key`
   * has it still while it lasts: it is repeated when its answer was lost. Throws `journal.unwritable`.
   */
  spendOverride(word: string, permission: Permission, key?: string): Actor | undefined;
}
