/** A sale that was taken offline and whose money did not come, as screens and programs see it. */
import type { Amount } from './wire.ts';

/**
 * A sale asks for the money of an unpaid one with another card: the receipt of the other of the two sales, and the last
 * four digits of the unpaid sale's card and of the card that was brought for it.
 */
export type OtherCard = { receipt: number; before: string; now: string };

/**
 * What became of the money. open: somebody has to see to it. charging: a new sale asks for it and has no ending yet. In
 * the others nothing is left to do.
 */
export type UnpaidView = {
  state: 'open' | 'charging' | 'chargedAgain' | 'settledOtherwise' | 'writtenOff';
  /** What has not been paid. */
  missing: Amount;
  /** Receipts of the sales that asked for it once more. */
  again?: number[];
  /** Of those the ones with another card. */
  otherCards?: OtherCard[];
  /** The scheme lets the card be asked again now. */
  mayCharge?: true;
  /** Who settled it otherwise or wrote it off, and why. */
  by?: { name: string; role: string; reason: string };
};
