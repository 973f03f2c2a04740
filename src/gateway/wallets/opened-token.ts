/** What comes out of a wallet's token, whichever the wallet, and how a token is refused: all that a payment needs. */
import { Fault, isFault } from '../../base/fault.ts';

export type OpenedToken = {
  /** What the provider, or the card network, made only once: a second payment with it is a replay. */
  id: string;
  /** The number is the device's (DPAN), or with Google's PAN_ONLY the card's own. */
  card: { number: string; expiryMonth: string; expiryYear: string; holder?: string };
  /** Base64. Absent: the wallet kept a card on file, and nothing proves that its holder is there. */
  cryptogram?: string;
  /** Two digits. Some networks give none. */
  eci?: string;
  /** What the shopper approved, in minor units; where the provider says so. */
  amount?: { minor: bigint; currency: string };
  /** Why it is not taken any more, though it is the provider's: its time is over. */
  stale?: string;
};

/** The words follow the name of the parameter. They never tell why a decryption failed: that would be an oracle. */
export const refuse = (why: string): Fault => new Fault('wallet.refused', { why });

/** The refusal's words, or undefined for any other error. */
export const whyRefused = (error: unknown): string | undefined =>
  isFault(error, 'wallet.refused') ? String(error.facts['why']) : undefined;

/** The row of paymentToken takes no more. */
export const TOKEN_MAX = 16_384;
