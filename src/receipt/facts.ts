/** What a receipt is made from: the facts of one finished operation, as the till has them in its journal. */
import type { DisplayMode } from '../base/mode.ts';
import type { Money } from '../base/money.ts';
import type { EntryMode } from '../emv/entry-mode.ts';

export type ReceiptOperation =
  | 'sale'
  | 'preauthorisation'
  | 'credit'
  | 'refund'
  | 'void'
  | 'increment'
  | 'completion'
  | 'release';

/** The four endings. `declined` has a code of terminal or gateway behind it; `notSent` is proved. */
export type ReceiptEnding = 'approved' | 'declined' | 'notSent' | 'unknown';

/** How the customer was verified, from CVM results (9F34) or the device. */
type Verified = 'onlinePin' | 'offlinePin' | 'signature' | 'device' | 'none';

type Merchant = { name: string; address: readonly string[]; id: string; vat?: string };

/** The card, once one was read. No field for an expiry date: it is forbidden on receipts by every scheme. */
export type ReceiptCard = {
  /** Any masking is taken; at most the last four digits are printed. */
  maskedPan: string;
  /** Application preferred name (9F12) or label (50), when its characters can be printed. */
  label?: string;
  /** Stands in when there is no label. */
  brand?: string;
  /** Unknown when a terminal authorised by itself and did not tell. */
  entryMode?: EntryMode;
  /** Unknown when the device did not tell. */
  verification?: Verified;
  /** Hex: AID (84 or 4F), TVR (95), TSI (9B), issuer application data (9F10). */
  aid?: string;
  tvr?: string;
  tsi?: string;
  iad?: string;
  /** Application cryptogram (9F26), hex, and its kind from 9F27. */
  cryptogram?: { kind: 'ARQC' | 'TC' | 'AAC'; value: string };
};

export type ReceiptFacts = {
  /** Whether money moved: everything but `live` is marked. */
  mode: DisplayMode;
  merchant: Merchant;
  terminalId: string;
  receiptNumber: string;
  batch?: string;
  /** When it happened, ms since 1970 UTC, and the store's zone then, minutes east of UTC. */
  at: number;
  zoneMinutes: number;
  operation: ReceiptOperation;
  /** Of a refund, void or completion: the receipt it follows. */
  originalReceiptNumber?: string;
  /** The name that is signed in at the till. */
  cashier?: string;
  /** What was approved, or asked for where nothing was; with the tip in it. */
  amount: Money;
  /** How much of it is tip. Not known of a part that was approved. */
  tip?: Money;
  /** What was asked for, where the issuer approved less. */
  asked?: Money;
  /** The bill that this pays a part of, and what was left of it after this payment. */
  bill?: { total: Money; left: Money };
  /** Of a pre-authorisation: until when the bank keeps the amount for the store, ms. */
  heldUntil?: number;
  /** Of an increment: what is held with it. */
  heldInAll?: Money;
  /** What is left on a gift card. */
  balance?: Money;
  card?: ReceiptCard;
  /** From the issuer, never from us. Printed only on what was approved online. */
  authorisationCode?: string;
  traceNumber?: string;
  ending: ReceiptEnding;
  /**
   * Set while no issuer has answered: `chip`, the card approved by itself; `deferred`, the store took the risk;
   * `stored`, it follows a payment and is sent later.
   */
  offline?: 'chip' | 'deferred' | 'stored';
  /** Of an unknown ending: who is asked. The bank, where nothing is said. */
  asks?: 'bank' | 'terminal' | 'store';
  /** Of a void: the sale had not been sent, and never will be. */
  neverSent?: boolean;
  /** The host's pos.statusText (spec 2.34): stands in place of approved or declined. */
  statusText?: string;
  /** Why not approved, in words for the customer. */
  reason?: string;
  /** What a terminal that authorised by itself wants printed; stands in place of the rows about the card. */
  slip?: { customer: readonly string[]; merchant: readonly string[] };
  /** A reversal has been acknowledged: whatever was approved no longer is. */
  reversed?: boolean;
  /** What a scanner reads to find this sale again, for a refund: printed as a QR code on the customer's copy. */
  code?: string;
};
