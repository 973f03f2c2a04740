/** Whether a sale may go on without the gateway: the store's limits, what a card must offer. Says why not in words. */
import { type Money, money, printMoney } from '../base/money.ts';
import type { CardFacts, OfflineVerdict } from './facts.ts';

/** Minor units of the till's currency; 0 switches a kind off. */
export type OfflineLimits = {
  /** Limits mean something in one currency only: sales in another are not taken offline. */
  readonly currency: string;
  /** The chip approves by itself (TC): up to this much for one sale. */
  readonly chipUpToMinor: bigint;
  /** The store takes the risk of an authorisation that is sent later: up to this much for one sale. Off by default. */
  readonly deferredUpToMinor: bigint;
  /** All offline sales not yet forwarded, together. */
  readonly totalMinor: bigint;
  readonly countMost: number;
};

export const defaultOfflineLimits: OfflineLimits = {
  currency: 'EUR',
  chipUpToMinor: 5_000n,
  deferredUpToMinor: 0n,
  totalMinor: 50_000n,
  countMost: 50,
};

/** What is stored and not yet forwarded. */
export type Exposure = { readonly minor: bigint; readonly count: number };

const refused = (why: string): OfflineVerdict => ({ kind: 'refused', why });

export const offlineVerdict = (
  { card, amount }: { card: CardFacts; amount: Money },
  limits: OfflineLimits,
  exposure: Exposure,
): OfflineVerdict => {
  if (card.entryMode !== 'ICC' && card.entryMode !== 'NFC_ICC') return refused('only chip cards can be taken offline');
  // A PIN for the issuer may not be stored, not even encrypted.
  if (card.verification === 'onlinePin') return refused('this card’s PIN can only be checked by the bank');
  if (amount.currency !== limits.currency) return refused(`the store’s limits are in ${limits.currency}`);
  const chip = amount.minor <= limits.chipUpToMinor;
  // Stored is then only what the chip said last, which never has a PIN in it.
  const deferred = amount.minor <= limits.deferredUpToMinor && card.mayHoldPin !== true;
  if (!chip && !deferred)
    return refused(`the store’s limit for one offline sale is ${largest(limits, amount.currency)}`);
  if (exposure.count >= limits.countMost) return refused(`${exposure.count} offline sales already wait to be sent`);
  if (exposure.minor + amount.minor > limits.totalMinor) {
    return refused(`${printMoney(money(exposure.minor, amount.currency))} of offline sales already wait to be sent`);
  }
  return { kind: 'allowed', chip, deferred };
};

const largest = ({ chipUpToMinor, deferredUpToMinor }: OfflineLimits, currency: string): string =>
  printMoney(money(chipUpToMinor > deferredUpToMinor ? chipUpToMinor : deferredUpToMinor, currency));
