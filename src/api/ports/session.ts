/** Who is at the till: signing in by PIN, what a role may do, and a manager's word for one action of somebody else. */
import type { Permission, Role } from '../contract/roles.ts';
import type { BrowserRow, ShopFacts, SignedIn, Tile } from '../contract/session.ts';

/** On whose behalf a request is carried out. Nobody's, as long as the till knows no people. */
export type Actor = {
  readonly name?: string;
  readonly role?: Role;
  /** A program at the counter, by the name that its key was given. */
  readonly program?: string;
  /** Who made the program's key, and which manager approved it. Absent as long as the till knows no people. */
  readonly key?: { readonly madeBy?: string; readonly approvedBy?: string };
  readonly permissions: readonly Permission[];
};

export type Program = Actor & {
  /** Pages of these origins may bring its key; none: no page of another origin may. */
  readonly origins: readonly string[];
};

/** From where somebody asks to be let in. */
export type SignInOrigin = {
  /** The word of a known browser, out of its cookie. */
  browser?: string | undefined;
  /** Whether it is a page of a browser, which keeps such a word: a program does not. */
  isPage?: boolean;
  /** A command, which is refused at once where others wait for their turn: it may hold the till's folder. */
  isCommand?: boolean;
  /** Aborted when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
};

export interface Sessions {
  shop(): ShopFacts;
  /**
   * The people who can sign in, for the tiles of the sign-in screen: in a browser that a manager has signed in at, and
   * for whoever is signed in. Others type their names.
   */
  names(asker: { browser?: string | undefined; isSignedIn: boolean }): Tile[];
  /** The browsers that show the names, the latest used first. `browser`: the word of the one that asks. */
  browsers(browser?: string): BrowserRow[];
  /** From now on its names are typed, and its tries are a stranger's. Throws `browser.unknown`. */
  forgetBrowser(id: string, by: Actor): void;
  staffKnown(): boolean;
  /**
   * Throws what `Staff.admit` throws, after as much as a minute where too many wrong PINs were tried. The token goes
   * into the cookie, and so does `browser`, the word of a known browser.
   */
  signIn(
    who: { name: string; pin: string },
    /** The session that stood in this browser before: it ends. Of the same person, other windows go on as they are. */
    before?: string,
    from?: SignInOrigin,
  ): Promise<{ token: string; signedIn: SignedIn; browser?: string }>;
  /**
   * The session of this cookie; undefined when there is none, or it was locked by time. Counts as a touch of `idleMs`
   * ago: a page that asks by itself says how long nobody has touched it.
   */
  of(token: string, idleMs?: number): SignedIn | undefined;
  /**
   * Nobody's session, for whoever brings the code of the till's start. `before`: as for `signIn`. Throws `session.code`
   * for a wrong code, and for any once people are known.
   */
  forNobody(code: string, before?: string): { token: string; signedIn: SignedIn };
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
    asking?: SignInOrigin & { asked?: Actor | undefined },
  ): Promise<{ word: string; by: string }>;
  /**
   * Uses the word up, and notes it. Undefined when it is not good for this permission. The request of the same `key`
   * has it still while it lasts: it is repeated when its answer was lost. Throws `journal.unwritable`.
   */
  spendOverride(word: string, permission: Permission, key?: string): Actor | undefined;
}
