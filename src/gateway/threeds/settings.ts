/** What a channel sets for 3-D Secure. */
import type { Scheme, Version } from './schemes.ts';

export type ThreeDSecureSettings = {
  enabled: boolean;
  /** Absent: all of them. */
  schemes?: readonly Scheme[];
  /** The protocol versions that are offered. Absent: 2.2.0 alone. */
  versions?: readonly Version[];
  /** As the schemes know the merchant. Absent: the payment's merchant.name, or the channel's name. */
  merchantName?: string;
  /**
   * Of a card whose cardholder cannot be authenticated: its issuer takes no part, or a system failed. `refuse` unless
   * set. What an issuer denies or rejects is refused always.
   */
  whenNotPossible?: 'proceed' | 'refuse';
  /** Up to this amount, in the payment's currency, no challenge is asked for (exemption of low values). */
  exemptUpTo?: string;
};
