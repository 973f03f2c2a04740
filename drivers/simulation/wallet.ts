/** The chips that stand before the simulated terminals: one per card number, so that counters and PIN tries go on. */
import type { TestCard } from '../../src/emv/test-cards.ts';
import { type VirtualCard, virtualCard } from './card.ts';

export type Wallet = (facts: TestCard) => VirtualCard;

export type WalletOptions = {
  /** The last transaction counter of a card never used before. */
  lastAtc?: number;
};

/** An empty wallet; a card enters it when first presented. */
export const wallet = ({ lastAtc = 0 }: WalletOptions = {}): Wallet => {
  const cards = new Map<string, VirtualCard>();
  return (facts) => {
    const held = cards.get(facts.pan) ?? virtualCard(facts, { lastAtc });
    cards.set(facts.pan, held);
    return held;
  };
};
