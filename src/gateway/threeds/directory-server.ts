/** A scheme's directory server, as a 3-D Secure server sees it. The built-in one is simulated. */
import type { AuthenticationRequest, AuthenticationResponse, ResultsRequest } from './messages.ts';
import type { Scheme, Version } from './schemes.ts';

/** What a directory's preparation response (PRes) says of a card's range. */
export type CardRange = {
  /** The protocol versions that its issuer and the directory take. */
  versions: readonly Version[];
  /** Where the issuer would like to look at the browser first. */
  threeDSMethodUrl?: string;
};

export interface DirectoryServer {
  /**
   * The range that the card is in: `unlisted` when the scheme has none for it, `absent` when its issuer takes no part.
   * `origin` is where the gateway was reached, `enrolled` whether a test asks to take any card as enrolled.
   */
  rangeOf(card: Card): Promise<CardRange | 'unlisted' | 'absent'>;
  /** Asked again with the same threeDSServerTransID it answers the same. Throws when there is no answer. */
  authenticate(request: AuthenticationRequest, about: About): Promise<AuthenticationResponse>;
  /** What came of a challenge or of asking elsewhere; undefined while nothing has. */
  resultOf(threeDSServerTransID: string): Promise<ResultsRequest | undefined>;
}

export type Card = { scheme: Scheme; number: string; origin: string; custom: Readonly<Record<string, string>> };

/** What is no part of the message: where the gateway stands, and what a test asks for (customParameters). */
type About = { scheme: Scheme; origin: string; custom: Readonly<Record<string, string>> };
