/** The content of an opened wallet token, for all wallets, and its refusal: everything that a payment needs of it. */
import { Fault, isFault } from '../../base/fault.ts';

export type OpenedToken = {
  /** A value that the provider, or the card network, made only once: a second payment with it is a replay. */
  id: string;
  /** The number is the device's (DPAN), or with Google's PAN_ONLY the card's own. */
  card: { number: string; expiryMonth: string; expiryYear: string; holder?: string };
  /** Base64. Absent: the wallet stored a card on file, and nothing proves that its holder is present. */
  cryptogram?: string;
  /** Two digits. Some networks provide none. */
  eci?: string;
  /** The amount that the shopper approved, in minor units; if the provider includes it. */
  amount?: { minor: bigint; currency: string };
  /** Why a genuine token is no longer accepted: it has expired. */
  stale?: string;
};

/** The text follows the name of the parameter. It never tells why a decryption failed: that would be an oracle. */
export const refuse = (reason: string): Fault => new Fault('wallet.refused', { why: reason });

/** The text of the refusal, or undefined for any other error. */
export const refusalReason = (error: unknown): string | undefined =>
  isFault(error, 'wallet.refused') ? String(error.facts['why']) : undefined;

/** The maximum that the row of paymentToken allows. */
export const TOKEN_MAX = 16_384;
