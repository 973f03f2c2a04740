/** Sessions: signing in by PIN, permissions, and a manager's approval for one action of another person. */
import type { Permission, Role } from '../contract/roles.ts';
import type { BrowserRow, ShopFacts, SignedIn, Tile } from '../contract/session.ts';

/** The person or program on whose behalf a request is carried out; without a name on a till without staff. */
export type Actor = {
  readonly name?: string;
  readonly role?: Role;
  /** A program at the counter: the name of its key. */
  readonly program?: string;
  /** Who created the program's key, and which manager approved it. Absent on a till without staff. */
  readonly key?: { readonly madeBy?: string; readonly approvedBy?: string };
  readonly permissions: readonly Permission[];
};

export type Program = Actor & {
  /** Pages of these origins may use the key; if empty, no pages of other origins may. */
  readonly origins: readonly string[];
};

export type SignInOrigin = {
  /** The token of a known browser, from its cookie. */
  browser?: string | undefined;
  /** Whether it is a page of a browser, which stores such a token; programs do not. */
  isPage?: boolean;
  /** A command, which is refused at once instead of waiting after wrong PINs: it may be holding the till's folder. */
  isCommand?: boolean;
  /** Aborted when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
};

export interface Sessions {
  shop(): ShopFacts;
  /**
   * The people who can sign in, for the tiles of the sign-in screen: in a browser where a manager has signed in, and
   * for people who are signed in. Others type their names.
   */
  names(asker: { browser?: string | undefined; isSignedIn: boolean }): Tile[];
  /** The browsers that show the names, the most recently used first. `browser`: the token of the requesting one. */
  browsers(browser?: string): BrowserRow[];
  /**
   * Names are typed there from now on, and its wrong PINs count with the unknown browsers'. Throws `browser.unknown`.
   */
  forgetBrowser(id: string, actor: Actor): void;
  staffKnown(): boolean;
  /**
   * Throws as `Staff.admit`, after up to a minute if there were too many wrong PINs. The token goes
   * into the cookie, and so does `browser`, the token of a known browser.
   */
  signIn(
    who: { name: string; pin: string },
    /** The previous session of this browser, which ends. If it was the same person's, other windows keep working. */
    before?: string,
    from?: SignInOrigin,
  ): Promise<{ token: string; signedIn: SignedIn; browser?: string }>;
  /**
   * The session of this cookie; undefined if there is none or it has locked. Counts as user input `idleMs`
   * ago: a page that sends requests automatically reports how long there was no input.
   */
  of(token: string, idleMs?: number): SignedIn | undefined;
  /**
   * Opens a session without a person, for the start code of the till. `before`: as for `signIn`. Throws `session.code`
   * for a wrong code, and for any code on a till with staff.
   */
  openAnonymous(code: string, before?: string): { token: string; signedIn: SignedIn };
  signOut(token: string): void;
  /** Calls `then` once when this session ends, by sign-out or timeout; not after the returned function was called. */
  whenEnded(token: string, then: () => void): () => void;
  program(key: string): Program | undefined;
  /** Whether any program lists this origin: for CORS preflights, which have no key. */
  isProgramOrigin(origin: string): boolean;
  /** Another person's PIN for one action: returns an approval for this permission, valid once within a minute. */
  override(
    who: { name: string; pin: string },
    permission: Permission,
    origin?: SignInOrigin & { asked?: Actor | undefined },
  ): Promise<{ word: string; by: string }>;
  /**
   * Uses up the approval, and records it. Undefined if it is not valid for this permission. A repeated request with the
   * same `key` can use it again while it lasts, in case its answer was lost. Throws `journal.unwritable`.
   */
  spendOverride(approval: string, permission: Permission, key?: string): Actor | undefined;
}
