/** What many answers of the local API are made of. Times are ms since 1970 UTC; amounts are text, never numbers. */
import type { Operation } from '../../till/machine/facts.ts';
import type { Reason } from '../../till/machine/reasons.ts';
import type { Ending } from '../../till/machine/states.ts';

/** `{ amount: '12.50', currency: 'EUR' }`: with the currency's own decimals, and a minus before money given back. */
export type Amount = { amount: string; currency: string };

/**
 * Everything a script needs of a finished sale, as the commands print it: under the names of the host API where it has
 * one, and with amounts as the host API writes them. The facts of card, terminal and gateway stand among the others.
 */
export type SaleFacts = {
  ending: Ending;
  reason: Reason;
  says: string;
  money: string;
  next: string;
  again: boolean;
  operation: Operation;
  receipt: number;
  merchantTransactionId: string;
  amount: string;
  currency: string;
  approvedAmount?: string;
  tip?: string;
  bill?: { id: string; total: string };
  card?: { maskedPan: string };
  giftCard?: { maskedNumber: string };
  terminal?: { maskedPan?: string; [fact: string]: unknown };
  decline?: { code?: string; means?: string };
  offline?: string;
  /** Of a sale that was taken offline: whether the bank has approved it since. */
  forwarded?: boolean | 'waiting';
  /** Who said how it ended. `awaited`: the gateway is still asked. */
  forced?: { who?: string; role?: string; awaited?: boolean; [fact: string]: unknown };
  /** What does not fit what was said of it. */
  differs?: string;
  [fact: string]: unknown;
};

/** A piece of a long list. `from` counts from the newest, 0 first; `total` is how many there are. */
export type Page<Row> = { rows: Row[]; from: number; total: number };

/** Words that the screen has in the reader's language: `says` is the English, for whoever does not know `code`. */
export type Said = { code: string; says: string; facts?: Readonly<Record<string, string | number>> };

// A sale that was taken offline and whose money did not come, as screens and programs see it.

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

/** The line to the gateway, and what may be sold without it. */
export type LineState = {
  online: boolean;
  since: number;
  waiting: { count: number; total: Amount };
  /** Sales, and reversals, that nobody knows the end of. */
  unknown: number;
  /** What needs a person. */
  forPerson: number;
  offline: {
    /** A card that fits would be taken. */
    ready: boolean;
    /** Why not. */
    why?: Said;
    /** Of all that may wait at the store's risk. */
    used?: Amount;
    most?: Amount;
    left?: Amount;
    count?: number;
  };
};
