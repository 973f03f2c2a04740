/** A sale that was taken offline and whose money did not come, as screens and programs see it. */
import type { Amount } from './wire.ts';

/**
 * What became of the money. open: somebody has to see to it. charging: a new sale asks for it and has no ending yet. In
 * the others nothing is left to do.
 */
export type UnpaidShown = {
  state: 'open' | 'charging' | 'chargedAgain' | 'settledOtherwise' | 'writtenOff';
  /** What has not been paid. */
  missing: Amount;
  /** Receipts of the sales that asked for it once more. */
  again?: number[];
  /** The scheme lets the card be asked again now. */
  mayCharge?: true;
  /** Who settled it otherwise or wrote it off, and why. */
  by?: { name: string; role: string; reason: string };
};
